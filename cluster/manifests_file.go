package cluster

import (
	"fmt"
	"os"
	"time"

	"github.com/ambit-k8s/ambit/scope/manifest"
)

// file is what was read from a file.
type file struct {
	stamp     stamp
	documents []manifest.Document
	problems  []manifest.Problem
	// err says that the file could not be read at all.
	err error
	// good is the last content that could be read as a whole; it may be this one.
	good *file
	read time.Time
}

// stamp tells whether a file is still the same.
type stamp struct {
	modified time.Time
	size     int64
}

// readFile reads a file, unless it is still as it was before. A file that was fine before and cannot be read as a
// whole any more, maybe because somebody is in the middle of editing it, keeps its last good content.
func readFile(path string, before *file) *file {
	now := stampOf(path)
	if before != nil && before.err == nil && before.stamp == now {
		return before
	}
	f := &file{stamp: now, read: time.Now()}
	data, err := os.ReadFile(path)
	if err != nil {
		f.err = readError(path, err)
		if before != nil && before.err != nil && before.err.Error() == f.err.Error() {
			return before
		}
		f.problems = []manifest.Problem{{Source: path, Message: "it cannot be read: " + withoutPath(err).Error(), Severity: manifest.Error}}
	} else {
		f.documents, f.problems = manifest.Read(path, data, fileLimit)
	}
	switch {
	case !manifest.Failed(f.problems):
		f.good = f
	case before != nil && before.good != nil:
		f.keep(path, before.good)
	}
	return f
}

// keep takes over the content that the file had when it was good.
func (f *file) keep(path string, good *file) {
	f.good = good
	f.documents = good.documents
	f.problems = append(f.problems, manifest.Problem{
		Source:   path,
		Message:  fmt.Sprintf("what was read at %s is still used", good.read.Format(time.TimeOnly)),
		Severity: manifest.Warning,
	})
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{modified: info.ModTime(), size: info.Size()}
}
