package apiserver

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func TestServer(t *testing.T) {
	dir := t.TempDir()
	server, err := Start(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})

	t.Run("kubeconfig is of an administrator", func(t *testing.T) {
		path := filepath.Join(dir, "kubeconfig")
		if err := server.WriteKubeconfig(path); err != nil {
			t.Fatal(err)
		}
		config, err := clientcmd.BuildConfigFromFlags("", path)
		if err != nil {
			t.Fatal(err)
		}
		review, err := kubernetes.NewForConfigOrDie(config).AuthenticationV1().SelfSubjectReviews().
			Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"system:masters", "system:authenticated"}
		if diff := cmp.Diff(want, review.Status.UserInfo.Groups); diff != "" {
			t.Errorf("groups (-want +got):\n%s", diff)
		}
	})

	t.Run("registrations are in order", func(t *testing.T) {
		var versions []string
		for _, r := range server.Registrations() {
			if r.Resource.GroupResource() == (schema.GroupResource{Group: "autoscaling", Resource: "horizontalpodautoscalers"}) && r.Subresource == "" {
				versions = append(versions, r.Resource.Version)
			}
		}
		if diff := cmp.Diff([]string{"v2", "v1"}, versions); diff != "" {
			t.Errorf("versions (-want +got):\n%s", diff)
		}
	})

	t.Run("events have equivalents", func(t *testing.T) {
		core := schema.GroupVersionResource{Version: "v1", Resource: "events"}
		want := []schema.GroupVersionResource{core, {Group: "events.k8s.io", Version: "v1", Resource: "events"}}
		if diff := cmp.Diff(want, server.Equivalents(core)); diff != "" {
			t.Errorf("equivalents (-want +got):\n%s", diff)
		}
	})

	t.Run("the log is in a file", func(t *testing.T) {
		if info, err := os.Stat(filepath.Join(dir, "apiserver.log")); err != nil || info.Size() == 0 {
			t.Errorf("log: %v, %v", info, err)
		}
	})
}

// A second server in the same process works once the first has stopped.
func TestServerStartsAgain(t *testing.T) {
	for range 2 {
		server, err := Start(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if err := server.Stop(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBadFlag(t *testing.T) {
	if _, err := Start(t.Context(), t.TempDir(), "--no-such-flag"); err == nil {
		t.Error("started with a flag that does not exist")
	}
}
