package generate

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
)

// Request is an HTTP request together with what admission should be asked because of it.
type Request struct {
	Call oracle.Call
	// Title says in few words what is done: "merge patch pods/status".
	Title string

	Operation   admission.Operation
	Kind        schema.GroupVersionKind
	Resource    schema.GroupVersionResource
	Subresource string
	Namespace   string
	Name        string
	DryRun      bool
	// Object is the object as the client knows it: as sent, or, for a patch, as it should become. OldObject is the live
	// object from just before.
	Object, OldObject map[string]any
	// Pasted is what somebody would paste to ask about this request, and PastedOld the old object beside it.
	Pasted, PastedOld map[string]any
	// Collection says that a DELETE is for all objects of a kind at once.
	Collection bool
}

// Requests makes up requests to a cluster.
type Requests struct {
	*rand.Rand
	kinds []Kind
	// live reads an object; nil if there is none.
	live func(path string) map[string]any
	// Real allows requests that are no dry runs and change the cluster.
	Real bool
	// Ghosts allows requests in a namespace that does not exist.
	Ghosts bool

	weights int
	serial  int
}

// NewRequests makes a generator. The function reads a live object, and returns nil if there is none.
func NewRequests(r *rand.Rand, live func(path string) map[string]any) (*Requests, error) {
	kinds, err := Kinds()
	if err != nil {
		return nil, err
	}
	g := &Requests{Rand: r, kinds: kinds, live: live}
	for _, k := range kinds {
		g.weights += k.Weight
	}
	return g, nil
}

// Seed starts over from another source of randomness.
func (g *Requests) Seed(r *rand.Rand) { g.Rand = r }

// Namespaces are where requests go. They differ in their labels, and the last one does not exist.
var Namespaces = []string{"prod", "dev", "plain", "kube-system"}

const ghost = "ghost"

// names are those of the objects that exist. Resource names in rules are drawn from them.
var names = []string{"web", "admin"}

// users are who asks. All of them may do what the requests need, so that it is admission that decides.
var users = []*authenticationv1.UserInfo{
	{Username: "alice", Groups: []string{"devs", "testers", "system:authenticated"}},
	{Username: "bob", UID: "b0b", Groups: []string{"testers", "system:authenticated"}},
	{Username: "carol", Groups: []string{"devs", "ops", "testers", "system:authenticated"}, Extra: map[string]authenticationv1.ExtraValue{"team": {"blue"}}},
	{Username: "system:serviceaccount:dev:ci", Groups: []string{"system:serviceaccounts", "system:serviceaccounts:dev", "testers", "system:authenticated"}},
}

// kind draws a kind by weight.
func (g *Requests) kind() *Kind {
	n := g.IntN(g.weights)
	for i := range g.kinds {
		if n -= g.kinds[i].Weight; n < 0 {
			return &g.kinds[i]
		}
	}
	return &g.kinds[0]
}

// Next makes up a request. It returns nil where the cluster lacks what the request would need.
func (g *Requests) Next() *Request {
	k := g.kind()
	r := &Request{Kind: k.gvk, Resource: k.GVR(), DryRun: !g.Real || k.Facts || !chance(g.Rand, 6)}
	r.Call.User = pick(g.Rand, users...)
	if k.Namespaced {
		r.Namespace = pick(g.Rand, Namespaces...)
	}
	if len(k.Subresources) > 0 && chance(g.Rand, 2) {
		r.Subresource = pick(g.Rand, k.Subresources...)
		r = g.below(k, r)
	} else {
		r = g.write(k, r)
	}
	if r == nil {
		return nil
	}
	if r.DryRun && r.Operation != admission.Connect {
		r.query("dryRun", "All")
	}
	if r.Operation == admission.Connect {
		r.DryRun = false
	}
	if r.Resource.Group == "" && r.Resource.Resource == "namespaces" {
		r.Namespace = r.Name
	}
	return r
}

// query adds a parameter to the URL.
func (r *Request) query(key, value string) {
	if r.Call.Query == nil {
		r.Call.Query = url.Values{}
	}
	r.Call.Query.Add(key, value)
}

func (r *Request) title(verb string) {
	r.Title = fmt.Sprintf("%s %s", verb, r.Resource.GroupResource())
	if r.Subresource != "" {
		r.Title += "/" + r.Subresource
	}
}

// Way returns the two halves of the title: how the request is made, and what it is about.
func (r *Request) Way() (way, resource string) {
	i := strings.LastIndex(r.Title, " ")
	return r.Title[:i], r.Title[i+1:]
}

// Relabel changes the labels of a namespace for real, and says to what.
func (g *Requests) Relabel() (call oracle.Call, namespace string, labels map[string]string) {
	namespace, labels = pick(g.Rand, Namespaces[1], Namespaces[2]), g.labels()
	labels["kubernetes.io/metadata.name"] = namespace
	patch := encode(map[string]any{"metadata": map[string]any{"labels": difference(map[string]string{"app": "", "tier": "", "env": ""}, labels)}})
	return oracle.Call{Method: http.MethodPatch, Path: "/api/v1/namespaces/" + namespace, ContentType: "application/merge-patch+json", Body: patch}, namespace, labels
}

// labels draws labels that the selectors ask for.
func (g *Requests) labels() map[string]string {
	labels := map[string]string{}
	for _, key := range []string{"app", "tier", "env"} {
		if chance(g.Rand, 2) {
			labels[key] = pick(g.Rand, "prod", "dev", "web")
		}
	}
	return labels
}

// Pool returns the calls that create what the requests are about.
func (g *Requests) Pool() []oracle.Call {
	var calls []oracle.Call
	for i := range g.kinds {
		k := &g.kinds[i]
		if !k.pooled() {
			continue
		}
		namespaces := Namespaces
		if !k.Namespaced {
			namespaces = []string{""}
		}
		for _, ns := range namespaces {
			for _, name := range names {
				calls = append(calls, oracle.Call{Method: http.MethodPost, Path: k.path(ns), Body: encode(k.named(ns, name, g.labels()))})
			}
		}
	}
	return calls
}

// existing draws the name of an object that exists, and reads it.
func (g *Requests) existing(k *Kind, r *Request) (path string, live map[string]any) {
	from := names
	if len(k.Names) > 0 {
		from = k.Names
	}
	if k.Resource == "namespaces" && k.gvk.Group == "" {
		from = slices.Concat(names, Namespaces[:3])
	}
	r.Name = pick(g.Rand, from...)
	path = k.path(r.Namespace) + "/" + r.Name
	return path, g.live(path)
}

// fresh makes up a name that nothing has yet.
func (g *Requests) fresh() string {
	g.serial++
	return fmt.Sprintf("fresh-%d", g.serial)
}
