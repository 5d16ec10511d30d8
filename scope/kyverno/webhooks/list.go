package webhooks

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// List is the document of the contract: the two configurations as a List that "kubectl apply" takes.
type List struct {
	metav1.TypeMeta `json:",inline"`
	// Items are the validating and the mutating configuration.
	Items []any `json:"items"`
}

// List returns the configurations as a document.
func (p *Prediction) List() List {
	return List{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "List"}, Items: []any{p.Validating, p.Mutating}}
}
