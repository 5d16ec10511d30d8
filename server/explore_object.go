package server

import (
	"net/http"
	"strings"

	"sigs.k8s.io/yaml"
)

// askAbout asks about an object of the population as its page does: resource, namespace and
// name of the object, and the write and who sends it from the address.
func (s *server) askAbout(r *http.Request, name string, q *question) error {
	asked, _, err := funnelAsk(r)
	if err != nil {
		return err
	}
	pop := s.current().Population
	parts := strings.SplitN(name, "/", 3)
	if pop.Document == nil || len(parts) < 3 {
		return missing("The objects of this source cannot be had as a whole. Paste the one that you mean.")
	}
	gone := missing("There is no such object here. It may have been deleted since the link was made.")
	resource, ok := resourceOf(pop.Population, parts[0])
	if !ok {
		return gone
	}
	object, ok := pop.Document(resource, namespaceOf(parts[1]), parts[2])
	if !ok {
		return gone
	}
	text, err := yaml.Marshal(object.Object)
	if err != nil {
		return err
	}
	q.Text = string(text)
	q.Ask.Operation, q.Ask.User, q.Ask.Groups = asked.Operation, asked.As, asked.Groups
	if asked.Operation == "UPDATE" { // Which leaves the object as it is, as for all objects.
		q.Ask.OldObject = q.Text
	}
	return nil
}
