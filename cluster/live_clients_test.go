package cluster

import (
	"errors"
	"testing"

	"k8s.io/cli-runtime/pkg/genericclioptions"
)

const kubeconfig = `
-- kubeconfig --
apiVersion: v1
kind: Config
current-context: staging-eu
contexts:
- {name: staging-eu, context: {cluster: c, user: u}}
- {name: prod-eu, context: {cluster: c, user: u}}
clusters:
- {name: c, cluster: {server: "https://example.invalid"}}
users:
- {name: u, user: {token: t}}
`

func TestClients(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	t.Setenv("KUBERNETES_MASTER", "")
	unpack(t, kubeconfig)
	file, other, server := "kubeconfig", "prod-eu", "https://other.invalid"
	for _, tc := range []struct {
		name   string
		env    string
		change func(*genericclioptions.ConfigFlags)
		want   string
		err    error
	}{
		{name: "current context", change: func(f *genericclioptions.ConfigFlags) { f.KubeConfig = &file }, want: "cluster staging-eu"},
		{name: "KUBECONFIG", env: "kubeconfig", change: func(f *genericclioptions.ConfigFlags) {}, want: "cluster staging-eu"},
		{name: "other context", change: func(f *genericclioptions.ConfigFlags) { f.KubeConfig, f.Context = &file, &other }, want: "cluster prod-eu"},
		{name: "server", env: "nowhere", change: func(f *genericclioptions.ConfigFlags) { f.APIServer = &server }, want: "the cluster at https://other.invalid"},
		{name: "none", env: "nowhere", change: func(f *genericclioptions.ConfigFlags) {}, err: ErrNoCluster},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv("KUBECONFIG", tc.env)
			flags := genericclioptions.NewConfigFlags(false)
			tc.change(flags)
			c, err := newClients(flags)
			if !errors.Is(err, tc.err) {
				t.Fatalf("error is %v, want %v", err, tc.err)
			}
			if err == nil && c.name != tc.want {
				t.Errorf("name is %q, want %q", c.name, tc.want)
			}
		})
	}
}
