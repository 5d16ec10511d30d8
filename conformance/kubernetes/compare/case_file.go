package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
	admissionv1 "k8s.io/api/admission/v1"
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/seed"
	"github.com/ambit-k8s/ambit/scope"
)

// caseFile is a question with a known answer, as scope/testdata/cases/README.md describes it.
type caseFile struct {
	name     string
	policies *oracle.Policies
	// objects are what else is in the cluster.
	objects []*unstructured.Unstructured
	request *admissionv1.AdmissionRequest
	want    []wanted
}

// wanted is one expected verdict.
type wanted struct {
	Kind    string        `json:"kind"`
	Name    string        `json:"name"`
	Entry   string        `json:"entry"`
	Outcome scope.Outcome `json:"outcome"`
	Effect  scope.Effect  `json:"effect"`
}

// readCase reads a case; the result is nil if it is not about admission.
func readCase(path string) (*caseFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read case: %w", err)
	}
	if strings.Contains(string(text), "kind: SubjectAccessReview") || strings.Contains(string(text), "kyverno.io/") {
		return nil, nil
	}
	c := &caseFile{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), policies: &oracle.Policies{}}
	for _, file := range txtar.Parse(text).Files {
		switch file.Name {
		case "cluster.yaml":
			err = c.readCluster(file.Data)
		case "request.yaml":
			var review admissionv1.AdmissionReview
			err = yaml.Unmarshal(file.Data, &review)
			c.request = review.Request
		case "want.yaml":
			err = yaml.Unmarshal(file.Data, &c.want)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", c.name, file.Name, err)
		}
	}
	return c, nil
}

func (c *caseFile) readCluster(text []byte) error {
	objects, err := seed.Documents(text)
	if err != nil {
		return err
	}
	p := c.policies
	for _, u := range objects {
		switch u.GetKind() {
		case "ValidatingWebhookConfiguration":
			err = convert(u, &p.ValidatingWebhooks, new(v1.ValidatingWebhookConfiguration))
		case "MutatingWebhookConfiguration":
			err = convert(u, &p.MutatingWebhooks, new(v1.MutatingWebhookConfiguration))
		case "ValidatingAdmissionPolicy":
			err = convert(u, &p.ValidatingPolicies, new(v1.ValidatingAdmissionPolicy))
		case "ValidatingAdmissionPolicyBinding":
			err = convert(u, &p.ValidatingBindings, new(v1.ValidatingAdmissionPolicyBinding))
		case "MutatingAdmissionPolicy":
			err = convert(u, &p.MutatingPolicies, new(v1.MutatingAdmissionPolicy))
		case "MutatingAdmissionPolicyBinding":
			err = convert(u, &p.MutatingBindings, new(v1.MutatingAdmissionPolicyBinding))
		default:
			c.objects = append(c.objects, u)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func convert[T any](u *unstructured.Unstructured, to *[]T, object T) error {
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, object); err != nil {
		return fmt.Errorf("%s %s: %w", u.GetKind(), u.GetName(), err)
	}
	*to = append(*to, object)
	return nil
}

// visible returns the policies in a form in which it can be seen what becomes of them: validating policies warn that
// they were evaluated, mutating ones mark the object.
func (c *caseFile) visible() *oracle.Policies {
	p := c.policies.DeepCopy()
	for _, v := range p.ValidatingPolicies {
		v.Spec.Validations, v.Spec.AuditAnnotations = oracle.AlwaysFails(), nil
	}
	for _, b := range p.ValidatingBindings {
		b.Spec.ValidationActions = []v1.ValidationAction{v1.Warn}
	}
	for _, m := range p.MutatingPolicies {
		m.Spec.Mutations = oracle.Marks(m.Name)
	}
	return p
}

// refusing returns one policy in a form in which an error refuses the request: under Fail, if strict is set, and with
// bindings that deny, but with validations that hold.
func (c *caseFile) refusing(w wanted, strict bool) *oracle.Policies {
	p := c.policies.Single(w.Kind, w.Name, w.Entry)
	fail := func(f **v1.FailurePolicyType) {
		if strict {
			always := v1.Fail
			*f = &always
		}
	}
	for _, v := range p.ValidatingPolicies {
		v.Spec.Validations, v.Spec.AuditAnnotations = []v1.Validation{{Expression: "true"}}, nil
		fail(&v.Spec.FailurePolicy)
	}
	for _, b := range p.ValidatingBindings {
		if strict {
			b.Spec.ValidationActions = []v1.ValidationAction{v1.Deny}
		}
	}
	for _, m := range p.MutatingPolicies {
		m.Spec.Mutations = oracle.Marks(m.Name)
		fail(&m.Spec.FailurePolicy)
	}
	for _, w := range p.ValidatingWebhooks {
		fail(&w.Webhooks[0].FailurePolicy)
	}
	for _, w := range p.MutatingWebhooks {
		fail(&w.Webhooks[0].FailurePolicy)
	}
	return p
}
