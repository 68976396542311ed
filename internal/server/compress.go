package server

import (
	"compress/gzip"
	"context"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// jitter is the most random bytes that are added to a compressed response. Without them its length
// would reveal how much a secret in it has in common with the request.
const jitter = 32

// compressed compresses responses if that pays and the caller accepts it, and decompresses request
// bodies. Handlers limit the decompressed size as that of any body. Event streams are not
// compressed: each event has to arrive at once.
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
				r.ContentLength = -1 // the decompressed length is not known
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

// orUnpacked extends the reason why a body cannot be read: it may not be gzip.
func orUnpacked(r *http.Request) string {
	if packed, _ := r.Context().Value(packedKey{}).(bool); packed {
		return "; is it gzip, as Content-Encoding says?"
	}
	return ""
}

// exceeds returns the words for a body that is over a limit.
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
