package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"
	authenticationv1 "k8s.io/api/authentication/v1"

	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
)

// question is the request that a command line describes.
type question struct {
	operation   string
	oldObject   string
	subresource string
	namespace   string
	name        string
	as          string
	asGroups    []string
	asUID       string
	dryRun      string
	document    int
	collection  bool
}

// addFlags adds the flags that say of a request what the pasted text does not.
func (q *question) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&q.operation, "operation", "", "CREATE, UPDATE, DELETE or CONNECT")
	flags.StringVar(&q.oldObject, "old-object", "", "file with the object before an UPDATE")
	flags.StringVar(&q.subresource, "subresource", "", "subresource that the request goes to, such as status, scale or exec")
	flags.StringVarP(&q.namespace, "namespace", "n", "", "namespace of the request")
	flags.StringVar(&q.name, "name", "", "name of the object, where it does not say one itself")
	flags.StringVar(&q.as, "as", "", "user who asks; left out, who asks stays open")
	flags.StringArrayVar(&q.asGroups, "as-group", nil, "group of the user who asks (repeatable)")
	flags.StringVar(&q.asUID, "as-uid", "", "uid of the user who asks")
	flags.StringVar(&q.dryRun, "dry-run", "none", "server for a dry run, none for a request that counts")
	flags.IntVar(&q.document, "document", 0, "number of the document that is meant, if there are several")
	flags.BoolVar(&q.collection, "all", false, "delete all objects of the kind at once")
}

// ask turns the flags into what was said about the request. What is wrong in the file of
// the old object is returned as problems.
func (q *question) ask(changed func(string) bool) (request.Ask, []manifest.Problem, error) {
	a := request.Ask{
		Document: q.document, Operation: q.operation, Subresource: q.subresource, Namespace: q.namespace, Name: q.name, Collection: q.collection,
	}
	if changed("dry-run") {
		dry := q.dryRun == "server"
		if !dry && q.dryRun != "none" {
			return a, nil, fmt.Errorf("--dry-run=%s: say server or none; a dry run of the client never reaches the server", q.dryRun)
		}
		a.DryRun = &dry
	}
	if q.as != "" || q.asUID != "" || len(q.asGroups) > 0 {
		a.User = &authenticationv1.UserInfo{Username: q.as, UID: q.asUID, Groups: q.asGroups}
	}
	if q.oldObject == "" {
		return a, nil, nil
	}
	documents, problems, err := readDocuments(q.oldObject)
	if err != nil {
		return a, problems, fmt.Errorf("--old-object: %w", err)
	}
	if len(documents) == 0 {
		return a, problems, fmt.Errorf("--old-object: %s has no object that can be read", q.oldObject)
	}
	a.OldObject = &documents[0]
	return a, problems, nil
}

// readDocuments reads the objects of a file.
func readDocuments(path string) ([]manifest.Document, []manifest.Problem, error) {
	data, err := readText(path, nil)
	if err != nil {
		return nil, nil, err
	}
	documents, problems := manifest.Read(sourceName(path), data, manifest.DefaultLimit)
	return documents, problems, nil
}

// readText reads a file, or standard input for -.
func readText(path string, stdin io.Reader) ([]byte, error) {
	in := stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	if in == nil {
		return nil, fmt.Errorf("standard input is not possible here; give a file")
	}
	data, err := io.ReadAll(io.LimitReader(in, manifest.DefaultLimit+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", sourceName(path), err)
	}
	return data, nil
}

// sourceName is what a file is called in sentences.
func sourceName(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}
