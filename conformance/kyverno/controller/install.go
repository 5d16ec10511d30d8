package controller

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/seed"
)

// Namespace is the one that Kyverno lives in.
const Namespace = "kyverno"

// furniture is what the controller does not start without. It runs outside of the cluster, so the Deployment has no pod;
// the ClusterRole is what the controller makes the owner of its webhook configurations. Policies are refused for
// which the controllers have no rights, also the background controller, which does not run.
const furniture = `
apiVersion: v1
kind: Namespace
metadata: {name: kyverno}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: kyverno, namespace: kyverno}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: kyverno-metrics, namespace: kyverno}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: kyverno-admission-controller, namespace: kyverno}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: kyverno:controllers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects:
- {kind: ServiceAccount, name: kyverno-background-controller, namespace: kyverno}
- {kind: ServiceAccount, name: kyverno-admission-controller, namespace: kyverno}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: kyverno-admission-controller, namespace: kyverno}
spec:
  selector: {matchLabels: {app: kyverno}}
  template:
    metadata: {labels: {app: kyverno}}
    spec: {containers: [{name: kyverno, image: kyverno.invalid/kyverno}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: kyverno:webhook
  labels: {app.kubernetes.io/component: kyverno}
`

// install puts Kyverno's kinds and the furniture into the cluster.
func (c *Cluster) install(ctx context.Context) error {
	objects, err := Definitions(ctx)
	if err != nil {
		return err
	}
	others, err := seed.Documents([]byte(furniture))
	if err != nil {
		return fmt.Errorf("read what the controller needs: %w", err)
	}
	return seed.Apply(ctx, c.Config, append(objects, others...))
}

// Definitions returns the CustomResourceDefinitions of Kyverno's kinds, from its source.
func Definitions(ctx context.Context) ([]*unstructured.Unstructured, error) {
	root, err := source(ctx)
	if err != nil {
		return nil, fmt.Errorf("find Kyverno's source: %w", err)
	}
	var definitions []*unstructured.Unstructured
	err = filepath.WalkDir(filepath.Join(root, "config", "crds"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read, err := seed.Documents(text)
		definitions = append(definitions, read...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read Kyverno's kinds: %w", err)
	}
	return definitions, nil
}
