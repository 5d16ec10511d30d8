package server

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/views"
)

// explore shows the page with the object, the request line or the example that the address
// names, or with the first example.
func (s *server) explore(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	q := question{Policy: query.Get("policy")}
	if name := query.Get("object"); name != "" {
		if err := s.askAbout(r, name, &q); err != nil {
			return err
		}
	} else if line := query.Get("line"); strings.TrimSpace(line) != "" {
		q.Text = line
	} else if name := query.Get("example"); name != "" {
		i := slices.IndexFunc(s.Examples, func(e views.Example) bool { return e.ID == name })
		if i < 0 {
			return missing("There is no example called " + name + ".")
		}
		q.Text = s.Examples[i].Text
	} else if strings.HasPrefix(q.Policy, "FlowSchema/") {
		q.Text = exampleLine(s.current().Identities)
	} else if len(s.Examples) > 0 {
		q.Text = s.Examples[0].Text
	}
	return s.explorePage(w, r, http.StatusOK, q)
}

// explorePosted answers the form of the page where no script does.
func (s *server) explorePosted(w http.ResponseWriter, r *http.Request) error {
	q, err := posted(w, r)
	if err != nil {
		return err
	}
	if offer := r.PostForm.Get("offer"); offer != "" {
		if q, err = s.offered(r.Context(), q, offer); err != nil {
			return err
		}
	}
	return s.explorePage(w, r, http.StatusOK, q)
}

// posted reads the question out of the form.
func posted(w http.ResponseWriter, r *http.Request) (question, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxMessage)
	if err := r.ParseForm(); err != nil {
		return question{}, formError(err)
	}
	document, _ := strconv.Atoi(r.PostForm.Get("document"))
	q := question{
		Text: strings.ReplaceAll(r.PostForm.Get("text"), "\r\n", "\n"), Policy: r.PostForm.Get("policy"),
		Ask: ask{
			Operation: said(r, "operation"), Subresource: said(r, "subresource"), Namespace: said(r, "namespace"), Name: said(r, "name"),
			User: said(r, "user"), Groups: words(said(r, "groups")), OldObject: r.PostForm.Get("oldObject"),
			DryRun: r.PostForm.Get("dryRun") == "true", Collection: r.PostForm.Get("collection") == "true", Document: document,
			Verb: said(r, "verb"), Resource: said(r, "resource"), Path: said(r, "path"), AllNamespaces: r.PostForm.Get("allNamespaces") == "true",
		},
	}
	return q, nil
}

// said is a field of the form, if it differs from the guess that the page showed in it.
func said(r *http.Request, name string) string {
	value := strings.TrimSpace(r.PostForm.Get(name))
	if value == r.PostForm.Get("guessed-"+name) {
		return ""
	}
	return value
}

func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
}

// offered is the question about an object that an answer offered.
func (s *server) offered(ctx context.Context, q question, offer string) (question, error) {
	a, err := s.answer(ctx, q)
	if err != nil {
		return q, err
	}
	i, err := strconv.Atoi(offer)
	if err != nil || a.derived == nil || i < 0 || i >= len(a.derived.Offers) {
		return q, badRequest("What was offered does not belong to this text any more.")
	}
	o := a.derived.Offers[i]
	next := question{Text: o.Manifest, Policy: q.Policy}
	if o.User != nil {
		next.Ask.User, next.Ask.Groups = o.User.Username, o.User.Groups
	}
	return next, nil
}

// mostOffered bounds what a field offers; more than that nobody looks through.
const mostOffered = 1000

// offerChoices fills in what the page offers out of the cluster.
func offerChoices(page *views.ExplorePage, s *cluster.Snapshot) {
	for _, account := range s.Identities.ServiceAccounts {
		page.Users = append(page.Users, serviceaccount.MakeUsername(account.Namespace, account.Name))
	}
	page.Users = append(page.Users, s.Identities.Users...)
	page.Users = page.Users[:min(len(page.Users), mostOffered)]
	page.Line = exampleLine(s.Identities)
	if s.Facts.Resources == nil {
		return
	}
	for _, r := range s.Facts.Resources.All() {
		if name := r.GroupResource().String(); r.Subresource == "" && r.Served {
			page.Resources = append(page.Resources, name)
		}
	}
	slices.Sort(page.Resources)
	page.Resources = slices.Compact(page.Resources)
	page.Resources = page.Resources[:min(len(page.Resources), mostOffered)]
}

// exampleLine is a request line to start from. It comes from a service account of the
// cluster, and of these rather from one that is not part of Kubernetes.
func exampleLine(known cluster.Identities) string {
	who := types.NamespacedName{Namespace: "default", Name: "default"}
	for i, account := range known.ServiceAccounts {
		system := strings.HasPrefix(account.Namespace, "kube-")
		if i == 0 || !system {
			who = account
		}
		if !system {
			break
		}
	}
	return "get pods -A --as " + serviceaccount.MakeUsername(who.Namespace, who.Name)
}

// explorePage renders the page with the answer to a question.
func (s *server) explorePage(w http.ResponseWriter, r *http.Request, status int, q question) error {
	ctx, cancel := context.WithTimeout(r.Context(), maxTime)
	defer cancel()
	a := &answer{facts: s.current()}
	page := views.ExplorePage{Text: q.Text, Policy: q.Policy, Examples: s.Examples}
	offerChoices(&page, a.facts.Snapshot)
	if strings.TrimSpace(q.Text) != "" {
		var err error
		if a, err = s.answer(ctx, q); err != nil {
			if message, slow := tooSlow(err); slow {
				return &Error{Status: http.StatusServiceUnavailable, Message: message}
			}
			return err
		}
	}
	page.Result = a.result(ctx, q.Policy)
	page.Ask = a.ask(q)
	for _, p := range a.problems {
		page.Problems = append(page.Problems, views.Problem{Line: textLine(p), Message: problemText(p), Warning: p.Severity == manifest.Warning})
	}
	switch {
	case strings.TrimSpace(q.Text) == "":
		page.Result.Problem = views.Sentence{{Text: "Paste an object to see which policies it meets, write a request line to see how flow control takes it, or start from an example."}}
	case a.derived == nil:
		status = http.StatusBadRequest
		page.Result.Problem = views.Sentence{{Text: "This cannot be read as a request."}}
	}
	l := s.layout(r, "Explore", "/explore")
	l.Script = "explore.js"
	s.write(w, r, status, views.Explore(l, page))
	return nil
}
