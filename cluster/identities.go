package cluster

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
)

// Identities are those who may ask something of the cluster, as far as objects tell: its service accounts, and the
// users and groups that role bindings name. Each list is sorted and names everybody once.
type Identities struct {
	ServiceAccounts []types.NamespacedName
	Users, Groups   []string
}

// named are the users and the groups that a role binding names.
type named struct {
	users, groups []string
}

// namedBy returns whom a role binding names besides service accounts, and nil if that is nobody. Somebody may have
// written a service account as a user; it is left out, because it comes with groups that a user does not have, and if
// it exists, it is among the service accounts.
func namedBy(binding *unstructured.Unstructured) *named {
	field, _, _ := unstructured.NestedFieldNoCopy(binding.Object, "subjects")
	subjects, _ := field.([]any)
	n := &named{}
	for _, s := range subjects {
		subject, _ := s.(map[string]any)
		name, _ := subject["name"].(string)
		switch subject["kind"] {
		case rbacv1.UserKind:
			if _, _, err := serviceaccount.SplitUsername(name); err != nil && name != "" {
				n.users = append(n.users, name)
			}
		case rbacv1.GroupKind:
			if name != "" {
				n.groups = append(n.groups, name)
			}
		}
	}
	if len(n.users)+len(n.groups) == 0 {
		return nil
	}
	return n
}

// account adds a service account.
func (i *Identities) account(namespace, name string) {
	i.ServiceAccounts = append(i.ServiceAccounts, types.NamespacedName{Namespace: namespace, Name: name})
}

// bind adds those whom a role binding names.
func (i *Identities) bind(n *named) {
	if n != nil {
		i.Users, i.Groups = append(i.Users, n.users...), append(i.Groups, n.groups...)
	}
}

// sort puts the lists in order and drops what is in them twice.
func (i *Identities) sort() {
	slices.SortFunc(i.ServiceAccounts, byNamespaceAndName)
	slices.Sort(i.Users)
	slices.Sort(i.Groups)
	i.ServiceAccounts, i.Users, i.Groups = slices.Compact(i.ServiceAccounts), slices.Compact(i.Users), slices.Compact(i.Groups)
}

// identities are those that manifests tell of.
func (m *manifests) identities() Identities {
	var i Identities
	for _, d := range m.others[serviceAccountKind.GroupKind] {
		i.account(d.Object.GetNamespace(), d.Object.GetName())
	}
	for _, d := range slices.Concat(m.others[clusterRoleBindingKind.GroupKind], m.others[roleBindingKind.GroupKind]) {
		i.bind(namedBy(d.Object))
	}
	i.sort()
	return i
}

// identities are those that have been read so far. They are gathered anew only when one of the objects changed: there
// may be tens of thousands of role bindings.
func (l *live) identities() Identities {
	var generations []int64
	for _, k := range identityKinds {
		generations = append(generations, l.stateOf(k).generation)
	}
	return l.parts.identities.of(generations, func() Identities {
		var all Identities
		for _, i := range l.itemsOf(serviceAccountKind) {
			all.account(i.meta.GetNamespace(), i.meta.GetName())
		}
		for _, i := range slices.Concat(l.itemsOf(clusterRoleBindingKind), l.itemsOf(roleBindingKind)) {
			all.bind(i.named)
		}
		all.sort()
		return all
	})
}
