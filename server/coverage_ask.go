package server

import (
	"net/http"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/views"
)

// coveredFor evaluates the policies over the population as an address asks.
func (s *server) coveredFor(r *http.Request) (*covered, views.Asked, error) {
	source, c, err := s.reach(r)
	return c, source.Asked, err
}

// populationState says by name what is missing in a population.
func populationState(p cluster.Population) views.PopulationState {
	state := views.PopulationState{None: p.Population == nil, Contents: p.Document != nil}
	for _, r := range p.Resources {
		name := r.GroupResource().String()
		switch r.State {
		case cluster.Reading:
			state.Reading = append(state.Reading, name)
		case cluster.Missing:
			state.Missing = append(state.Missing, name)
		case cluster.LeftOut:
			state.LeftOut = append(state.LeftOut, name)
		}
	}
	return state
}
