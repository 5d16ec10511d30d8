package defaulting

import (
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/apiserver"
	"github.com/ambit-k8s/ambit/scope/builtin"
)

// otherPlugins are the admission plugins that come before webhooks and change or refuse objects. Without them, a
// mutating webhook is the first to see an object after the server filled in its defaults.
const otherPlugins = "NamespaceLifecycle,ServiceAccount,DefaultTolerationSeconds,Priority,LimitRanger," +
	"RuntimeClass,DefaultStorageClass,DefaultIngressClass,StorageObjectInUseProtection,TaintNodesByCondition," +
	"PodSecurity,CertificateApproval,CertificateSigning,CertificateSubjectRestriction,NodeRestriction"

// What a real server sends to a mutating webhook is what Default makes of the object that it was asked to create. This
// is what Serve, and with it the whole table, stands on.
func TestDefaultIsWhatWebhooksSee(t *testing.T) {
	documents := readCorpus(t)
	server, err := apiserver.Start(t.Context(), t.TempDir(), "--disable-admission-plugins="+otherPlugins)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	hook := startWebhook(t)
	hook.register(t, kubernetes.NewForConfigOrDie(server.Config))
	client := dynamic.NewForConfigOrDie(server.Config)

	seen, unseen := 0, map[string]int{}
	for _, d := range documents {
		got, refused := hook.create(t, client, d)
		if got == nil {
			unseen[refused]++
			continue
		}
		seen++
		if !builtin.Default(d.kind, d.fields) {
			t.Fatalf("the table of defaults does not know %v", d.kind)
		}
		object, err := decodeFields(d.kind, d.fields)
		if err != nil {
			t.Fatal(err)
		}
		want, err := View(object)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, want, ignoreClock); diff != "" {
			t.Errorf("%v %v (-webhook +Ambit):\n%s", d.kind, d.fields["metadata"], diff)
		}
	}
	t.Logf("%d objects seen by the webhook; not seen: %v", seen, unseen)
}

// apiserverUser is who the API server's own controllers write as (k8s.io/apiserver/pkg/authentication/user).
const apiserverUser = user.APIServerUser

// webhook remembers the object of the last review.
type webhook struct {
	server *httptest.Server
	mu     sync.Mutex
	last   []byte
}

func startWebhook(t *testing.T) *webhook {
	w := &webhook{}
	w.server = httptest.NewTLSServer(w)
	t.Cleanup(w.server.Close)
	return w
}

// ServeHTTP implements http.Handler: it allows everything.
func (w *webhook) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	var review admissionv1.AdmissionReview
	body, err := io.ReadAll(request.Body)
	if err == nil {
		err = json.Unmarshal(body, &review)
	}
	if err != nil || review.Request == nil {
		http.Error(response, "this is no AdmissionReview", http.StatusBadRequest)
		return
	}
	if review.Request.UserInfo.Username != apiserverUser { // It writes objects of its own at any time.
		w.mu.Lock()
		w.last = review.Request.Object.Raw
		w.mu.Unlock()
	}
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	review.Request = nil
	response.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(response).Encode(review); err != nil {
		panic(http.ErrAbortHandler) // The server went away.
	}
}

// register makes the server ask the webhook about the creation of everything.
func (w *webhook) register(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	none, ignore, exact := admissionregistrationv1.SideEffectClassNone, admissionregistrationv1.Ignore, admissionregistrationv1.Exact
	hook := admissionregistrationv1.MutatingWebhook{
		Name:                    "recorder.ambit.invalid",
		AdmissionReviewVersions: []string{"v1"},
		SideEffects:             &none,
		FailurePolicy:           &ignore,
		MatchPolicy:             &exact,
		ClientConfig: admissionregistrationv1.WebhookClientConfig{
			URL:      &w.server.URL,
			CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.server.Certificate().Raw}),
		},
		Rules: []admissionregistrationv1.RuleWithOperations{{
			Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
			Rule:       admissionregistrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*"}},
		}},
	}
	configuration := &admissionregistrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "recorder"},
		Webhooks:   []admissionregistrationv1.MutatingWebhook{hook},
	}
	_, err := client.AdmissionregistrationV1().MutatingWebhookConfigurations().Create(t.Context(), configuration, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// create asks for a dry run and returns what the webhook saw, or why it saw nothing.
func (w *webhook) create(t *testing.T, client dynamic.Interface, d document) (seen map[string]any, refused string) {
	t.Helper()
	resource, namespaced := resourceOf(d.kind)
	if resource.Empty() {
		return nil, "no resource of kind " + d.kind.Kind
	}
	object := &unstructured.Unstructured{Object: d.fields}
	var target dynamic.ResourceInterface = client.Resource(resource)
	if namespaced {
		if object.GetNamespace() == "" {
			object.SetNamespace(metav1.NamespaceDefault)
		}
		target = client.Resource(resource).Namespace(object.GetNamespace())
	}
	w.mu.Lock()
	w.last = nil
	w.mu.Unlock()
	_, err := target.Create(t.Context(), object.DeepCopy(), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	wipe(object, namespaced)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last == nil {
		if err != nil {
			return nil, err.Error()
		}
		return nil, d.kind.Kind
	}
	if err := utiljson.Unmarshal(w.last, &seen); err != nil {
		t.Fatal(err)
	}
	// The server notes who set which field before it asks webhooks.
	delete(seen["metadata"].(map[string]any), "managedFields")
	return seen, ""
}

// wipe removes what nobody may set in a new object, as the server does before it asks webhooks
// (k8s.io/apiserver/pkg/registry/rest, WipeObjectMetaSystemFields and EnsureObjectNamespaceMatchesRequestNamespace).
func wipe(object *unstructured.Unstructured, namespaced bool) {
	for _, field := range []string{"creationTimestamp", "uid", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"} {
		unstructured.RemoveNestedField(object.Object, "metadata", field)
	}
	if !namespaced {
		object.SetNamespace("")
	}
}

// resourceOf finds the resource whose objects are of a kind.
func resourceOf(kind schema.GroupVersionKind) (_ schema.GroupVersionResource, namespaced bool) {
	for _, r := range builtin.Resources() {
		if r.Kind == kind && r.Subresource == "" {
			return kind.GroupVersion().WithResource(r.Resource), r.Namespaced
		}
	}
	return schema.GroupVersionResource{}, false
}
