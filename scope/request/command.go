package request

import (
	"fmt"
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
)

// command is a line while it is read.
type command struct {
	*draft
	// at has the column in which a part of the request is said.
	at map[string]int
	// words are those that are not flags.
	words []word

	namespace, subresource, raw, file string
	user                              authenticationv1.UserInfo
	all, every, selects, rules        bool
	watch, watchOnly, precondition    bool
	ignored                           []string
}

// kubectl is what a command of kubectl sends.
type kubectl struct {
	verbs []string
	// why says what else the command sends, or why it sends this.
	why string
	// resource and subresource are those that the command is always about.
	resource, subresource string
	// second lists the words one of which follows the command.
	second []string
	// values says that behind the type and the name come values.
	values bool
}

// commands are what a line may begin with: the verbs of the API, which mean themselves, and
// the commands of kubectl, which mean the request that decides
// (k8s.io/kubectl/pkg/cmd).
var commands = map[string]*kubectl{
	"get": {}, "list": {verbs: []string{"list"}}, "watch": {verbs: []string{"watch"}},
	"create": {verbs: []string{"create"}, values: true}, "update": {verbs: []string{"update"}},
	"patch": {verbs: []string{"patch"}}, "delete": {verbs: []string{"delete"}}, "deletecollection": {verbs: []string{"deletecollection"}},

	"describe": {verbs: []string{"get"}, why: "kubectl reads the object, and then lists its events"},
	"apply":    {verbs: []string{"patch"}, why: "kubectl reads the object first, and sends a create instead if it is not there"},
	"edit":     {verbs: []string{"patch"}, why: "kubectl reads the object first, and sends what was changed as a patch"},
	"replace":  {verbs: []string{"update"}, why: "kubectl sends the whole object"},
	"label":    {verbs: []string{"patch"}, why: "kubectl reads the object first, and sends the labels as a patch", values: true},
	"annotate": {verbs: []string{"patch"}, why: "kubectl reads the object first, and sends the annotations as a patch", values: true},
	"taint":    {verbs: []string{"patch"}, why: "kubectl reads the node first, and sends the taints as a patch", values: true},
	"cordon":   {verbs: []string{"patch"}, why: "kubectl reads the node first, and sends the change as a patch", resource: "nodes"},
	"uncordon": {verbs: []string{"patch"}, why: "kubectl reads the node first, and sends the change as a patch", resource: "nodes"},
	"set": {verbs: []string{"patch"}, why: "kubectl reads the object first, and sends the change as a patch", values: true,
		second: []string{"image", "env", "resources", "selector", "serviceaccount", "subject"}},
	"rollout": {verbs: []string{"patch"}, why: "kubectl reads the object first, and sends the change as a patch",
		second: []string{"restart", "pause", "resume", "undo"}},
	"scale":        {verbs: []string{"patch"}, why: "kubectl scales with a patch unless a flag says how many replicas there are", subresource: "scale"},
	"run":          {verbs: []string{"create"}, why: "kubectl creates a pod", resource: "pods", values: true},
	"logs":         {verbs: []string{"get"}, resource: "pods", subresource: "log"},
	"exec":         {verbs: []string{"create", "get"}, resource: "pods", subresource: "exec"},
	"attach":       {verbs: []string{"create", "get"}, resource: "pods", subresource: "attach"},
	"port-forward": {verbs: []string{"create", "get"}, resource: "pods", subresource: "portforward"},
}

var httpMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

