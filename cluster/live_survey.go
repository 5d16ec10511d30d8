package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/client-go/discovery"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// survey is what an API server says about itself when asked; none of it can be watched.
type survey struct {
	gitVersion string
	version    *version.Version
	// resources are those that discovery lists, custom ones among them, in its order.
	resources []resource.Resource
	// generation changes whenever the resources do.
	generation int64
	// mayReview says that SubjectAccessReviews are answered.
	mayReview bool
	gaps      []string
	// undiscovered are the group versions whose resources could not be listed.
	undiscovered []schema.GroupVersion
	at           time.Time
}

// take asks the API server. Where a part of discovery fails, the last survey answers for it.
func (c *clients) take(ctx context.Context, last *survey) (*survey, error) {
	info, err := c.discovery.ServerVersionWithContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("ask %s for its version: %w", c.name, err)
	}
	s := &survey{gitVersion: info.GitVersion, at: time.Now()}
	if s.version, err = version.ParseGeneric(info.GitVersion); err != nil || s.version.Major() == 0 {
		// Builds from a working tree call themselves v0.0.0.
		s.version = version.MustParseGeneric(builtin.Version)
		s.gaps = append(s.gaps, fmt.Sprintf("The API server says that its version is %s; it is taken for Kubernetes %s.", info.GitVersion, builtin.Version))
	}
	_, lists, err := c.discovery.ServerGroupsAndResourcesWithContext(ctx)
	var failed *discovery.ErrGroupDiscoveryFailed
	if err != nil && !errors.As(err, &failed) {
		return nil, fmt.Errorf("ask %s for its resources: %w", c.name, err)
	}
	s.resources = discoveredResources(lists)
	if failed != nil {
		s.fill(failed.Groups, last)
	}
	s.generation = generations.Add(1)
	if last != nil && reflect.DeepEqual(last.resources, s.resources) {
		s.generation = last.generation
	}
	s.mayReview = c.mayReview(ctx)
	if !s.mayReview {
		s.gaps = append(s.gaps, "What a user may do cannot be asked (creating SubjectAccessReviews is not allowed); match conditions that check it stay open.")
	}
	return s, nil
}

// fill says which group versions could not be discovered, usually because an aggregated API server is down, and takes
// their resources from the last survey.
func (s *survey) fill(failed map[schema.GroupVersion]error, last *survey) {
	byName := func(a, b schema.GroupVersion) int { return strings.Compare(a.String(), b.String()) }
	for _, gv := range slices.SortedFunc(maps.Keys(failed), byName) {
		s.gaps = append(s.gaps, fmt.Sprintf("The resources of %s cannot be listed: %v.", gv, failed[gv]))
		s.undiscovered = append(s.undiscovered, gv)
		if last == nil {
			continue
		}
		for _, r := range last.resources {
			if r.GroupVersion() == gv {
				s.resources = append(s.resources, r)
			}
		}
	}
}

// serves returns the first of the versions in which the API server serves a kind.
func (s *survey) serves(k scope.ObjectKind) (string, bool) {
	for _, v := range k.Versions {
		gvr := k.In(v)
		if slices.ContainsFunc(s.resources, func(r resource.Resource) bool { return r.GroupVersionResource == gvr }) {
			return v, true
		}
	}
	return "", false
}

// discoveredResources turns the lists of discovery into resources. The kind of a subresource is its own, which may
// have another group: autoscaling/v1 Scale.
func discoveredResources(lists []*metav1.APIResourceList) []resource.Resource {
	var all []resource.Resource
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue
		}
		for _, r := range list.APIResources {
			name, subresource, _ := strings.Cut(r.Name, "/")
			kind := gv.WithKind(r.Kind)
			if r.Version != "" {
				kind.Group, kind.Version = r.Group, r.Version
			}
			all = append(all, resource.Resource{
				GroupVersionResource: gv.WithResource(name), Subresource: subresource, Kind: kind,
				Namespaced: r.Namespaced, Served: true, Verbs: r.Verbs, ShortNames: r.ShortNames, Singular: r.SingularName,
			})
		}
	}
	return all
}

// mayReview asks whether SubjectAccessReviews are answered. An API server that does not even say so does not answer
// them either.
func (c *clients) mayReview(ctx context.Context) bool {
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Group: authorizationv1.GroupName, Version: "v1", Resource: "subjectaccessreviews", Verb: "create",
		},
	}}
	answer, err := c.reviews.SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	return err == nil && answer.Status.Allowed
}
