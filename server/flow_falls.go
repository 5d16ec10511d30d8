package server

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
	"github.com/ambit-k8s/ambit/scope/request"
	"github.com/ambit-k8s/ambit/views"
)

// elsewhere is the namespace of those who have none of their own.
const elsewhere = "default"

// flowAsk reads what everybody is taken to ask for: pods in a namespace of their own,
// unless the address says something else.
func flowAsk(query url.Values, facts *scope.Facts) views.FlowAsk {
	field := func(name string) string { return strings.TrimSpace(query.Get(name)) }
	ask := views.FlowAsk{Resource: field("resource"), Namespace: field("namespace"), Path: field("path"), All: query.Get("all") == "true"}
	line := flowLine(ask)
	derived, problems := request.FromText("", []byte(line), maxText, request.Ask{}, facts)
	if derived == nil {
		ask.Problem = "This cannot be read as a request."
		if len(problems) > 0 {
			ask.Problem = problemText(problems[0])
		}
		return ask
	}
	access := derived.Request.Access
	ask.Target = flow.Target{
		Path: access.Path, APIGroup: access.APIGroup, Resource: access.Resource, Subresource: access.Subresource, Namespace: access.Namespace,
	}
	switch namespaced := access.Namespace != "" && ask.Path == ""; {
	case namespaced && ask.All:
		ask.Target.Namespace, ask.Everywhere = "", true
	case namespaced && ask.Namespace == "":
		ask.Target.Own = true
	}
	return ask
}

// flowLine writes the question as a line, so that a resource is known by every name that
// kubectl knows it by. Whether it is in a namespace, the answer tells.
func flowLine(ask views.FlowAsk) string {
	if ask.Path != "" {
		return "GET " + quoted(ask.Path)
	}
	resource, subresource, _ := strings.Cut(cmp.Or(ask.Resource, "pods"), "/")
	line := "list " + quoted(resource) + " -n " + quoted(cmp.Or(ask.Namespace, elsewhere))
	if subresource != "" {
		line += " --subresource " + quoted(subresource)
	}
	return line
}

// quoted keeps what somebody typed one word.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", "") + "'" }

// flowIdentities are those whom the matrix is about. Those whom every cluster has are
// among them already, and are not named again because some role binding names them.
func flowIdentities(o *flow.Order, i cluster.Identities) []flow.Identity {
	who := make([]flow.Identity, 0, len(i.ServiceAccounts)+len(i.Users)+len(i.Groups)+6)
	for _, account := range i.ServiceAccounts {
		who = append(who, flow.AccountIdentity(account.Namespace, account.Name))
	}
	who = append(who, o.WellKnown()...)
	for _, name := range i.Users {
		if !slices.Contains(wellKnown, name) {
			who = append(who, flow.UserIdentity(name))
		}
	}
	for _, name := range i.Groups {
		if !slices.Contains(wellKnown, name) {
			who = append(who, o.GroupIdentity(name))
		}
	}
	return who
}

// wellKnown are the users and groups of flow.Order.WellKnown.
var wellKnown = []string{
	user.SystemPrivilegedGroup, user.NodesGroup, user.AllAuthenticated, user.AllUnauthenticated,
	user.KubeControllerManager, user.KubeScheduler, user.Anonymous,
}
