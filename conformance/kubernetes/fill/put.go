package fill

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// How the objects are spread.
const (
	namespaces = 100
	writers    = 8
)

// put creates objects: six Pods in ten, the rest ConfigMaps and Secrets, with the labels and the annotations that a
// deployment gives them.
func put(ctx context.Context, config *rest.Config, objects int) error {
	config = rest.CopyConfig(config)
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	for i := range namespaces {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace(i), Labels: map[string]string{"team": fmt.Sprint(i % 10)}}}
		if _, err := client.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	errs := make(chan error, writers)
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := w; i < objects; i += writers {
				if err := putOne(ctx, client, i); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	all.Wait()
	close(errs)
	return <-errs
}

func namespace(i int) string { return fmt.Sprintf("team-%03d", i%namespaces) }

// putOne creates one object.
func putOne(ctx context.Context, client kubernetes.Interface, i int) error {
	m := metav1.ObjectMeta{
		Namespace: namespace(i), Name: fmt.Sprintf("app-%d-6d4cf56db6-%05d", i%500, i),
		Labels:      map[string]string{"app.kubernetes.io/name": fmt.Sprintf("app-%d", i%500), "app.kubernetes.io/part-of": fmt.Sprint(i % 7), "pod-template-hash": fmt.Sprintf("%x", i%2000)},
		Annotations: map[string]string{"checksum/config": fmt.Sprintf("%064x", i), "prometheus.io/scrape": "true"},
	}
	var err error
	switch i % 10 {
	case 0, 1, 2:
		_, err = client.CoreV1().ConfigMaps(m.Namespace).Create(ctx, &corev1.ConfigMap{ObjectMeta: m, Data: map[string]string{"config.yaml": fmt.Sprintf("%0512d", i)}}, metav1.CreateOptions{})
	case 3:
		_, err = client.CoreV1().Secrets(m.Namespace).Create(ctx, &corev1.Secret{ObjectMeta: m, StringData: map[string]string{"token": fmt.Sprintf("%064d", i)}}, metav1.CreateOptions{})
	default:
		_, err = client.CoreV1().Pods(m.Namespace).Create(ctx, pod(m, i), metav1.CreateOptions{})
	}
	return err
}

// pod is a Pod of two containers.
func pod(m metav1.ObjectMeta, i int) *corev1.Pod {
	container := func(name string) corev1.Container {
		return corev1.Container{
			Name: name, Image: "registry.example.com/" + name + ":1.0", Args: []string{"--verbose", "--listen=:8080"},
			Env:   []corev1.EnvVar{{Name: "INDEX", Value: fmt.Sprint(i)}, {Name: "REGION", Value: "eu"}},
			Ports: []corev1.ContainerPort{{ContainerPort: 8080}},
		}
	}
	return &corev1.Pod{ObjectMeta: m, Spec: corev1.PodSpec{Containers: []corev1.Container{container("web"), container("proxy")}}}
}
