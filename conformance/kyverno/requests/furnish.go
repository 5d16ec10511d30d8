package requests

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	v1 "k8s.io/api/admissionregistration/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
)

// furnish gives everybody all rights, makes the objects that requests are about, and lets the recorder be asked.
func (w *world) furnish(ctx context.Context) error {
	everybody := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "everybody"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
	}
	for _, user := range []string{"alice", "bob", "carol", "dave"} {
		everybody.Subjects = append(everybody.Subjects, rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: "User", Name: user})
	}
	if _, err := w.Client.RbacV1().ClusterRoleBindings().Create(ctx, everybody, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("give rights: %w", err)
	}
	made := map[string]bool{}
	for _, r := range beforehand() {
		body, err := json.Marshal(r.object())
		if err != nil {
			return fmt.Errorf("write object: %w", err)
		}
		key := r.path() + "/" + r.name
		if made[key] {
			continue
		}
		made[key] = true
		a, err := w.client.Do(ctx, oracle.Call{Method: http.MethodPost, Path: r.path(), Body: body})
		if err == nil && !a.OK() {
			err = fmt.Errorf("make %s: %s", r, a.Message())
		}
		if err != nil {
			return err
		}
	}
	return w.record(ctx)
}

// record lets the recorder be asked first of those that mutate, and among those that validate.
func (w *world) record(ctx context.Context) error {
	none, ignore := v1.SideEffectClassNone, v1.Ignore
	rules := []v1.RuleWithOperations{{Operations: []v1.OperationType{v1.OperationAll}, Rule: v1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}}}}
	meta := metav1.ObjectMeta{Name: "aaa-recorder"}
	webhooks := w.Session.Client.AdmissionregistrationV1()
	_, err := webhooks.MutatingWebhookConfigurations().Create(ctx, &v1.MutatingWebhookConfiguration{ObjectMeta: meta, Webhooks: []v1.MutatingWebhook{{
		Name: "mutating.recorder.invalid", ClientConfig: w.recorder.Client("mutating"), Rules: rules, SideEffects: &none, FailurePolicy: &ignore, AdmissionReviewVersions: []string{"v1"},
	}}}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("install recorder: %w", err)
	}
	_, err = webhooks.ValidatingWebhookConfigurations().Create(ctx, &v1.ValidatingWebhookConfiguration{ObjectMeta: meta, Webhooks: []v1.ValidatingWebhook{{
		Name: "validating.recorder.invalid", ClientConfig: w.recorder.Client("validating"), Rules: rules, SideEffects: &none, FailurePolicy: &ignore, AdmissionReviewVersions: []string{"v1"},
	}}}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("install recorder: %w", err)
	}
	return nil
}
