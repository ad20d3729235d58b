// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
)

// Header values that are the same in every answer. The slices have no spare capacity, so that
// nobody can append to them in place.
var (
	valueNoSniff     = []string{"nosniff"}
	valueReferrer    = []string{"same-origin"}
	valueFrame       = []string{"SAMEORIGIN"}
	valuePermissions = []string{"camera=(), geolocation=(), microphone=(), payment=(), usb=()"}
	valuePlainPolicy = []string{plainPolicy}
	valueRevalidate  = []string{cacheRevalidate}
	valueVary        = []string{"Accept-Encoding"}
)

// Handler answers the requests for the book's pages. It logs what a person must mend, and nothing
// about answers that went well.
func (s *Site) Handler(log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h["X-Content-Type-Options"] = valueNoSniff
		h["Referrer-Policy"] = valueReferrer
		h["X-Frame-Options"] = valueFrame
		h["Permissions-Policy"] = valuePermissions
		h["Content-Security-Policy"] = valuePlainPolicy
		h["Cache-Control"] = valueRevalidate
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "405: a book is only read (GET, HEAD)", http.StatusMethodNotAllowed)
			return
		}
		name, redirect := s.resolve(r.URL.Path)
		switch {
		case redirect != "":
			h.Set("Location", withQuery(redirect, r.URL.RawQuery))
			w.WriteHeader(http.StatusMovedPermanently)
		case name == "":
			s.notFound(w, r, log)
		default:
			s.serve(w, r, s.files[name], log)
		}
	})
}

// Has tells whether the book answers that path (as in a URL, decoded) by something of its own.
func (s *Site) Has(urlPath string) bool {
	name, redirect := s.resolve(urlPath)
	return name != "" || redirect != ""
}

// resolve finds the indexed file for the path of a URL. If another address is the page's own, redirect
// is the relative address to go to, so that the page's own relative links work, also behind a proxy
// that adds a prefix. Both are empty if there is no such page.
func (s *Site) resolve(urlPath string) (name, redirect string) {
	name, rooted := strings.CutPrefix(urlPath, "/")
	if !rooted {
		return "", ""
	}
	if name == "" || strings.HasSuffix(name, "/") {
		name += indexPage
	}
	if _, found := s.files[name]; found {
		return name, ""
	}
	if to := s.elsewhere(strings.TrimPrefix(urlPath, "/")); to != "" {
		return "", (&url.URL{Path: to}).String()
	}
	return "", ""
}

// elsewhere returns the address of the page that a reader means by a name without a file, relative to
// that name, or "" if there is none: a folder without its last slash, a page without its ".html", or a
// README.html, which mdBook publishes as the folder's index.html but leaves in the book's links.
func (s *Site) elsewhere(name string) string {
	has := func(name string) bool { _, found := s.files[name]; return found }
	page := strings.TrimSuffix(name, "/")
	switch folder, base := path.Split(name); {
	case page == "":
		return ""
	case strings.EqualFold(base, readmePage) && has(folder+indexPage):
		return "./"
	case page == name && has(name+"/"+indexPage):
		return base + "/"
	case has(page+pageSuffix) && page == name:
		return "./" + base + pageSuffix
	case has(page + pageSuffix):
		return "../" + path.Base(page) + pageSuffix
	}
	return ""
}

func withQuery(location, query string) string {
	if query == "" {
		return location
	}
	return location + "?" + query
}

// serve answers with the form of the file that suits the client best. Conditions and ranges are
// the standard library's work, on exactly the bytes that the ETag names.
func (s *Site) serve(w http.ResponseWriter, r *http.Request, f *file, log *slog.Logger) {
	chosen := f.describe(w.Header(), r)
	if chosen != nil {
		http.ServeContent(w, r, f.name, time.Time{}, bytes.NewReader(chosen.content))
		return
	}
	content, err := s.open(f)
	if err != nil {
		s.failed(w, f, err, log)
		return
	}
	defer content.Close()
	http.ServeContent(w, r, f.name, time.Time{}, content)
}

// describe sets the headers that tell of the file, in its best form for the client, and returns
// that form; nil means the plain file. There is no Last-Modified: replicas build the same book at
// different times, and the ETag says more.
func (f *file) describe(h http.Header, r *http.Request) *form {
	h["Content-Type"] = f.contentType
	h["Cache-Control"] = f.cacheControl
	h["Content-Security-Policy"] = f.policy
	h["Etag"] = f.etag
	if len(f.forms) == 0 {
		return nil
	}
	h["Vary"] = valueVary
	header := strings.Join(r.Header["Accept-Encoding"], ",")
	var best *form
	weight := 0.0
	for i := range f.forms {
		if q := accepts(header, f.forms[i].coding); q > weight {
			best, weight = &f.forms[i], q
		}
	}
	if best == nil {
		return nil
	}
	h["Etag"] = best.etag
	h["Content-Encoding"] = best.encoding
	h["Content-Length"] = best.length
	return best
}

// notFound answers with the book's own page for that, if it has one.
func (s *Site) notFound(w http.ResponseWriter, r *http.Request, log *slog.Logger) {
	h := w.Header()
	f, found := s.files[notFoundPage]
	if !found {
		http.Error(w, "404: the book has no such page", http.StatusNotFound)
		return
	}
	chosen := f.describe(h, r)
	h["Cache-Control"] = valueRevalidate
	delete(h, "Etag")
	var content io.Reader
	if chosen != nil {
		content = bytes.NewReader(chosen.content)
	} else {
		opened, err := s.open(f)
		if err != nil {
			s.failed(w, f, err, log)
			return
		}
		defer opened.Close()
		content = opened
		h.Set("Content-Length", strconv.FormatInt(f.size, 10))
	}
	w.WriteHeader(http.StatusNotFound)
	if r.Method != http.MethodHead {
		// The status is sent: an error now means that the client went away.
		_, _ = io.Copy(w, content)
	}
}

func (s *Site) failed(w http.ResponseWriter, f *file, err error, log *slog.Logger) {
	log.Error("a file of the book cannot be read", "file", f.name, "error", err)
	h := w.Header()
	for _, name := range []string{"Etag", "Vary", "Content-Length", "Content-Encoding"} {
		h.Del(name)
	}
	h["Content-Security-Policy"] = valuePlainPolicy
	h.Set("Cache-Control", "no-store")
	http.Error(w, "500: this page cannot be read now", http.StatusInternalServerError)
}
