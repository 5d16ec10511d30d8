package apiserver

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// waitReady waits until the server says that it is ready and the namespace default exists, which a post-start hook
// creates a little later.
func (s *Server) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	client, err := kubernetes.NewForConfig(s.Config)
	if err != nil {
		return fmt.Errorf("make client: %w", err)
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		_, err := client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		if err == nil {
			_, err = client.CoreV1().Namespaces().Get(ctx, metav1.NamespaceDefault, metav1.GetOptions{})
		}
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case ended := <-s.done:
			return fmt.Errorf("server ended before it was ready: %w", ended)
		case <-ctx.Done():
			return fmt.Errorf("server is not ready: %w", err)
		}
	}
}
