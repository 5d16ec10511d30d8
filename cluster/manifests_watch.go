package cluster

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/fsnotify/fsnotify"
)

// An editor or a checkout writes many files at a time. Reading them again is quick, so the wait is short.
const (
	filesQuiet = 100 * time.Millisecond
	filesMost  = time.Second
)

// WatchManifests reads manifests as LoadManifests does, and again whenever they change, until the context ends. After
// the first time nothing is an error any more: what cannot be read keeps its last good content, and the snapshot says
// so.
func WatchManifests(ctx context.Context, paths []string, recursive bool, stdin io.Reader, opts Options) (Source, error) {
	l, err := newLoader(paths, recursive, stdin, opts)
	if err != nil {
		return nil, err
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch files: %w", err)
	}
	w := &manifestWatch{loader: l, notify: notify}
	if _, err := l.load(ctx); err != nil {
		notify.Close()
		return nil, err
	}
	w.follow()
	// What changed between reading and following was not noticed.
	if _, err := l.load(ctx); err != nil {
		notify.Close()
		return nil, err
	}
	w.publish(l.snapshot())
	go w.run(ctx)
	return w, nil
}

// manifestWatch is a source that reads manifests again when they change.
type manifestWatch struct {
	latest
	loader *loader
	notify *fsnotify.Watcher
	// unfollowed says which folders could not be watched, and why.
	unfollowed []string
}

// follow watches the folders of all files. Folders, because an editor replaces a file by another one of its name, and
// a watch of the file would end with the old one. A folder that is watched already is no trouble.
func (w *manifestWatch) follow() {
	w.unfollowed = nil
	for _, folder := range w.loader.listing.folders {
		if err := w.notify.Add(folder); err != nil {
			w.unfollowed = append(w.unfollowed, fmt.Sprintf("Changes in %s are not noticed: %v.", folder, err))
		}
	}
}

// run reads again after changes until the context ends.
func (w *manifestWatch) run(ctx context.Context) {
	defer w.notify.Close()
	changes := make(chan struct{}, 1)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-w.notify.Events:
			case <-w.notify.Errors: // Events got lost.
			}
			nudge(changes)
		}
	}()
	debounce(ctx, changes, patience{quiet: filesQuiet, most: filesMost}, func() { w.reload(ctx) })
}

// reload reads what has changed. If the paths themselves cannot be read, the last snapshot stays and says so.
func (w *manifestWatch) reload(ctx context.Context) {
	changed, err := w.loader.load(ctx)
	last := w.Snapshot()
	switch {
	case ctx.Err() != nil:
	case err != nil:
		s := *last
		s.About.Stale = fmt.Sprintf("What was read at %s is shown, because %v.", last.About.Read.Format(time.TimeOnly), err)
		w.publish(&s)
	case changed || last.About.Stale != "":
		w.follow()
		s := w.loader.snapshot()
		s.About.Gaps = append(s.About.Gaps, w.unfollowed...)
		w.publish(s)
	}
}
