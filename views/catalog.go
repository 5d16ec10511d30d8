package views

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
	"github.com/ambit-k8s/ambit/scope/kyverno"
)

// Catalog is every policy of a snapshot, described once and shown on every page. It is
// immutable.
type Catalog struct {
	// Groups are the policies by the object that holds them, in a request's order.
	Groups     []*Group
	Namespaces []*corev1.Namespace

	entries map[*scope.Policy]*Entry
	groups  map[groupKey]*Group
	// flow is the analysis of the FlowSchemas, made when somebody first looks at it.
	flow func() *FlowAnalysis
	// kyverno is what is known of Kyverno as a whole, and kyvernoPage its page, made when somebody first looks at it.
	kyverno     *kyverno.Report
	kyvernoPage func() KyvernoPage
}

type groupKey struct{ kind, name string }

// Group is one configuration or one admission policy, with its entries or bindings, or one
// FlowSchema or policy of Kyverno.
type Group struct {
	// Name has the namespace before it, as in team-a/limits, if the object is in one.
	Kind, Name, Href string
	Phase            scope.Phase
	Entries          []*Entry
}

// ID names the object within a catalog; it begins the ID of each of its entries.
func (g *Group) ID() string { return g.Kind + "/" + g.Name }

// behind orders the policies of Kyverno behind the webhooks that they are behind.
func (g *Group) behind() int {
	if isKyverno(g.Entries[0].Policy) {
		return 1
	}
	return 0
}

// Entry is one policy: one webhook of a configuration, or one binding of a policy.
type Entry struct {
	Policy *scope.Policy
	// ID is stable and unique in a catalog; it names the entry's row on every page.
	ID, Href string
	// Sentence says what the policy sees.
	Sentence Sentence
	// Own are the policy's layers, Bound those of its binding.
	Own, Bound []Layer
	Resources  []string
	// rules says what the resource rules name, where they read nothing but the resource.
	rules string
	// Namespaces are those whose labels pass every selector of the policy, Others the rest.
	Namespaces, Others []string
	// Words is what a text filter looks at, in lower case.
	Words string
}

// NewCatalog describes policies.
func NewCatalog(policies []*scope.Policy, namespaces []*corev1.Namespace) *Catalog {
	sorted := append([]*corev1.Namespace{}, namespaces...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].Name < sorted[j].Name })
	c := &Catalog{
		Namespaces: sorted,
		entries:    make(map[*scope.Policy]*Entry, len(policies)), groups: map[groupKey]*Group{},
		kyverno: kyverno.ReportOf(policies),
		flow:    sync.OnceValue(func() *FlowAnalysis { return newFlowAnalysis(flow.OrderOf(policies)) }),
	}
	c.kyvernoPage = sync.OnceValue(func() KyvernoPage { return newKyvernoPage(c.kyverno) })
	selections := map[string]map[string]bool{}
	for _, p := range policies {
		key := groupKey{p.Kind, policyName(p.Namespace, p.Name)}
		g := c.groups[key]
		if g == nil {
			g = &Group{Kind: p.Kind, Name: key.name, Href: policyHref(p.Kind, p.Namespace, p.Name), Phase: p.Phase}
			c.groups[key] = g
			c.Groups = append(c.Groups, g)
		}
		e := newEntry(p, g.Href)
		e.reach(sorted, selections)
		g.Entries = append(g.Entries, e)
		c.entries[p] = e
	}
	slices.SortStableFunc(c.Groups, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(order(a.Phase), order(b.Phase)), a.behind()-b.behind())
	})
	return c
}

func newEntry(p *scope.Policy, href string) *Entry {
	e := &Entry{Policy: p, ID: p.ID()}
	e.Href = href + e.fragment()
	e.Own, e.Bound = layersOf(p)
	if s := schemaOf(p); s != nil {
		e.Sentence = takes(s.FlowSchema)
	} else {
		e.Sentence = describe(p, e.Own, e.Bound)
	}
	seen := map[string]bool{}
	for _, l := range e.Own {
		for _, r := range l.Rules {
			for _, resource := range r.Resources {
				if !seen[resource] {
					seen[resource] = true
					e.Resources = append(e.Resources, resource)
				}
			}
		}
	}
	e.rules = plainRules(e.Own)
	e.Words = strings.ToLower(strings.Join([]string{p.Kind, policyName(p.Namespace, p.Name), p.Entry, e.Sentence.String()}, " "))
	return e
}

// plainRules says what resource rules name, or nothing if it takes a request to say why
// they leave it out: with exclude rules and names.
func plainRules(own []Layer) string {
	for _, l := range own {
		if (l.Name == scope.ResourceRules || l.Name == scope.WebhookResourceRules) && len(l.Rules) > 0 && len(l.Exclude) == 0 && !anyNames(l.Rules) {
			return rulesPhrase(l.Rules)
		}
	}
	return ""
}

// reach tells apart the namespaces that pass every namespaceSelector of an entry. Many
// policies share a selector, so each distinct one is asked once.
func (e *Entry) reach(namespaces []*corev1.Namespace, selections map[string]map[string]bool) {
	var all []map[string]bool
	for _, l := range append(append([]Layer{}, e.Own...), e.Bound...) {
		if !l.OfNamespace || !l.Narrows {
			continue
		}
		key := selectorText(l.Selector.Written)
		if selections[key] == nil {
			pass := map[string]bool{}
			for _, name := range Select(l.Selector, namespaces).Pass {
				pass[name] = true
			}
			selections[key] = pass
		}
		all = append(all, selections[key])
	}
	own := e.Policy.Namespace
	for _, ns := range namespaces {
		if own != "" && ns.Name != own || slices.ContainsFunc(all, func(pass map[string]bool) bool { return !pass[ns.Name] }) {
			e.Others = append(e.Others, ns.Name)
		} else {
			e.Namespaces = append(e.Namespaces, ns.Name)
		}
	}
}

// Entry returns the description of a policy of the catalog.
func (c *Catalog) Entry(p *scope.Policy) *Entry { return c.entries[p] }

// Group returns the policies of one object by its kind and its name, with the namespace if it is in one; or nil.
func (c *Catalog) Group(kind, name string) *Group { return c.groups[groupKey{kind, name}] }

// Flow returns what is known about the FlowSchemas as a whole, or nil if they are not known.
func (c *Catalog) Flow() *FlowAnalysis { return c.flow() }

// Kyverno returns what is known of Kyverno as a whole, or nil if there are no policies of it.
func (c *Catalog) Kyverno() *kyverno.Report { return c.kyverno }

// Admission returns the groups that take part in admission: all but the FlowSchemas, which
// have a page of their own.
func (c *Catalog) Admission() []*Group {
	return slices.DeleteFunc(slices.Clone(c.Groups), func(g *Group) bool { return g.Phase == scope.FlowControl })
}

func order(p scope.Phase) int {
	for i, phase := range scope.Phases() {
		if phase == p {
			return i
		}
	}
	return len(scope.Phases())
}
