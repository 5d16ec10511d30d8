package request

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope/resource"
)

// readCommand reads a line that begins with a verb of the API or a command of kubectl.
func (c *command) readCommand(k *kubectl) attributes {
	name := c.words[0].text
	if c.file != "" {
		c.complain("file", fmt.Sprintf("the line is about the file %s, which is not read here", c.file), "paste the object itself, or say its type and name")
		return attributes{}
	}
	if len(k.second) > 0 {
		if len(c.words) < 2 || !slices.Contains(k.second, c.words[1].text) {
			c.complain("request.verb", fmt.Sprintf("what kubectl sends for this %s is not known here", name), fmt.Sprintf("known is %s %s", name, strings.Join(k.second, ", ")))
			return attributes{}
		}
		c.words = c.words[1:]
	}
	if name == "create" {
		c.skipSort()
	}
	a := c.readTarget(k)
	if c.failed() {
		return a
	}
	if name == "get" {
		a.verbs = []string{"get"}
		if a.name == "" && c.ask.Name == "" {
			a.verbs = []string{"list"}
			c.guess("request.verb", "list", "kubectl get without a name lists")
		}
	}
	c.adjust(name, k, &a)
	return a
}

// adjust finds the verb where it depends on more than the command.
func (c *command) adjust(name string, k *kubectl, a *attributes) {
	switch {
	case (name == "get" || name == "list") && c.watchOnly:
		c.replaceVerb(a, "watch", "--watch-only sends nothing else")
	case (name == "get" || name == "list") && c.watch:
		c.replaceVerb(a, "watch", "kubectl asks for the objects first, and this is the watch that follows")
	case name == "describe" && a.name == "":
		c.replaceVerb(a, "list", "kubectl lists the objects, and then reads each of them")
	case name == "delete" && a.name == "" && (c.every || c.selects):
		c.guess("request.verb", "delete", "kubectl lists the objects, and this is the request that deletes each of them; deletecollection would delete them at once")
	case name == "delete" && a.name == "":
		c.guess("request.verb", "delete", "it is for one object; deletecollection deletes all at once")
	case name == "scale" && c.precondition:
		c.replaceVerb(a, "update", "kubectl reads the scale first, to hold it to the flag, and sends it whole")
	case k.why != "":
		c.guess("request.verb", strings.Join(k.verbs, " or "), k.why)
	}
}

func (c *command) replaceVerb(a *attributes, verb, why string) {
	c.guesses = slices.DeleteFunc(c.guesses, func(g Guess) bool { return g.Field == "request.verb" })
	a.verbs = []string{verb}
	c.guess("request.verb", verb, why)
}

// sorts are what kubectl creates in several ways, of which one is said first.
var sorts = map[string][]string{
	"secret":  {"generic", "tls", "docker-registry"},
	"service": {"clusterip", "nodeport", "loadbalancer", "externalname"},
	"svc":     {"clusterip", "nodeport", "loadbalancer", "externalname"},
}

// skipSort leaves out the word that says in which way something is created. A token is
// created as a subresource of the account it is for.
func (c *command) skipSort() {
	if len(c.words) < 3 {
		return
	}
	kind := c.words[1]
	switch {
	case slices.Contains(sorts[kind.text], c.words[2].text):
		c.words = slices.Delete(c.words, 2, 3)
	case kind.text == "token":
		c.words[1].text, c.subresource = "serviceaccounts", "token"
	}
}

// readTarget reads TYPE, TYPE/NAME or TYPE NAME behind the command.
func (c *command) readTarget(k *kubectl) attributes {
	a := attributes{verbs: k.verbs, subresource: k.subresource, namespace: c.namespace, namespaceSaid: c.namespace != "" || c.all}
	if c.subresource != "" {
		a.subresource = c.subresource
	}
	if c.all {
		a.namespace = ""
	}
	rest := c.words[1:]
	if k.resource != "" {
		c.readName(k, &a, rest)
		return a
	}
	if len(rest) == 0 {
		c.complain("line", fmt.Sprintf("the line does not say what to %s", c.words[0].text), "say a resource, such as pods")
		return a
	}
	if strings.Contains(rest[0].text, ",") {
		c.at["request.resource"] = rest[0].column
		c.complain("request.resource", "kubectl sends a request of its own for each of several types", "say one of them")
		return a
	}
	typed, name, slashed := strings.Cut(rest[0].text, "/")
	c.at["request.resource"], c.at["request.name"] = rest[0].column, rest[0].column
	found, ok := c.readType(typed, &a)
	if !ok {
		return a
	}
	rest = rest[1:]
	if slashed && c.isSubresource(found, name) {
		if len(rest) > 0 && !k.values || slices.Contains(k.verbs, "create") {
			c.guess("request.subresource", name, fmt.Sprintf("%s has a subresource of this name", found.GroupVersionResource.Resource))
			a.subresource, name, slashed = name, "", false
		} else {
			c.warn("request.name", fmt.Sprintf("kubectl takes %s for the name of an object here", name), "say --subresource "+name+" for the subresource")
		}
	}
	if slashed {
		a.name = name
	} else if len(rest) > 0 && (!k.values || !isValue(rest[0].text)) {
		a.name, c.at["request.name"] = rest[0].text, rest[0].column
		rest = rest[1:]
	}
	c.named(k, &a, rest)
	return a
}

// readType finds the resource of the request.
func (c *command) readType(typed string, a *attributes) (resource.Resource, bool) {
	if typed == "*" {
		a.resource.Resource, a.literal = typed, true
		return resource.Resource{}, true
	}
	found, ok := c.lookUp(typed)
	a.resource = found.GroupVersionResource
	return found, ok
}

func (c *command) isSubresource(r resource.Resource, name string) bool {
	return name != "" && slices.Contains(c.resources.Subresources(r.GroupVersionResource), name)
}

// isValue reports whether a word sets or removes a label, and is no name.
func isValue(text string) bool { return strings.Contains(text, "=") || strings.HasSuffix(text, "-") }

// readName reads the name behind a command that is always about the same resource. Behind
// a name with another type kubectl finds a pod by itself.
func (c *command) readName(k *kubectl, a *attributes, rest []word) {
	if _, ok := c.readType(k.resource, a); !ok || len(rest) == 0 {
		return
	}
	c.at["request.name"] = rest[0].column
	typed, name, slashed := strings.Cut(rest[0].text, "/")
	switch {
	case !slashed:
		a.name = typed
	case typed == k.resource || typed == strings.TrimSuffix(k.resource, "s"):
		a.name = name
	default:
		c.guess("request.name", "open", fmt.Sprintf("kubectl finds a pod of %s first", rest[0].text))
	}
	if k.subresource == "" {
		c.named(k, a, rest[1:])
	}
}

// named says what of further words is not looked at: kubectl sends a request of its own for
// each further name.
func (c *command) named(k *kubectl, a *attributes, rest []word) {
	switch {
	case len(rest) == 0 || k.values:
	case a.name == "":
		c.extra(rest)
	default:
		c.at["line"] = rest[0].column
		c.guess("request.name", a.name, "kubectl sends a request of its own for each name, and this is the first")
	}
}

// extra reports words that have no meaning here.
func (c *command) extra(rest []word) {
	if len(rest) > 0 {
		c.at["line"] = rest[0].column
		c.complain("line", fmt.Sprintf("the word %q has no meaning here", rest[0].text), "leave it out")
	}
}
