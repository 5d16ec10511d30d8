// Package static holds what the browser loads besides pages: the scripts and the style
// sheet that web/build.mjs writes to dist, embedded in the binary.
//
// Every file carries a hash of its content in its name and may therefore be cached
// forever; Path gives the current name.
package static

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

//go:embed dist
var dist embed.FS

// Prefix is where Handler has to be mounted for the addresses of Path to work.
const Prefix = "/static/"

var manifest = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	data, err := dist.ReadFile("dist/manifest.json")
	if err == nil {
		err = json.Unmarshal(data, &names)
	}
	if err != nil {
		// The manifest is compiled in and a test reads it: this is a broken build.
		panic(fmt.Sprintf("static: %v", err))
	}
	return names
})

// Path returns the address of a built file by its plain name, such as explore.js. It
// panics for a name that the build does not know, because a page without its script is
// a mistake in the program and not something to show.
func Path(name string) string {
	hashed, ok := manifest()[name]
	if !ok {
		panic(fmt.Sprintf("static: web/build.mjs builds no file called %q", name))
	}
	return Prefix + hashed
}

// asset is one file as it is sent, plain and compressed.
type asset struct {
	plain, zipped []byte
	contentType   string
}

var assets = sync.OnceValue(func() map[string]asset {
	files := map[string]asset{}
	for _, name := range manifest() {
		data, err := dist.ReadFile("dist/" + name)
		if err != nil {
			panic(fmt.Sprintf("static: %v", err))
		}
		files[name] = asset{plain: data, zipped: compress(data), contentType: contentType(name)}
	}
	return files
})

// compress returns the data gzipped. Writing to memory does not fail.
func compress(data []byte) []byte {
	var buf bytes.Buffer
	w, _ := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	_, _ = w.Write(data)
	_ = w.Close()
	return buf.Bytes()
}

// contentType does not ask the operating system's table for the types that matter,
// because a browser refuses a script under a wrong one.
func contentType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	default:
		return mime.TypeByExtension(ext)
	}
}

// Handler serves the built files. The last element of the address names the file, so
// that it can be mounted with or without its prefix stripped.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, ok := assets()[path.Base(r.URL.Path)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		header := w.Header()
		header.Set("Content-Type", file.contentType)
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Vary", "Accept-Encoding")
		body := file.plain
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			header.Set("Content-Encoding", "gzip")
			body = file.zipped
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	})
}
