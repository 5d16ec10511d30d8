package oracle

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
)

// Client sends plain HTTP requests to the API server. The usual clients would hide what matters here: the warnings of
// one request, the exact body, and verbs that no typed client has.
type Client struct {
	host string
	http *http.Client
}

// NewClient makes a client with the identity of the configuration.
func NewClient(config *rest.Config) (*Client, error) {
	c, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("make HTTP client: %w", err)
	}
	return &Client{host: config.Host, http: c}, nil
}

// Call is one HTTP request to the API server.
type Call struct {
	Method      string
	Path        string
	Query       url.Values
	ContentType string
	Body        []byte
	// User is who is impersonated; nil means the administrator.
	User *authenticationv1.UserInfo
}

// Answer is what the API server answered.
type Answer struct {
	Code     int
	Body     []byte
	Warnings []string
}

// OK reports whether the API server did what it was asked.
func (a Answer) OK() bool { return a.Code >= 200 && a.Code < 300 }

// Message is the text of a refusal.
func (a Answer) Message() string {
	var status metav1.Status
	if err := json.Unmarshal(a.Body, &status); err == nil && status.Kind == "Status" {
		return status.Message
	}
	return string(a.Body)
}

// Object is the object of a success; nil if the answer holds none.
func (a Answer) Object() map[string]any {
	var object map[string]any
	if err := utiljson.Unmarshal(a.Body, &object); err != nil || !a.OK() || object["kind"] == "Status" {
		return nil
	}
	return object
}

// Do sends a request. Only a failure to get any answer is an error.
func (c *Client) Do(ctx context.Context, call Call) (Answer, error) {
	target := c.host + call.Path
	if len(call.Query) > 0 {
		target += "?" + call.Query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, call.Method, target, bytes.NewReader(call.Body))
	if err != nil {
		return Answer{}, fmt.Errorf("make request: %w", err)
	}
	if call.Body != nil {
		request.Header.Set("Content-Type", call.contentType())
	}
	request.Header.Set("Accept", "application/json")
	impersonate(request.Header, call.User)
	response, err := c.http.Do(request)
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: %w", call.Method, call.Path, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return Answer{}, fmt.Errorf("read answer to %s %s: %w", call.Method, call.Path, err)
	}
	answer := Answer{Code: response.StatusCode, Body: body}
	warnings, _ := utilnet.ParseWarningHeaders(response.Header.Values("Warning"))
	for _, w := range warnings {
		answer.Warnings = append(answer.Warnings, w.Text)
	}
	return answer, nil
}

func (c Call) contentType() string {
	if c.ContentType != "" {
		return c.ContentType
	}
	return "application/json"
}

// impersonate makes a request that of somebody else.
func impersonate(header http.Header, user *authenticationv1.UserInfo) {
	if user == nil {
		return
	}
	header.Set("Impersonate-User", user.Username)
	if user.UID != "" {
		header.Set("Impersonate-Uid", user.UID)
	}
	for _, group := range user.Groups {
		header.Add("Impersonate-Group", group)
	}
	for key, values := range user.Extra {
		for _, value := range values {
			header.Add("Impersonate-Extra-"+url.PathEscape(strings.ToLower(key)), value)
		}
	}
}

// Get reads an object as the administrator; nil if there is none.
func (c *Client) Get(ctx context.Context, path string) (map[string]any, error) {
	answer, err := c.Do(ctx, Call{Method: http.MethodGet, Path: path})
	if err != nil {
		return nil, err
	}
	if answer.Code == http.StatusNotFound {
		return nil, nil
	}
	if !answer.OK() {
		return nil, fmt.Errorf("GET %s: %s", path, answer.Message())
	}
	return answer.Object(), nil
}
