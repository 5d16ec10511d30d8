package generate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	syaml "sigs.k8s.io/yaml"
)

// Corpus are policies that people really use.
type Corpus struct {
	policies []v1.ValidatingAdmissionPolicySpec
	webhooks []v1.ValidatingWebhook
}

// ReadCorpus reads all policies in the YAML files of a folder. It returns nil if there is no such folder.
func ReadCorpus(dir string) (*Corpus, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, fmt.Errorf("list corpus: %w", err)
	}
	if len(files) == 0 {
		return nil, nil
	}
	c := &Corpus{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read corpus: %w", err)
		}
		reader := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(data)))
		if err := c.read(reader); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
	}
	return c, nil
}

// Len says how many policies and webhooks there are.
func (c *Corpus) Len() (policies, webhooks int) {
	if c == nil {
		return 0, 0
	}
	return len(c.policies), len(c.webhooks)
}

func (c *Corpus) read(documents io.Reader) error {
	buffer := make([]byte, 4<<20)
	for {
		n, err := documents.Read(buffer)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("split documents: %w", err)
		}
		var head struct {
			Kind string `json:"kind"`
		}
		if syaml.Unmarshal(buffer[:n], &head) != nil {
			continue // The corpus has templates among its files.
		}
		c.add(head.Kind, buffer[:n])
	}
}

// add takes what a document has of policies; documents that are none, or none that can be read, do not matter.
func (c *Corpus) add(kind string, document []byte) {
	switch kind {
	case "ValidatingAdmissionPolicy":
		var p v1.ValidatingAdmissionPolicy
		if syaml.Unmarshal(document, &p) == nil && p.Spec.MatchConstraints != nil {
			c.policies = append(c.policies, p.Spec)
		}
	case "ValidatingWebhookConfiguration":
		var w v1.ValidatingWebhookConfiguration
		if syaml.Unmarshal(document, &w) == nil {
			c.webhooks = append(c.webhooks, w.Webhooks...)
		}
	case "MutatingWebhookConfiguration":
		var w v1.MutatingWebhookConfiguration
		if syaml.Unmarshal(document, &w) != nil {
			return
		}
		for _, m := range w.Webhooks {
			c.webhooks = append(c.webhooks, v1.ValidatingWebhook{Rules: m.Rules, NamespaceSelector: m.NamespaceSelector, ObjectSelector: m.ObjectSelector, MatchPolicy: m.MatchPolicy, MatchConditions: m.MatchConditions})
		}
	}
}

// corpusWebhook takes the scope of a real webhook, and changes one thing of it now and then.
func (g Policies) corpusWebhook(name string) v1.ValidatingWebhook {
	from := pick(g.Rand, g.Corpus.webhooks...)
	w := v1.ValidatingWebhook{Name: name, Rules: from.DeepCopy().Rules, MatchPolicy: from.MatchPolicy}
	w.NamespaceSelector, w.ObjectSelector = from.NamespaceSelector.DeepCopy(), from.ObjectSelector.DeepCopy()
	w.MatchConditions = from.DeepCopy().MatchConditions
	switch g.IntN(6) {
	case 0:
		w.NamespaceSelector = namespaceSelector(g.Rand)
	case 1:
		w.ObjectSelector = objectSelector(g.Rand)
	case 2:
		w.MatchPolicy = matchPolicy(g.Rand)
	case 3:
		w.Rules = append(w.Rules, rule(g.Rand))
	}
	return w
}

// corpusPolicy takes the scope of a real policy, and changes one thing of it now and then. Its validations, and the
// variables that these need, are replaced.
func (g Policies) corpusPolicy(name string) v1.ValidatingAdmissionPolicySpec {
	from := pick(g.Rand, g.Corpus.policies...)
	spec := v1.ValidatingAdmissionPolicySpec{MatchConstraints: from.MatchConstraints.DeepCopy(), MatchConditions: from.DeepCopy().MatchConditions}
	switch g.IntN(6) {
	case 0:
		spec.MatchConstraints.NamespaceSelector = namespaceSelector(g.Rand)
	case 1:
		spec.MatchConstraints.ObjectSelector = objectSelector(g.Rand)
	case 2:
		spec.MatchConstraints.MatchPolicy = matchPolicy(g.Rand)
	case 3:
		spec.MatchConditions = append(spec.MatchConditions, v1.MatchCondition{Name: "added", Expression: pick(g.Rand, expressions...) + " // " + name})
	case 4:
		spec.MatchConstraints.ExcludeResourceRules = namedRules(g.Rand, 1)
	}
	return spec
}
