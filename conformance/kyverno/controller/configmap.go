package controller

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// batch is an annotation that the ConfigMap asks for on the webhook configurations, so that one sees which ConfigMap the
// controller goes by.
const batch = "conformance.ambit.invalid/batch"

// Configure makes the ConfigMap say something else. The keys are Kyverno's; webhookAnnotations is taken.
func (c *Cluster) Configure(ctx context.Context, data map[string]string) error {
	c.batch++
	annotations, err := json.Marshal(map[string]string{batch: strconv.Itoa(c.batch)})
	if err != nil {
		return fmt.Errorf("write annotations: %w", err)
	}
	data = maps.Clone(data)
	if data == nil {
		data = map[string]string{}
	}
	data["webhookAnnotations"] = string(annotations)
	_, err = c.Client.CoreV1().ConfigMaps(Namespace).Update(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "kyverno", Namespace: Namespace}, Data: data,
	}, metav1.UpdateOptions{})
	if err != nil {
		return fmt.Errorf("write ConfigMap: %w", err)
	}
	return nil
}

// ConfigMap reads it back.
func (c *Cluster) ConfigMap(ctx context.Context) (*corev1.ConfigMap, error) {
	return c.Client.CoreV1().ConfigMaps(Namespace).Get(ctx, "kyverno", metav1.GetOptions{})
}
