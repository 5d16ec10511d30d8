package flow

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
	authorizationv1 "k8s.io/api/authorization/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/flow/generate"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/seed"
	"github.com/ambit-k8s/ambit/scope"
)

// caseFile is a question with a known answer, as scope/testdata/cases/README.md describes it. The server's own schemas
// are there as far as the case says so.
type caseFile struct {
	name    string
	set     *generate.Set
	request authorizationv1.SubjectAccessReviewSpec
	want    []wanted
}

// wanted is one expected verdict.
type wanted struct {
	Name      string          `json:"name"`
	Outcome   scope.Outcome   `json:"outcome"`
	DecidedBy scope.LayerName `json:"decidedBy"`
}

// readCase reads a case; the result is nil if it is not about flow control.
func readCase(path string) (*caseFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read case: %w", err)
	}
	if !strings.Contains(string(text), "kind: FlowSchema") {
		return nil, nil
	}
	c := &caseFile{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), set: &generate.Set{Without: suggested()}}
	for _, file := range txtar.Parse(text).Files {
		switch file.Name {
		case "cluster.yaml":
			err = c.readCluster(file.Data)
		case "request.yaml":
			var review authorizationv1.SubjectAccessReview
			err = yaml.Unmarshal(file.Data, &review)
			c.request = review.Spec
		case "want.yaml":
			err = yaml.Unmarshal(file.Data, &c.want)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", c.name, file.Name, err)
		}
	}
	return c, nil
}

// suggested are the names of the server's own schemas that it does not insist on.
func suggested() []string {
	var names []string
	for _, own := range bootstrap.SuggestedFlowSchemas {
		names = append(names, own.Name)
	}
	return names
}

func (c *caseFile) readCluster(text []byte) error {
	objects, err := seed.Documents(text)
	if err != nil {
		return err
	}
	for _, u := range objects {
		switch u.GetKind() {
		case "FlowSchema":
			s, err := typed[flowcontrolv1.FlowSchema](u)
			if err != nil {
				return err
			}
			c.set.Schemas = append(c.set.Schemas, s)
			c.set.Without = append(c.set.Without, s.Name)
		case "PriorityLevelConfiguration":
			l, err := typed[flowcontrolv1.PriorityLevelConfiguration](u)
			if err != nil {
				return err
			}
			c.set.Levels = append(c.set.Levels, l)
		default:
			return fmt.Errorf("a case about flow control has a %s", u.GetKind())
		}
	}
	return nil
}

func typed[T any](u *unstructured.Unstructured) (*T, error) {
	object := new(T)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, object); err != nil {
		return nil, fmt.Errorf("%s %s: %w", u.GetKind(), u.GetName(), err)
	}
	return object, nil
}

// alone returns a set in which one schema of the case stands before catch-all, with a priority level that is there. With
// everything set, its rules cover every request of their subjects.
func (c *caseFile) alone(name string, everything bool) *generate.Set {
	set := c.set.DeepCopy()
	var only []*flowcontrolv1.FlowSchema
	for _, s := range set.Schemas {
		if s.Name != name {
			continue
		}
		only = append(only, s)
		s.Spec.PriorityLevelConfiguration.Name = bootstrap.MandatoryPriorityLevelConfigurationCatchAll.Name
		for i := range s.Spec.Rules {
			if everything {
				s.Spec.Rules[i].ResourceRules = bootstrap.MandatoryFlowSchemaCatchAll.Spec.Rules[0].ResourceRules
				s.Spec.Rules[i].NonResourceRules = bootstrap.MandatoryFlowSchemaCatchAll.Spec.Rules[0].NonResourceRules
			}
		}
	}
	set.Schemas = only
	return set
}
