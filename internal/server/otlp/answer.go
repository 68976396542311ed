package otlp

import (
	"fmt"
	"net/http"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// maxReasons is how many reasons for refused spans a response lists.
const maxReasons = 5

// answer writes an ExportTraceServiceResponse in the encoding of the request.
func answer(w http.ResponseWriter, r *http.Request, refused []service.RefusedSpans) {
	var count int64
	var reasons []string
	for _, one := range refused {
		if count += one.Count; len(reasons) < maxReasons {
			reasons = append(reasons, one.Reason)
		}
	}
	message := strings.Join(reasons, "; ")
	if more := len(refused) - len(reasons); more > 0 {
		message += fmt.Sprintf("; and %s more", each.Count(more, "reason"))
	}
	if encodingOf(r) == text {
		type partial struct {
			Rejected int64  `json:"rejectedSpans,string"`
			Message  string `json:"errorMessage"`
		}
		var said struct {
			Partial *partial `json:"partialSuccess,omitempty"`
		}
		if count > 0 {
			said.Partial = &partial{count, message}
		}
		server.WriteJSON(w, http.StatusOK, said, "{}")
		return
	}
	var body []byte
	if count > 0 {
		partial := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(count)) //nolint:gosec // it is a count
		partial = protowire.AppendString(protowire.AppendTag(partial, 2, protowire.BytesType), message)
		body = protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), partial)
	}
	write(w, http.StatusOK, body)
}

// codes maps HTTP statuses to google.rpc.Code. Other statuses are internal errors.
var codes = map[int]uint64{
	http.StatusBadRequest: 3, http.StatusUnauthorized: 16, http.StatusForbidden: 7, http.StatusNotFound: 5, http.StatusMethodNotAllowed: 12,
	http.StatusRequestTimeout: 4, http.StatusConflict: 9, http.StatusRequestEntityTooLarge: 8, http.StatusUnsupportedMediaType: 3,
	http.StatusTooManyRequests: 8, http.StatusServiceUnavailable: 14,
}

// refuse writes a problem, as google.rpc.Status if the request was protobuf. Input that cannot be
// taken is a bad request in OTLP.
func refuse(w http.ResponseWriter, r *http.Request, p *server.Problem) {
	if p.Status == http.StatusUnprocessableEntity {
		p = server.NewProblem(http.StatusBadRequest, p.Detail)
	}
	if encodingOf(r) != wire {
		p.Write(w)
		return
	}
	code, known := codes[p.Status]
	if !known {
		code = 13
	}
	body := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), code)
	write(w, p.Status, protowire.AppendString(protowire.AppendTag(body, 2, protowire.BytesType), p.Detail))
}

func write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", wire)
	w.WriteHeader(status)
	_, _ = w.Write(body) // the caller may have disconnected
}
