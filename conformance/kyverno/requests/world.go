package requests

import (
	_ "embed"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/seed"
)

//go:embed world.yaml
var manifests string

// configMap has what makes Kyverno allow a request without a look at its policies.
var configMap = map[string]string{
	"webhooks":         `{"namespaceSelector":{"matchExpressions":[{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["kyverno"]}]}}`,
	"resourceFilters":  `[*/*,kyverno,*][Service,team-c,*][ConfigMap,*,base-filtered][ReplicaSet,*,*][Namespace,default,*]`,
	"excludeUsernames": "bob,!admin",
	"excludeGroups":    "system:nodes,skipped-*",
}

// overwriting is a ConfigMap whose labels take the place of those that policies ask of namespaces.
var overwriting = map[string]string{
	"webhooks":      `{"namespaceSelector":{"matchLabels":{"env":"dev"}},"objectSelector":{"matchExpressions":[{"key":"team","operator":"NotIn","values":["y"]}]}}`,
	"excludeGroups": "developers,!nobody",
}

// round is a time with the same policies and ConfigMap.
type round struct {
	name string
	// ending makes the names of policies differ from those of other rounds.
	ending    string
	deny      bool
	configMap map[string]string
}

var rounds = []round{
	{"warn", "-w", false, configMap},
	{"deny", "-d", true, configMap},
	{"overwritten", "-o", false, overwriting},
}

// policies are those of the world; they warn, or they deny. The names of one round must not be those of another, so they
// have an ending.
func policies(deny bool, ending string) ([]*unstructured.Unstructured, error) {
	action, emit, failure := "Warn", "true", "Audit"
	if deny {
		action, emit, failure = "Deny", "false", "Enforce"
	}
	text := strings.NewReplacer("[ACTION]", "["+action+"]", "EMIT", emit, "FAILURE", failure).Replace(manifests)
	all, err := seed.Documents([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("read world: %w", err)
	}
	for _, p := range all {
		p.SetName(p.GetName() + ending)
		refs, _, _ := unstructured.NestedSlice(p.Object, "spec", "policyRefs")
		for _, r := range refs {
			r := r.(map[string]any)
			r["name"] = r["name"].(string) + ending
		}
		if refs != nil {
			if err := unstructured.SetNestedSlice(p.Object, refs, "spec", "policyRefs"); err != nil {
				return nil, fmt.Errorf("name exception: %w", err)
			}
		}
	}
	return all, nil
}
