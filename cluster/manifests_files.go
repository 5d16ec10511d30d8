package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// standardInput is the path that stands for standard input.
const standardInput = "-"

// extensions are the names of files that are read in a folder; a file that is named itself may have any name.
var extensions = []string{".yaml", ".yml", ".json", ".jsonl"}

// listing is what the paths on the command line stand for.
type listing struct {
	// files are the files to read, in the order of the paths and then of their names.
	files []string
	// named are those of the files that were named themselves.
	named map[string]bool
	// folders are the folders in which files may come and go.
	folders []string
}

// list finds the manifests that the paths stand for.
func list(paths []string, recursive bool) (listing, error) {
	l := listing{named: map[string]bool{}}
	for _, path := range paths {
		if path == standardInput {
			continue
		}
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return l, readError(path, err)
		case !info.IsDir():
			l.add(path)
			l.named[path] = true
			l.addFolder(filepath.Dir(path))
		default:
			if err := l.walk(path, recursive); err != nil {
				return l, err
			}
		}
	}
	return l, nil
}

// walk adds the manifests in a folder. Entries that start with two dots are how the kubelet swaps the files of a
// mounted ConfigMap; they hold the same files once more.
func (l *listing) walk(root string, recursive bool) error {
	before := len(l.files)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return readError(path, err)
		case path != root && strings.HasPrefix(entry.Name(), ".."):
			return skip(entry)
		case entry.IsDir() && path != root && !recursive:
			return fs.SkipDir
		case entry.IsDir():
			l.addFolder(path)
		case slices.Contains(extensions, strings.ToLower(filepath.Ext(path))):
			l.add(path)
		}
		return nil
	})
	if err == nil && len(l.files) == before && !recursive {
		return fmt.Errorf("%s holds no manifests (%s); -R looks into its folders, too", root, strings.Join(extensions, ", "))
	}
	if err == nil && len(l.files) == before {
		return fmt.Errorf("%s and its folders hold no manifests (%s)", root, strings.Join(extensions, ", "))
	}
	return err
}

func skip(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func (l *listing) add(file string) {
	if !slices.Contains(l.files, file) {
		l.files = append(l.files, file)
	}
}

func (l *listing) addFolder(folder string) {
	if !slices.Contains(l.folders, folder) {
		l.folders = append(l.folders, folder)
	}
}

// readError says that a path cannot be read.
func readError(path string, err error) error {
	return fmt.Errorf("%s cannot be read: %w", path, withoutPath(err))
}

// withoutPath returns the reason of an error of package os, which names the path as well.
func withoutPath(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// sourceName names what the paths stand for, such as "3 files in ./policies".
func sourceName(paths []string, files int) string {
	names := slices.Clone(paths)
	for i, name := range names {
		if name == standardInput {
			names[i] = "standard input"
		}
	}
	switch {
	case len(names) == 1 && names[0] == "standard input":
		return names[0]
	case len(names) == 1 && files == 1:
		if info, err := os.Stat(names[0]); err == nil && !info.IsDir() {
			return names[0]
		}
		return "1 file in " + names[0]
	case len(names) == 1:
		return fmt.Sprintf("%d files in %s", files, names[0])
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