// read takes a line apart and returns the request that it describes.
func (c *command) read(words []word) attributes {
	if len(words) > 0 && words[0].plain && words[0].text == "kubectl" {
		words = words[1:]
	}
	if c.scan(words); c.failed() {
		return attributes{}
	}
	if len(c.ignored) > 0 {
		c.warn("ignored", fmt.Sprintf("this does not change which FlowSchema the request falls in, so it is ignored: %s", strings.Join(c.ignored, ", ")), "leave it out")
	}
	if c.user.Username == "" && (len(c.user.Groups) > 0 || c.user.UID != "") {
		c.complain("request.userInfo", "a group or a uid says of somebody who asks what their name does not, and there is no name", "say the name with --as")
		return attributes{}
	}
	c.request.User = &c.user
	if len(c.words) == 0 {
		c.complain("line", "the line does not say what the request does", "say a verb and a resource, such as get pods")
		return attributes{}
	}
	first := c.words[0]
	c.at["request.verb"] = first.column
	switch {
	case c.raw != "":
		return c.readRaw(first)
	case len(c.words) > 1 && isURL(c.words[1].text) && methods[strings.ToLower(first.text)] != "" || slices.Contains(httpMethods, first.text):
		return c.readMethod(first)
	case first.text == "auth":
		return c.readAuth()
	case commands[first.text] != nil:
		return c.readCommand(commands[first.text])
	}
	c.complain("request.verb", fmt.Sprintf("what kubectl sends for %q is not known here", first.text), "say a verb and a resource, such as get pods, or paste a SubjectAccessReview")
	return attributes{}
}

func isURL(text string) bool {
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")
}

// rawMethods are the methods by which commands send to a URL that is given with --raw.
var rawMethods = map[string]string{"get": "GET", "create": "POST", "replace": "PUT", "delete": "DELETE"}

func (c *command) readRaw(first word) attributes {
	method := rawMethods[first.text]
	if method == "" {
		c.complain("request.path", "--raw goes with get, create, replace and delete only", "say one of them")
		return attributes{}
	}
	return c.url(method, c.raw, c.words[1:])
}

// readMethod reads a line such as GET /healthz. A lower-case verb before a URL is the
// method, and that of the API which has no method of its own is the method it is sent by.
func (c *command) readMethod(first word) attributes {
	if len(c.words) < 2 || !isURL(c.words[1].text) {
		c.complain("request.verb", fmt.Sprintf("the method %s goes with the path of a URL", first.text), "write a path, such as /healthz, or say a verb and a resource, such as get pods")
		return attributes{}
	}
	c.at["request.path"] = c.words[1].column
	method := first.text
	if !slices.Contains(httpMethods, method) {
		method = methods[method]
		if strings.ToUpper(first.text) != method {
			c.guess("request.verb", method, fmt.Sprintf("a request with the verb %s is sent with this method", first.text))
		}
	}
	rest := c.words[2:]
	if len(rest) == 1 && strings.HasPrefix(rest[0].text, "HTTP/") {
		rest = nil
	}
	a := c.url(method, c.words[1].text, rest)
	if first.text == "watch" && a.path == "" && slices.Equal(a.verbs, []string{"list"}) {
		c.replaceVerb(&a, "watch", "this is what was said; the URL alone lists")
	}
	return a
}

// url reads a request that is said by its method and URL, which leave nothing to be said.
func (c *command) url(method, target string, rest []word) attributes {
	if len(rest) > 0 {
		c.at["line"] = rest[0].column
		c.complain("line", fmt.Sprintf("nothing can follow the URL, and here is %q", rest[0].text), "leave it out")
		return attributes{}
	}
	if c.namespace != "" || c.all || c.subresource != "" {
		c.warn("request.namespace", "the URL says the namespace and the subresource, so that the flags for them are ignored", "leave them out")
	}
	var a attributes
	c.readURL(&a, method, target)
	return a
}

// readAuth reads "auth can-i VERB TYPE", which asks about a request by the verbs of the API.
func (c *command) readAuth() attributes {
	if len(c.words) < 2 || c.words[1].text != "can-i" || c.rules {
		c.complain("line", "of kubectl auth only can-i with a verb and a resource describes a request", "write auth can-i VERB TYPE")
		return attributes{}
	}
	if len(c.words) < 4 {
		c.complain("line", "auth can-i needs a verb and a resource", "write, for example, auth can-i list pods")
		return attributes{}
	}
	verb := c.words[2]
	c.at["request.verb"] = verb.column
	c.words = c.words[2:]
	if target := c.words[1]; strings.HasPrefix(target.text, "/") {
		c.at["request.path"] = target.column
		c.extra(c.words[2:])
		return attributes{verbs: []string{verb.text}, path: target.text, literal: true}
	}
	return c.readTarget(&kubectl{verbs: []string{verb.text}})
}
