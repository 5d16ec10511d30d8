package flow

import (
	"context"
	"fmt"
	"slices"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/flow/generate"
)

// people knows whom the API server takes a persona for: it puts everybody into further groups.
type people struct {
	config *rest.Config
	known  map[string]*authenticationv1.UserInfo
}

// newPeople lets everybody ask who they are.
func newPeople(ctx context.Context, config *rest.Config, kube kubernetes.Interface) (people, error) {
	named := metav1.ObjectMeta{Name: "who-am-i"}
	_, err := kube.RbacV1().ClusterRoles().Create(ctx, &rbacv1.ClusterRole{ObjectMeta: named, Rules: []rbacv1.PolicyRule{
		{Verbs: []string{"create"}, APIGroups: []string{authenticationv1.GroupName}, Resources: []string{"selfsubjectreviews"}},
	}}, metav1.CreateOptions{})
	if err != nil {
		return people{}, fmt.Errorf("make role: %w", err)
	}
	_, err = kube.RbacV1().ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{
		ObjectMeta: named,
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: named.Name},
		Subjects: []rbacv1.Subject{
			{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: "system:authenticated"},
			{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: "system:unauthenticated"},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return people{}, fmt.Errorf("bind role: %w", err)
	}
	return people{config, map[string]*authenticationv1.UserInfo{}}, nil
}

// who returns whom the API server takes a persona for.
func (p *people) who(ctx context.Context, persona generate.Persona) (*authenticationv1.UserInfo, error) {
	key := persona.String()
	if known, ok := p.known[key]; ok {
		return known, nil
	}
	config := rest.CopyConfig(p.config)
	if persona.Nobody {
		config = rest.AnonymousClientConfig(config)
	} else {
		config.Impersonate = rest.ImpersonationConfig{UserName: persona.User, Groups: persona.Groups}
	}
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("make client of %s: %w", key, err)
	}
	var info authenticationv1.UserInfo
	// The authorizer may not have heard of the role yet.
	err = wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		review, err := kube.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		if apierrors.IsForbidden(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		info = review.Status.UserInfo
		return true, nil
	})
	if err != nil {
		return nil, fmt.Errorf("ask who %s is: %w", key, err)
	}
	p.known[key] = &info
	return &info, nil
}

// isUser reports whether Ambit takes who asks for whom the API server does. With more set, there may be groups of which
// Ambit does not know.
func isUser(said, real *authenticationv1.UserInfo, more bool) bool {
	if said == nil || said.Username != real.Username {
		return false
	}
	if !more {
		return slices.Equal(sorted(said.Groups), sorted(real.Groups))
	}
	return !slices.ContainsFunc(said.Groups, func(group string) bool { return !slices.Contains(real.Groups, group) })
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}
