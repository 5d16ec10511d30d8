package fill

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/apiserver"
)

// readerVariable makes a process of this binary the one that reads.
const readerVariable = "AMBIT_FILL_KUBECONFIG"

func TestMain(m *testing.M) {
	kubeconfig := os.Getenv(readerVariable)
	if kubeconfig == "" {
		os.Exit(m.Run())
	}
	r, err := read(context.Background(), kubeconfig)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// readApart reads the cluster in a process of its own.
func readApart(t testing.TB, kubeconfig string) reading {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), readerVariable+"="+kubeconfig)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var r reading
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// BenchmarkFill measures the population against bare lists: of metadata alone, and with a policy whose match condition
// looks into every Pod.
func BenchmarkFill(b *testing.B) {
	const objects = 20_000
	dir := b.TempDir()
	server, err := apiserver.Start(b.Context(), dir)
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := server.Stop(); err != nil {
			b.Error(err)
		}
	}()
	kubeconfig := filepath.Join(dir, "reader")
	if err := server.WriteKubeconfig(kubeconfig); err != nil {
		b.Fatal(err)
	}
	if err := put(b.Context(), server.Config, objects); err != nil {
		b.Fatal(err)
	}
	measure := func(b *testing.B) {
		for b.Loop() {
			r := readApart(b, kubeconfig)
			if r.Objects < objects {
				b.Fatalf("%d objects, want at least %d", r.Objects, objects)
			}
			b.ReportMetric(float64(r.Bare.Milliseconds()), "ms/bare")
			b.ReportMetric(float64(r.Filled.Milliseconds()), "ms/filled")
			b.ReportMetric(r.Filled.Seconds()/r.Bare.Seconds(), "filled/bare")
			b.ReportMetric(float64(r.Heap)/float64(r.Objects), "B/object")
		}
	}
	b.Run("metadata", measure)
	looksIntoPods(b, server)
	b.Run("whole pods", measure)
}

// looksIntoPods adds a policy for which the content of Pods has to be read.
func looksIntoPods(b *testing.B, server *apiserver.Server) {
	b.Helper()
	url, effects := "https://guard.example.com", admissionregistrationv1.SideEffectClassNone
	hook := &admissionregistrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "guard"},
		Webhooks: []admissionregistrationv1.ValidatingWebhook{{
			Name: "guard.example.com", AdmissionReviewVersions: []string{"v1"}, SideEffects: &effects,
			ClientConfig: admissionregistrationv1.WebhookClientConfig{URL: &url},
			Rules: []admissionregistrationv1.RuleWithOperations{{
				Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
				Rule:       admissionregistrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
			}},
			MatchConditions: []admissionregistrationv1.MatchCondition{{Name: "privileged", Expression: "object.spec.containers.exists(c, has(c.securityContext))"}},
		}},
	}
	client, err := kubernetes.NewForConfig(server.Config)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Create(b.Context(), hook, metav1.CreateOptions{}); err != nil {
		b.Fatal(err)
	}
}
