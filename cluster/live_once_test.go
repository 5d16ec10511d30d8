package cluster

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestReadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := full(t)
		f.failing["namespaces"] = forbidden("namespaces")
		s, err := readOnce(t.Context(), f.clients(), liveOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(ids(s)) != 2 || len(s.About.Syncing) > 0 {
			t.Errorf("policies are %q, about is %+v", ids(s), s.About)
		}
		wantCount(t, s, "CustomResourceDefinitions", 1)
		if _, presence, _ := s.Facts.Params.Param(configMaps, "team-a", "max"); presence == 0 {
			t.Error("the parameters were not waited for")
		}
	})
}

func TestReadOnceTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := full(t)
		f.failing["namespaces"] = unreachable
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		_, err := readOnce(ctx, f.clients(), liveOptions{})
		if err == nil || !errors.Is(err, context.DeadlineExceeded) ||
			!strings.HasPrefix(err.Error(), "Namespaces of cluster fake could not be read: context deadline exceeded (Changes have not been seen since ") {
			t.Errorf("error is %v", err)
		}
	})
}

func TestNobodyAnswersAtTheStart(t *testing.T) {
	f := full(t)
	f.discovery = errors.New("connection refused")
	if _, err := startLive(t.Context(), f.clients(), decidingKinds, liveOptions{}); err == nil || err.Error() != "ask cluster fake for its resources: connection refused" {
		t.Errorf("error is %v", err)
	}
}
