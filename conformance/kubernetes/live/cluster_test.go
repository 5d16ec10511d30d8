package live

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/apiserver"
	"github.com/ambit-k8s/ambit/scope"
)

// world is a real API server, the way to it, and a client that does what people do to a cluster.
type world struct {
	server     *apiserver.Server
	proxy      *proxy
	client     dynamic.Interface
	kubeconfig string
}

// start starts an API server behind a proxy.
func start(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	server, err := apiserver.Start(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	host, err := url.Parse(server.Config.Host)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{server: server, proxy: newProxy(t, host.Host), client: dynamic.NewForConfigOrDie(server.Config), kubeconfig: filepath.Join(dir, "behind-proxy")}
	config := clientcmdapi.NewConfig()
	config.Clusters["c"] = &clientcmdapi.Cluster{Server: "https://" + w.proxy.address, CertificateAuthorityData: server.Config.CAData}
	config.AuthInfos["u"] = &clientcmdapi.AuthInfo{Token: server.Config.BearerToken}
	config.Contexts["real"] = &clientcmdapi.Context{Cluster: "c", AuthInfo: "u"}
	config.CurrentContext = "real"
	if err := clientcmd.WriteToFile(*config, w.kubeconfig); err != nil {
		t.Fatal(err)
	}
	return w
}

// getter leads to the server through the proxy, as the administrator or as somebody else.
func (w *world) getter(as string) genericclioptions.RESTClientGetter {
	flags := genericclioptions.NewConfigFlags(false)
	flags.KubeConfig = &w.kubeconfig
	flags.Impersonate = &as
	return flags
}

// watch follows the server until the test ends.
func (w *world) watch(t *testing.T, as string, options ...cluster.LiveOption) cluster.Source {
	t.Helper()
	source, err := cluster.WatchLive(t.Context(), w.getter(as), options...)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// each calls do with every object of a manifest. The plurals of the kinds in these tests are regular.
func (w *world) each(t *testing.T, manifest string, do func(dynamic.ResourceInterface, *unstructured.Unstructured) error) {
	t.Helper()
	for _, text := range strings.Split(manifest, "\n---\n") {
		u := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(text), &u.Object); err != nil {
			t.Fatal(err)
		}
		plural := strings.ToLower(u.GetKind()) + "s"
		if stem, ok := strings.CutSuffix(plural, "ys"); ok {
			plural = stem + "ies"
		}
		gvr := u.GroupVersionKind().GroupVersion().WithResource(plural)
		if err := do(w.client.Resource(gvr).Namespace(u.GetNamespace()), u); err != nil {
			t.Fatal(err)
		}
	}
}

// apply creates or changes objects. A custom resource has to wait until its definition is served.
func (w *world) apply(t *testing.T, manifest string) {
	t.Helper()
	w.each(t, manifest, func(r dynamic.ResourceInterface, u *unstructured.Unstructured) error {
		var err error
		for range 100 {
			if _, err = r.Apply(t.Context(), u.GetName(), u, metav1.ApplyOptions{FieldManager: "test", Force: true}); err == nil {
				return nil
			}
			time.Sleep(100 * time.Millisecond)
		}
		return err
	})
}

func (w *world) delete(t *testing.T, manifest string) {
	t.Helper()
	w.each(t, manifest, func(r dynamic.ResourceInterface, u *unstructured.Unstructured) error {
		return r.Delete(t.Context(), u.GetName(), metav1.DeleteOptions{})
	})
}

// eventually waits for a snapshot that is as wanted.
func eventually(t *testing.T, source cluster.Source, what string, wanted func(*cluster.Snapshot) bool) *cluster.Snapshot {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	changes, end := source.Subscribe()
	defer end()
	for {
		s := source.Snapshot()
		if wanted(s) {
			return s
		}
		select {
		case <-changes:
		case <-ctx.Done():
			t.Fatalf("%s: not seen; policies are %q, about is %+v", what, names(s), s.About)
		}
	}
}

// synced says that everything has been read.
func synced(s *cluster.Snapshot) bool { return len(s.About.Syncing) == 0 }

// names returns the IDs of the policies of admission.
func names(s *cluster.Snapshot) string {
	var all []string
	for _, p := range s.Policies.Policies() {
		if p.Phase != scope.FlowControl {
			all = append(all, p.ID())
		}
	}
	return strings.Join(all, " ")
}

var limit = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Limit"}
