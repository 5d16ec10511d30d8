package flow

import (
	"context"
	"errors"
	"fmt"
	"time"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/flow/generate"
	"github.com/ambit-k8s/ambit/scope/flow"
)

// Installed is the configuration that the API server uses, as it lists it, and Ambit's snapshot of it.
type Installed struct {
	Schemas map[string]*flowcontrolv1.FlowSchema
	Levels  map[string]*flowcontrolv1.PriorityLevelConfiguration
	// Refused says why the API server does not store some of the schemas.
	Refused  map[string]string
	Snapshot *cluster.Snapshot
	Order    *flow.Order
}

// marked is on everything that a set brings.
const marked = "conformance"

// install makes a set the configuration of the API server, and waits until the server and Ambit use it.
//
// The schema that is created last stands before all but the mandatory one, and has a priority level that is created
// last. Watches tell changes in order, so once the API server classifies by the marker, it has heard of all the rest.
func (s *session) install(ctx context.Context, set *generate.Set) (*Installed, error) {
	s.installed++
	marker := fmt.Sprintf("0-marker-%d", s.installed)
	if err := s.clear(ctx); err != nil {
		return nil, err
	}
	if err := s.ownSchemas(ctx, set.Without); err != nil {
		return nil, err
	}
	in := &Installed{Refused: map[string]string{}}
	for _, level := range append(set.DeepCopy().Levels, markerLevel(marker)) {
		level.Labels = map[string]string{marked: ""}
		if _, err := s.api.PriorityLevelConfigurations().Create(ctx, level, metav1.CreateOptions{}); err != nil {
			return nil, fmt.Errorf("create priority level: %w", err)
		}
	}
	for _, schema := range append(set.DeepCopy().Schemas, markerSchema(marker)) {
		schema.Labels = map[string]string{marked: ""}
		_, err := s.api.FlowSchemas().Create(ctx, schema, metav1.CreateOptions{})
		if apierrors.IsInvalid(err) {
			in.Refused[schema.Name] = err.Error()
		} else if err != nil {
			return nil, fmt.Errorf("create schema: %w", err)
		}
	}
	if err := s.list(ctx, in); err != nil {
		return nil, err
	}
	if err := s.inUse(ctx, string(in.Schemas[marker].UID)); err != nil {
		return nil, err
	}
	snapshot, err := s.until(ctx, in.unlike)
	if err != nil {
		return nil, err
	}
	in.Snapshot, in.Order = snapshot, flow.OrderOf(snapshot.Policies.Policies())
	return in, nil
}

// clear removes the set before.
func (s *session) clear(ctx context.Context) error {
	all := metav1.ListOptions{LabelSelector: marked}
	err := s.api.FlowSchemas().DeleteCollection(ctx, metav1.DeleteOptions{}, all)
	return errors.Join(err, s.api.PriorityLevelConfigurations().DeleteCollection(ctx, metav1.DeleteOptions{}, all))
}

// ownSchemas makes the schemas that the server has of its own be there, all but some. The server itself would create
// them again within a minute.
func (s *session) ownSchemas(ctx context.Context, without []string) error {
	missing := map[string]bool{}
	for _, name := range without {
		missing[name] = true
	}
	for _, own := range append(append([]*flowcontrolv1.FlowSchema{}, bootstrap.MandatoryFlowSchemas...), bootstrap.SuggestedFlowSchemas...) {
		var err error
		if missing[own.Name] {
			err = s.api.FlowSchemas().Delete(ctx, own.Name, metav1.DeleteOptions{})
		} else if _, err = s.api.FlowSchemas().Get(ctx, own.Name, metav1.GetOptions{}); apierrors.IsNotFound(err) {
			_, err = s.api.FlowSchemas().Create(ctx, own.DeepCopy(), metav1.CreateOptions{})
		}
		if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("schema %s of the server: %w", own.Name, err)
		}
	}
	return nil
}

// markerUser is nobody but who asks for the marker.
const markerUser = "conformance:marker"

func markerLevel(name string) *flowcontrolv1.PriorityLevelConfiguration {
	shares := int32(1)
	return &flowcontrolv1.PriorityLevelConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: flowcontrolv1.PriorityLevelConfigurationSpec{
		Type: flowcontrolv1.PriorityLevelEnablementLimited,
		Limited: &flowcontrolv1.LimitedPriorityLevelConfiguration{
			NominalConcurrencyShares: &shares, LimitResponse: flowcontrolv1.LimitResponse{Type: flowcontrolv1.LimitResponseTypeReject},
		},
	}}
}

