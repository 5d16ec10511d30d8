package apiserver

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/keyutil"
)

// credentials are the files that the server needs to know its administrator and to sign service account tokens.
type credentials struct {
	adminToken        string
	tokenFile         string
	serviceAccountKey string
}

// newCredentials writes fresh credentials below dir. The administrator is in system:masters, which RBAC never refuses.
func newCredentials(dir string) (credentials, error) {
	c := credentials{
		adminToken:        rand.Text(),
		tokenFile:         filepath.Join(dir, "tokens.csv"),
		serviceAccountKey: filepath.Join(dir, "service-account.key"),
	}
	line := fmt.Sprintf("%s,admin,admin,system:masters\n", c.adminToken)
	if err := os.WriteFile(c.tokenFile, []byte(line), 0o600); err != nil {
		return credentials{}, fmt.Errorf("write token file: %w", err)
	}
	key, err := keyutil.MakeEllipticPrivateKeyPEM()
	if err != nil {
		return credentials{}, fmt.Errorf("make service account key: %w", err)
	}
	if err := os.WriteFile(c.serviceAccountKey, key, 0o600); err != nil {
		return credentials{}, fmt.Errorf("write service account key: %w", err)
	}
	return c, nil
}

// WriteKubeconfig writes a kubeconfig of the administrator to path.
func (s *Server) WriteKubeconfig(path string) error {
	const name = "conformance"
	config := clientcmdapi.NewConfig()
	config.Clusters[name] = &clientcmdapi.Cluster{Server: s.Config.Host, CertificateAuthorityData: s.Config.CAData}
	config.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: s.Config.BearerToken}
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	config.CurrentContext = name
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		return fmt.Errorf("write kubeconfig: %w", err)
	}
	return nil
}

// adminConfig is the client configuration of the administrator. The client-side rate limit is off: a conformance
// run sends thousands of requests to a server of its own.
func adminConfig(host string, ca []byte, token string) *rest.Config {
	return &rest.Config{
		Host:            host,
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{CAData: ca},
		QPS:             -1,
	}
}
