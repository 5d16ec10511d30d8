package cluster

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ambit-k8s/ambit/scope"
)

const otherGuard = `
-- policies/other.yaml --
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: other}
webhooks: [{name: other.example.com}]
`

// follow reads manifests and again until the test ends.
func follow(t *testing.T, recursive bool, paths ...string) Source {
	t.Helper()
	s, err := WatchManifests(t.Context(), paths, recursive, strings.NewReader(""), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// eventually waits for a snapshot that is as wanted.
func eventually(t *testing.T, source Source, what string, wanted func(*Snapshot) bool) *Snapshot {
	t.Helper()
	changes, cancel := source.Subscribe()
	defer cancel()
	deadline := time.After(10 * time.Second)
	for {
		s := source.Snapshot()
		if wanted(s) {
			return s
		}
		select {
		case <-changes:
		case <-deadline:
			t.Fatalf("%s did not happen; policies are %q, about is %+v", what, ids(s), s.About)
		}
	}
}

// has says that the names of the policies of admission are exactly these.
func has(names ...string) func(*Snapshot) bool {
	return func(s *Snapshot) bool {
		var got []string
		for _, p := range s.Policies.Policies() {
			if p.Phase != scope.FlowControl {
				got = append(got, p.Name)
			}
		}
		return slices.Equal(got, names)
	}
}

func TestReload(t *testing.T) {
	unpack(t, guard)
	source := follow(t, false, "policies")
	first := source.Snapshot()

	write(t, otherGuard)
	s := eventually(t, source, "reading a new file", has("guard", "other"))
	if !s.About.Read.After(first.About.Read) {
		t.Error("the snapshot is not younger than the first")
	}
	if !has("guard")(first) {
		t.Error("the first snapshot has changed")
	}

	// An editor writes a new file and renames it over the old one.
	write(t, strings.NewReplacer("policies/guard.yaml", "guard.tmp", "name: guard}", "name: edited}").Replace(guard))
	if err := os.Rename("guard.tmp", "policies/guard.yaml"); err != nil {
		t.Fatal(err)
	}
	eventually(t, source, "reading a replaced file", has("edited", "other"))

	if err := os.Remove("policies/other.yaml"); err != nil {
		t.Fatal(err)
	}
	eventually(t, source, "forgetting a removed file", has("edited"))
}

func TestBrokenFileKeepsItsLastGoodContent(t *testing.T) {
	unpack(t, guard+otherGuard)
	source := follow(t, false, "policies")
	write(t, "-- policies/guard.yaml --\nkind: [\n")
	s := eventually(t, source, "reading a broken file", func(s *Snapshot) bool { return len(s.About.Problems) == 2 })
	if !has("guard", "other")(s) {
		t.Errorf("policies are %q", ids(s))
	}
	if got := problems(s)[1]; !strings.HasPrefix(got, "policies/guard.yaml: what was read at ") {
		t.Errorf("problem is %q", got)
	}
	write(t, guard)
	eventually(t, source, "reading the corrected file", func(s *Snapshot) bool { return len(s.About.Problems) == 0 })
}

func TestMissingPathKeepsTheSnapshot(t *testing.T) {
	unpack(t, guard)
	source := follow(t, false, "policies/guard.yaml")
	if err := os.Rename("policies/guard.yaml", "guard.old"); err != nil {
		t.Fatal(err)
	}
	s := eventually(t, source, "missing a file", func(s *Snapshot) bool { return s.About.Stale != "" })
	if !has("guard")(s) || !strings.HasSuffix(s.About.Stale, "because policies/guard.yaml cannot be read: no such file or directory.") {
		t.Errorf("policies are %q, and %s", ids(s), s.About.Stale)
	}
	if err := os.Rename("guard.old", "policies/guard.yaml"); err != nil {
		t.Fatal(err)
	}
	eventually(t, source, "finding the file again", func(s *Snapshot) bool { return s.About.Stale == "" && has("guard")(s) })
}

func TestNewFoldersAreFollowed(t *testing.T) {
	unpack(t, guard)
	source := follow(t, true, "policies")
	write(t, strings.Replace(otherGuard, "policies/", "policies/new/deep/", 1))
	eventually(t, source, "reading a new folder", has("guard", "other"))
	write(t, strings.NewReplacer("policies/", "policies/new/deep/", "name: other}", "name: edited}").Replace(otherGuard))
	eventually(t, source, "reading a change in a new folder", has("edited", "guard"))
}

// The kubelet keeps the files of a ConfigMap in a folder that a link names, and replaces the link.
func TestMountedConfigMap(t *testing.T) {
	unpack(t, strings.Replace(guard, "policies/", "policies/..1/", 1)+strings.NewReplacer("policies/", "policies/..2/", "other.yaml", "guard.yaml").Replace(otherGuard))
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, "link"); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename("link", name); err != nil {
			t.Fatal(err)
		}
	}
	link("..1", "policies/..data")
	link("..data/guard.yaml", "policies/guard.yaml")
	source := follow(t, true, "policies")
	if s := source.Snapshot(); !has("guard")(s) || len(s.About.Problems) > 0 {
		t.Fatalf("policies are %q, problems %q", ids(s), problems(s))
	}
	link("..2", "policies/..data")
	eventually(t, source, "reading the new files", has("other"))
}

func TestWatchManifestsFails(t *testing.T) {
	unpack(t, guard)
	if _, err := WatchManifests(t.Context(), []string{"nowhere"}, false, nil, Options{}); err == nil {
		t.Error("a missing path is no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := WatchManifests(ctx, []string{"policies"}, false, nil, Options{}); err == nil {
		t.Error("a cancelled context is no error")
	}
}

func TestUnreadableFileKeepsItsLastGoodContent(t *testing.T) {
	unpack(t, guard+otherGuard)
	source := follow(t, false, "policies")
	if err := os.Symlink("nowhere", "link"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("link", "policies/guard.yaml"); err != nil {
		t.Fatal(err)
	}
	s := eventually(t, source, "not reading a file", func(s *Snapshot) bool { return len(s.About.Problems) == 2 })
	if !has("guard", "other")(s) {
		t.Errorf("policies are %q", ids(s))
	}
	if got, want := problems(s)[0], "policies/guard.yaml: it cannot be read: no such file or directory."; got != want {
		t.Errorf("problem is %q, want %q", got, want)
	}
	s = load(t, "policies")
	if !has("other")(s) || len(s.About.Problems) != 1 {
		t.Errorf("at the first time policies are %q, problems %q", ids(s), problems(s))
	}
}