func markerSchema(name string) *flowcontrolv1.FlowSchema {
	s := &flowcontrolv1.FlowSchema{ObjectMeta: metav1.ObjectMeta{Name: name}}
	s.Spec.MatchingPrecedence = 2
	s.Spec.PriorityLevelConfiguration.Name = name
	s.Spec.Rules = []flowcontrolv1.PolicyRulesWithSubjects{{
		Subjects:         []flowcontrolv1.Subject{{Kind: flowcontrolv1.SubjectKindUser, User: &flowcontrolv1.UserSubject{Name: markerUser}}},
		NonResourceRules: []flowcontrolv1.NonResourcePolicyRule{{Verbs: []string{"*"}, NonResourceURLs: []string{"*"}}},
	}}
	return s
}

// inUse waits until the API server classifies by the schema with this identifier.
func (s *session) inUse(ctx context.Context, uid string) error {
	ask := &generate.Call{Method: "GET", Path: "/version", Who: generate.Persona{User: markerUser}}
	err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		got, err := s.client.send(ctx, ask)
		return got.Schema == uid, err
	})
	if err != nil {
		return fmt.Errorf("wait for the API server to use the schemas: %w", err)
	}
	return nil
}

// list reads what the API server has.
func (s *session) list(ctx context.Context, in *Installed) error {
	in.Schemas, in.Levels = map[string]*flowcontrolv1.FlowSchema{}, map[string]*flowcontrolv1.PriorityLevelConfiguration{}
	schemas, err := s.api.FlowSchemas().List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list schemas: %w", err)
	}
	for i := range schemas.Items {
		in.Schemas[schemas.Items[i].Name] = &schemas.Items[i]
	}
	levels, err := s.api.PriorityLevelConfigurations().List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list priority levels: %w", err)
	}
	for i := range levels.Items {
		in.Levels[levels.Items[i].Name] = &levels.Items[i]
	}
	return nil
}

// took reports whether the API server named a schema that is stored.
func (in *Installed) took(got answer, name string) bool {
	s := in.Schemas[name]
	return s != nil && got.Classified && string(s.UID) == got.Schema
}

// isMarked reports whether a schema came with the set, and is none of the server's own.
func (in *Installed) isMarked(name string) bool {
	s := in.Schemas[name]
	if s == nil {
		return false
	}
	_, is := s.Labels[marked]
	return is
}

// stillThere reports whether the API server still has what was installed: it looks every minute whether its own schemas
// are there.
func (s *session) stillThere(ctx context.Context, in *Installed) (bool, error) {
	var now Installed
	if err := s.list(ctx, &now); err != nil {
		return false, err
	}
	if len(now.Schemas) != len(in.Schemas) || len(now.Levels) != len(in.Levels) {
		return false, nil
	}
	for name, before := range in.Schemas {
		if s := now.Schemas[name]; s == nil || s.UID != before.UID || s.Generation != before.Generation {
			return false, nil
		}
	}
	for name, before := range in.Levels {
		if l := now.Levels[name]; l == nil || l.UID != before.UID || l.Generation != before.Generation {
			return false, nil
		}
	}
	return true, nil
}

// unlike says in what a snapshot is not what the API server has.
func (in *Installed) unlike(snapshot *cluster.Snapshot) error {
	if len(snapshot.About.Syncing) > 0 || snapshot.About.Stale != "" {
		return fmt.Errorf("syncing %v, stale: %s", snapshot.About.Syncing, snapshot.About.Stale)
	}
	order := flow.OrderOf(snapshot.Policies.Policies())
	if order == nil {
		return errors.New("it has no order of schemas")
	}
	stored := 0
	for _, schema := range order.Schemas {
		if schema.Imagined {
			continue
		}
		stored++
		has := in.Schemas[schema.Name]
		if has == nil || has.UID != schema.UID || has.Generation != schema.Generation {
			return fmt.Errorf("it has an old schema %s", schema.Name)
		}
		level := in.Levels[schema.Spec.PriorityLevelConfiguration.Name]
		if (level == nil) != (schema.Level == nil) || level != nil && level.UID != schema.Level.UID {
			return fmt.Errorf("it has another priority level of schema %s", schema.Name)
		}
	}
	if stored != len(in.Schemas) {
		return fmt.Errorf("it has %d schemas, the API server %d", stored, len(in.Schemas))
	}
	return nil
}
