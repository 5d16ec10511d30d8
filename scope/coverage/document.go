package coverage

import "github.com/ambit-k8s/ambit/scope"

// Document is the answer of "ambit coverage" and of the HTTP API, as the contract has it.
type Document struct {
	Objects   int              `json:"objects"`
	Operation string           `json:"operation"`
	Policies  []PolicyDocument `json:"policies"`
}

// PolicyDocument is one policy in a Document.
type PolicyDocument struct {
	Kind       string           `json:"kind"`
	Namespace  string           `json:"namespace"`
	Name       string           `json:"name"`
	Entry      string           `json:"entry"`
	Applicable int              `json:"applicable"`
	Included   int              `json:"included"`
	Error      int              `json:"error"`
	Unknown    int              `json:"unknown"`
	Funnel     []FunnelDocument `json:"funnel"`
}

// FunnelDocument is one layer of a funnel.
type FunnelDocument struct {
	Layer     scope.LayerName `json:"layer"`
	Remaining int             `json:"remaining"`
}

// NewDocument writes a result as the contract has it.
func NewDocument(r *Result) Document {
	d := Document{Objects: r.pop.Len(), Operation: string(r.ask.operation()), Policies: make([]PolicyDocument, 0, r.Len())}
	for i := range r.Len() {
		p, c := r.Policy(i), r.Total(i)
		line := PolicyDocument{
			Kind: p.Kind, Namespace: p.Namespace, Name: p.Name, Entry: p.Entry,
			Applicable: int(c.Applicable), Included: int(c.Included), Error: int(c.Error), Unknown: int(c.Unknown),
		}
		for _, drop := range r.Funnel(i) {
			line.Funnel = append(line.Funnel, FunnelDocument{drop.Layer, drop.Remaining})
		}
		d.Policies = append(d.Policies, line)
	}
	return d
}
