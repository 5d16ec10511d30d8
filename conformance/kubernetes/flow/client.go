package flow

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"

	authenticationv1 "k8s.io/api/authentication/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/client-go/rest"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/flow/generate"
)

// client sends plain HTTP requests and looks at nothing but the headers of the answers.
type client struct {
	host          *url.URL
	admin, nobody *http.Client
}

func newClient(config *rest.Config) (*client, error) {
	host, err := url.Parse(config.Host)
	if err != nil {
		return nil, fmt.Errorf("read the address of the API server: %w", err)
	}
	c := &client{host: host}
	if c.admin, err = rest.HTTPClientFor(config); err != nil {
		return nil, fmt.Errorf("make HTTP client: %w", err)
	}
	if c.nobody, err = rest.HTTPClientFor(rest.AnonymousClientConfig(config)); err != nil {
		return nil, fmt.Errorf("make HTTP client without credentials: %w", err)
	}
	for _, one := range []*http.Client{c.admin, c.nobody} {
		one.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	return c, nil
}

// answer is how the API server classified a request: by the identifiers of a FlowSchema and of its priority level. Those
// of an object that nobody stored are empty.
type answer struct {
	Code          int
	Classified    bool
	Schema, Level string
}

// most is how much of the body of an answer is read; the rest is of no interest.
const most = 1 << 16

// send sends a request and returns how it was classified.
func (c *client) send(ctx context.Context, call *generate.Call) (answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	target := *c.host
	target.Path, target.RawQuery = call.Path, call.Query.Encode()
	request := (&http.Request{Method: call.Method, URL: &target, Host: target.Host, Header: http.Header{"Accept": {"application/json"}}}).WithContext(ctx)
	if call.ContentType != "" {
		request.Header.Set("Content-Type", call.ContentType)
	}
	by := c.admin
	if call.Who.Nobody {
		by = c.nobody
	}
	impersonate(request.Header, call.Who)
	response, err := by.Do(request)
	if err != nil {
		return answer{}, fmt.Errorf("%s %s: %w", call.Method, call.Path, err)
	}
	defer response.Body.Close()
	if !call.Watches() {
		if _, err := io.CopyN(io.Discard, response.Body, most); err != nil && err != io.EOF {
			return answer{}, fmt.Errorf("read the answer to %s %s: %w", call.Method, call.Path, err)
		}
	}
	schema, classified := response.Header[http.CanonicalHeaderKey(flowcontrolv1.ResponseHeaderMatchedFlowSchemaUID)]
	if !classified {
		return answer{Code: response.StatusCode}, nil
	}
	return answer{response.StatusCode, true, schema[0], response.Header.Get(flowcontrolv1.ResponseHeaderMatchedPriorityLevelConfigurationUID)}, nil
}

func impersonate(header http.Header, who generate.Persona) {
	if who.Nobody {
		return
	}
	header.Set(authenticationv1.ImpersonateUserHeader, who.User)
	for _, group := range who.Groups {
		header.Add(authenticationv1.ImpersonateGroupHeader, group)
	}
}
