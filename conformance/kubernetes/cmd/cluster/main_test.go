package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// start runs the command until the test ends, and holds it to leaving nothing behind.
func start(t *testing.T, empty bool) *kubernetes.Clientset {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, kubeconfig, empty) }()
	t.Cleanup(func() {
		asked := time.Now()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if took := time.Since(asked); took > 20*time.Second {
			t.Errorf("it took %v to end", took)
		}
		if _, err := os.Stat(kubeconfig); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the kubeconfig is still there: %v", err)
		}
		if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
			t.Errorf("the temporary folder holds %v, %v", left, err)
		}
	})
	for {
		if config, err := clientcmd.BuildConfigFromFlags("", kubeconfig); err == nil {
			return kubernetes.NewForConfigOrDie(config)
		}
		select {
		case err := <-ended:
			ended <- nil
			t.Fatalf("ended before there was a kubeconfig: %v", err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// The sample is in the cluster, and what the guide says about writes is true.
func TestSample(t *testing.T) {
	client := start(t, false)
	t.Run("is whole", func(t *testing.T) { whole(t, client) })
	t.Run("owners are found", func(t *testing.T) { owners(t, client) })
	t.Run("policies can be written", func(t *testing.T) { policiesCanBeWritten(t, client) })
	t.Run("namespaces can be relabelled", func(t *testing.T) { namespacesCanBeRelabelled(t, client) })
	t.Run("pods can be written in shop-dev", func(t *testing.T) { pods(t, client) })
}

func whole(t *testing.T, client *kubernetes.Clientset) {
	namespaces, err := client.CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	if err != nil || len(namespaces.Items) != 17 {
		t.Errorf("%d namespaces, error %v", len(namespaces.Items), err)
	}
	validating, err := client.AdmissionregistrationV1().ValidatingWebhookConfigurations().List(t.Context(), metav1.ListOptions{})
	if err != nil || len(validating.Items) != 10 {
		t.Errorf("%d validating webhook configurations, error %v", len(validating.Items), err)
	}
}

// Every ReplicaSet of the sample belongs to a Deployment that is there.
func owners(t *testing.T, client *kubernetes.Clientset) {
	deployments, err := client.AppsV1().Deployments("").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	there := map[types.UID]appsv1.Deployment{}
	for _, d := range deployments.Items {
		there[d.UID] = d
	}
	sets, err := client.AppsV1().ReplicaSets("").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(sets.Items) == 0 {
		t.Fatalf("%d replica sets, error %v", len(sets.Items), err)
	}
	for _, s := range sets.Items {
		for _, r := range s.OwnerReferences {
			if there[r.UID].Name != r.Name {
				t.Errorf("%s/%s belongs to %s, which is not there", s.Namespace, s.Name, r.Name)
			}
		}
	}
}

func policiesCanBeWritten(t *testing.T, client *kubernetes.Clientset) {
	policies := client.AdmissionregistrationV1().ValidatingAdmissionPolicies()
	p := &admissionregistrationv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: "mine"},
		Spec: admissionregistrationv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: &admissionregistrationv1.MatchResources{
				ResourceRules: []admissionregistrationv1.NamedRuleWithOperations{{RuleWithOperations: admissionregistrationv1.RuleWithOperations{
					Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
					Rule:       admissionregistrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
				}}},
			},
			Validations: []admissionregistrationv1.Validation{{Expression: "true"}},
		},
	}
	if _, err := policies.Create(t.Context(), p, metav1.CreateOptions{}); err != nil {
		t.Error(err)
	}
	if err := policies.Delete(t.Context(), "service-exposure", metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
	if err := client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Delete(t.Context(), "tenancy", metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
}

func namespacesCanBeRelabelled(t *testing.T, client *kubernetes.Clientset) {
	for _, name := range []string{"shop-prod", "shop-dev", "kube-system"} {
		patch := []byte(`{"metadata": {"labels": {"mine": "yes"}}}`)
		if _, err := client.CoreV1().Namespaces().Patch(t.Context(), name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			t.Error(err)
		}
	}
}

func pods(t *testing.T, client *kubernetes.Clientset) {
	create := func(namespace string) error {
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "mine"},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "mine", Image: "registry.example.com/mine:1"}}},
		}
		_, err := client.CoreV1().Pods(namespace).Create(t.Context(), pod, metav1.CreateOptions{})
		return err
	}
	if err := create("shop-dev"); err != nil {
		t.Error(err)
	}
	asked := time.Now()
	if err := create("default"); err == nil || !strings.Contains(err.Error(), "no endpoints available") {
		t.Errorf("in default: %v", err)
	}
	if took := time.Since(asked); took > 4*time.Second {
		t.Errorf("the refusal took %v, as long as the timeout of the webhook", took)
	}
}

// An empty cluster is one that nobody has written to. It ends soon although somebody watches it.
func TestEmpty(t *testing.T) {
	client := start(t, true)
	if _, err := client.CoreV1().Namespaces().Watch(context.Background(), metav1.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	namespaces, err := client.CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	if err != nil || len(namespaces.Items) > 4 {
		t.Errorf("%d namespaces, error %v", len(namespaces.Items), err)
	}
	policies, err := client.AdmissionregistrationV1().ValidatingAdmissionPolicies().List(t.Context(), metav1.ListOptions{})
	if err != nil || len(policies.Items) > 0 {
		t.Errorf("%d policies, error %v", len(policies.Items), err)
	}
}
