package flow

import (
	"context"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/flow/generate"
)

// maxTries bounds how often one disagreement is tried in a smaller form; each try installs schemas anew.
const maxTries = 80

// shrink tries a disagreement again, and makes its schemas smaller for as long as the two still disagree.
func (s *session) shrink(ctx context.Context, d *Disagreement) error {
	again, err := s.again(ctx, d, d.set)
	if err != nil {
		return err
	}
	if !again {
		d.reproduced = "NOT reproduced"
		return nil
	}
	d.reproduced = "reproduced"
	for tries, smaller := 0, true; smaller; {
		smaller = false
		for _, candidate := range smallerSets(d.set) {
			if tries++; tries > maxTries {
				return nil
			}
			again, err := s.again(ctx, d, candidate)
			if err != nil {
				return err
			}
			if again {
				d.set, smaller = candidate, true
				break
			}
		}
	}
	return nil
}

// again reports whether the two disagree about the request with these schemas.
func (s *session) again(ctx context.Context, d *Disagreement, set *generate.Set) (bool, error) {
	in, err := s.install(ctx, set)
	if err != nil {
		return false, err
	}
	e, err := s.exchange(ctx, d.call)
	if err != nil {
		return false, err
	}
	said, err := ask(ctx, in.Snapshot, d.said)
	if err != nil {
		return false, err
	}
	j := judge(in, e, said)
	if len(j.wrong) == 0 {
		return false, nil
	}
	d.note(j)
	return true, nil
}
