package cluster

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

// unread returns why the kind cannot be read at all, and nil if it was read or will be.
func (s watchState) unread() error {
	err := s.failure.err
	switch {
	case err == nil:
		return nil
	case apierrors.IsNotFound(err), apierrors.IsMethodNotSupported(err):
		return err
	case apierrors.IsForbidden(err) && !s.synced:
		return err
	}
	return nil
}

// broken returns since when and why the API server cannot be reached, as far as this watch knows.
func (s watchState) broken() failure {
	if s.failure.err == nil || s.unread() != nil || apierrors.IsForbidden(s.failure.err) {
		return failure{}
	}
	return s.failure
}

// about says how old the snapshot is and what is missing in it.
func (l *live) about(s *survey, lost failure, policies policyPart, names *namespaces) About {
	a := About{
		Source: l.clients.name, Kind: Live, Version: s.gitVersion, Read: s.at,
		Gaps: slices.Clone(s.gaps), Undiscovered: s.undiscovered,
		Counts: append(countPolicies(policies.objects), Count{namespaceKind.Plural, len(names.byName)}, Count{crdKind.Plural, len(l.crds())}),
	}
	if l.watchOf(serviceAccountKind) != nil {
		a.Counts = append(a.Counts, Count{serviceAccountKind.Plural, len(l.identities().ServiceAccounts)})
	}
	for _, k := range l.kinds {
		if l.watchOf(k) == nil && k.Without != "" && !optional(k) {
			a.Gaps = append(a.Gaps, fmt.Sprintf("The API server does not serve %s; there are none to show.", k.Plural))
		}
	}
	for _, w := range l.sortedWatches() {
		state := l.state(w)
		if b := state.broken(); b.err != nil && (lost.err == nil || b.since.Before(lost.since)) {
			lost = b
		}
		if w.kind.Without == "" {
			continue
		}
		if state.last.After(a.Read) {
			a.Read = state.last
		}
		if gap := gapOf(w.kind, state); gap != "" {
			a.Gaps = append(a.Gaps, gap)
		} else if !state.synced {
			a.Syncing = append(a.Syncing, Progress{w.kind.Plural, state.received})
		}
		problems := w.problems(state.generation)
		a.Problems = append(a.Problems, problems...)
		missed := !state.synced || state.unread() != nil || manifest.Failed(problems)
		if missed && !slices.Contains(a.Unread, w.kind.GroupKind) {
			a.Unread = append(a.Unread, w.kind.GroupKind)
		}
	}
	if lost.err != nil {
		a.Stale = fmt.Sprintf("Changes have not been seen since %s: %s.", lost.since.Format(time.TimeOnly), plainly(lost.err))
	}
	return a
}

// gapOf says that a kind cannot be read, and what that means.
func gapOf(k scope.ObjectKind, s watchState) string {
	err := s.failure.err
	switch {
	case s.unread() != nil:
		return fmt.Sprintf("%s cannot be read: %s; %s.", k.Plural, plainly(err), k.Without)
	case apierrors.IsForbidden(err):
		return fmt.Sprintf("%s cannot be watched: %s; changes are seen late or not at all.", k.Plural, plainly(err))
	}
	return ""
}

// plainly says an error in few words: that something is forbidden, which is clear beside the name of the kind, and the
// errors of the HTTP client without the request.
func plainly(err error) string {
	if apierrors.IsForbidden(err) {
		return "forbidden"
	}
	var requested *url.Error
	if errors.As(err, &requested) {
		err = requested.Err
	}
	return strings.TrimSuffix(err.Error(), ".")
}

// sortedWatches returns the watches in an order that stays.
func (l *live) sortedWatches() []*watch {
	all := make([]*watch, 0, len(l.watches))
	for _, w := range l.watches {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b *watch) int { return strings.Compare(a.kind.Plural, b.kind.Plural) })
	return all
}
