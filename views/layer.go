package views

import (
	"fmt"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
	"github.com/ambit-k8s/ambit/scope/condition"
	"github.com/ambit-k8s/ambit/scope/flow"
	"github.com/ambit-k8s/ambit/scope/rule"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// Layer is one layer of a policy, described without any request.
type Layer struct {
	Name scope.LayerName
	// Title is its heading, Letter its mark in the list of policies, Reads what it looks at
	// and who usually writes that.
	Title, Letter, Reads string
	// Narrows is false for a layer that lets everything pass; Passes says so in a sentence.
	Narrows bool
	Passes  string
	// Problem is why the layer cannot work: a selector or an expression that does not compile.
	Problem string

	Rules, Exclude []Rule
	MatchPolicy    string
	Selector       *selector.Selector
	// OfNamespace and OfObject say whose labels the selector reads.
	OfNamespace, OfObject bool
	Conditions            []Condition
	Params                *Param
	// Room is where the layer stands, for policies that are asked in two places.
	Room string
	// Derived are the rules that Kyverno adds by itself, for what makes Pods.
	Derived []Rule
	// Named are things that the layer goes by, as they are written, Excluded those whose requests pass unseen, and
	// Excerpts parts of the policy.
	Named, Excluded []string
	Excerpts        []Excerpt

	// Subjects and Access are the parts of a FlowSchema's rules, and Place its place among
	// the others.
	Subjects []RuleSubjects
	Access   []AccessRule
	Place    Sentence
}

// Condition is one CEL match condition, highlighted.
type Condition struct {
	Name, Problem, Field string
	Code                 []Token
}

// Param is what a policy is parametrised with.
type Param struct{ Kind, Ref, NotFound string }

// titles are the layers' names as headings; letters are their marks.
var titles = map[scope.LayerName]string{
	scope.Exemption: "Exemption", scope.Binding: "Binding",
	scope.ResourceRules: "Resource rules", scope.NamespaceSelector: "Namespace selector", scope.ObjectSelector: "Object selector",
	scope.BindingResourceRules: "Binding: resource rules", scope.BindingNamespaceSelector: "Binding: namespace selector", scope.BindingObjectSelector: "Binding: object selector",
	scope.Params: "Params", scope.MatchConditions: "Match conditions",
	scope.WebhookEntry: "Webhook", scope.WebhookExemption: "Webhook: exemption", scope.WebhookResourceRules: "Webhook: resource rules",
	scope.WebhookNamespaceSelector: "Webhook: namespace selector", scope.WebhookObjectSelector: "Webhook: object selector",
	scope.WebhookMatchConditions: "Webhook: match conditions", scope.ResourceFilters: "Resource filters", scope.Selection: "Selection",
	scope.MatchNamespaceSelector: "Match: namespace selector", scope.MatchObjectSelector: "Match: object selector",
	scope.MatchResourceRules: "Match: resource rules", scope.MatchBlock: "Match", scope.ExcludeBlock: "Exclude", scope.Exceptions: "Exceptions",
	scope.Subjects: "Subjects", scope.NonResourceRules: "Non-resource rules", scope.Precedence: "Precedence",
}

var letters = map[scope.LayerName]string{
	scope.ResourceRules: "R", scope.NamespaceSelector: "N", scope.ObjectSelector: "O", scope.MatchConditions: "C",
	scope.BindingResourceRules: "r", scope.BindingNamespaceSelector: "n", scope.BindingObjectSelector: "o", scope.Params: "p",
	scope.Subjects: "S", scope.NonResourceRules: "U", scope.Precedence: "P",
	scope.WebhookEntry: "W", scope.Selection: "K",
	scope.WebhookResourceRules: "R", scope.WebhookNamespaceSelector: "N", scope.WebhookObjectSelector: "O", scope.WebhookMatchConditions: "C",
	scope.ResourceFilters: "F", scope.MatchNamespaceSelector: "n", scope.MatchObjectSelector: "o", scope.MatchResourceRules: "r",
	scope.MatchBlock: "M", scope.ExcludeBlock: "E", scope.Exceptions: "X",
}

const (
	readsRules      = "reads group, version, resource, operation, scope and name"
	readsNamespace  = "reads the labels of the Namespace · usually written by the platform team"
	readsObject     = "reads the labels of the object, old or new · written by whoever submits it"
	readsConditions = "reads the whole request · CEL, in the API server"
	readsParams     = "reads objects that the policy's author named"
	readsSubjects   = "reads the name and the groups of who asks · set by authentication, or by impersonation"
	readsAccess     = "reads verb, group, resource, subresource and namespace, not the object · set by whoever sends the request"
	readsURL        = "reads method and path of URLs that name no resource, such as /healthz and /api"
	readsPrecedence = "reads what the schemas before this one take · usually written by the platform team"
)

// NewLayer describes a layer. It is the one place that knows what kinds of layers there
// are; a kind it does not know shows its name alone.
func NewLayer(l scope.Layer) Layer {
	v := Layer{Name: l.Name(), Title: titles[l.Name()], Letter: letters[l.Name()]}
	if v.Title == "" {
		v.Title = string(l.Name())
	}
	switch l := l.(type) {
	case *rule.Rules:
		v.rules(l)
	case *selector.Namespace:
		v.OfNamespace, v.Reads, v.Passes = true, readsNamespace, "Every namespace passes."
		v.selector(l.Selector)
	case *selector.Object:
		v.OfObject, v.Reads, v.Passes = true, readsObject, "Every object passes."
		v.selector(l.Selector)
	case *condition.Conditions:
		v.conditions(l)
	case *admission.Params:
		v.params(l)
	case *flow.Subjects:
		v.subjects(l)
	case *flow.Rules:
		v.access(l)
	case *flow.Precedence:
		v.place(l)
	default:
		v.kyverno(l)
	}
	return v
}

func (v *Layer) rules(l *rule.Rules) {
	v.Reads = readsRules
	v.Narrows = len(l.Rules) > 0 || len(l.Exclude) > 0 || !l.EmptyMatches
	v.Passes = "Every resource passes."
	if len(l.Rules) == 0 && !l.EmptyMatches {
		v.Problem = "There are no rules, so no request ever matches."
	}
	v.Rules, v.Exclude = newRules(l.Rules), newRules(l.Exclude)
	if l.MatchPolicy != nil {
		v.MatchPolicy = string(*l.MatchPolicy)
	}
}

func (v *Layer) selector(s *selector.Selector) {
	v.Selector, v.Narrows = s, !s.Empty()
	if err := s.Err(); err != nil {
		v.Problem = "The selector does not compile: " + err.Error()
	}
}

func (v *Layer) conditions(l *condition.Conditions) {
	v.Reads, v.Passes = readsConditions, "There are no match conditions, so every request passes."
	v.Narrows = len(l.Conditions) > 0
	for _, c := range l.Conditions {
		one := Condition{Name: c.Name, Field: c.Field, Code: Tokens(c.Expression)}
		if c.Err != nil {
			one.Problem = c.Err.Error()
			v.Problem = fmt.Sprintf("The condition %s does not compile.", c.Name)
		}
		v.Conditions = append(v.Conditions, one)
	}
}

func (v *Layer) params(l *admission.Params) {
	v.Reads, v.Passes = readsParams, "The policy takes no parameters."
	if l.Kind == nil {
		return
	}
	v.Narrows = true
	v.Params = &Param{Kind: l.Kind.Kind + " (" + l.Kind.APIVersion + ")"}
	if l.Ref == nil {
		return
	}
	switch {
	case l.Ref.Name != "":
		v.Params.Ref = l.Ref.Name
	case l.Ref.Selector != nil:
		v.Params.Ref = "every one that matches " + selectorText(l.Ref.Selector)
	}
	if l.Ref.Namespace != "" {
		v.Params.Ref += " in " + l.Ref.Namespace
	}
	if l.Ref.ParameterNotFoundAction != nil {
		v.Params.NotFound = string(*l.Ref.ParameterNotFoundAction)
	}
}
