package server

import (
	"compress/gzip"
	"context"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// jitter is the most bytes that are added to a compressed answer, so that its
// length does not tell what a secret in it has in common with what was asked.
const jitter = 32

// compressed packs answers that are worth it, where the caller takes that, and
// unpacks bodies. Whoever reads a body bounds what it unpacks to, as that of any
// other. Events are not packed: each has to arrive at once.
func compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.AllowCompressedRequests(true), gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.RandomJitter(jitter, 0, false), gzhttp.ContentTypeFilter(worthPacking))
	if err != nil { // its options are constants
		panic("server: " + err.Error())
	}
	both := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch encoding := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding"))); encoding {
		case "", "identity":
			r.Header.Del("Content-Encoding")
		case "gzip":
			r = r.WithContext(context.WithValue(r.Context(), packedKey{}, true))
			if r.ContentLength > 0 {
				r.ContentLength = -1 // what it unpacks to is not known
			}
		default:
			w.Header().Set("Accept-Encoding", "gzip")
			WriteProblem(w, http.StatusUnsupportedMediaType, "Content-Encoding: this takes gzip, or a body that is not packed")
			return
		}
		both(w, r)
	})
}

type packedKey struct{}

// orUnpacked adds to why a body cannot be read that it may not be what it says.
func orUnpacked(r *http.Request) string {
	if packed, _ := r.Context().Value(packedKey{}).(bool); packed {
		return "; is it gzip, as Content-Encoding says?"
	}
	return ""
}

// exceeds says in which way a body is over a limit.
func exceeds(r *http.Request) string {
	if packed, _ := r.Context().Value(packedKey{}).(bool); packed {
		return "unpacks to more than"
	}
	return "is longer than"
}

func worthPacking(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.HasPrefix(kind, "text/") && kind != "text/event-stream" || strings.HasSuffix(kind, "json")
}
