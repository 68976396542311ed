package model_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// inBubble opens a model on an in-process server with an address of its own, so
// that time can be virtual.
func inBubble(t *testing.T, c model.Config, answer func(modeltest.Request) modeltest.Reply) (*model.LLM, *modeltest.Server) {
	t.Helper()
	s := modeltest.NewInProcess(t, answer)
	c.HTTPClient, c.BaseURL = modeltest.Client(s), s.URL
	if c.Backoff == 0 {
		c.Backoff = time.Second
	}
	return open(t, c), s
}

func TestRetries(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fails    modeltest.Reply
		from, to time.Duration // of virtual time
	}{
		"too many requests, for 7 s":           {modeltest.Reply{Status: 429, RetryAfter: "7"}, 7 * time.Second, 7 * time.Second},
		"too many requests, for half a minute": {modeltest.Reply{Status: 429, RetryAfter: "30"}, 30 * time.Second, 30 * time.Second},
		"too many requests, until a date":      {modeltest.Reply{Status: 503, RetryAfter: "Sat, 01 Jan 2000 00:01:00 GMT"}, time.Minute, time.Minute},
		"too many requests, for some time":     {modeltest.Reply{Status: 429, Text: "slow down"}, time.Second / 2, 3 * time.Second / 2},
		"an error of the server":               {modeltest.Reply{Status: 500}, time.Second / 2, 3 * time.Second / 2},
		"overload":                             {modeltest.Reply{Status: 529}, time.Second / 2, 3 * time.Second / 2},
		"a broken connection":                  {modeltest.Reply{Reset: true}, time.Second / 2, 3 * time.Second / 2},
		"a timeout":                            {modeltest.Reply{Hang: true}, 20*time.Second + time.Second/2, 20*time.Second + 3*time.Second/2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ledger := &modeltest.Ledger{}
				l, s := inBubble(t, model.Config{Timeout: 20 * time.Second}, script(tt.fails, modeltest.Reply{JSON: ada}))
				started := time.Now() // 2000-01-01 in a bubble
				wantAda(t, l.With(ledger))
				if took := time.Since(started); took < tt.from || took > tt.to {
					t.Errorf("took %s, want %s to %s", took, tt.from, tt.to)
				}
				calls := s.Calls()
				if len(calls) != 2 || string(calls[0].Body) != string(calls[1].Body) {
					t.Errorf("%d calls, want two alike", len(calls))
				}
				if lines := ledger.Calls(); len(lines) != 2 || lines[0].Error == "" || lines[0].Answer != "" || lines[1].Error != "" {
					t.Errorf("the ledger has %+v", lines)
				}
			})
		})
	}
}

func TestRetriesEnd(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fails   modeltest.Reply
		retries int
		calls   int
		says    string
	}{
		"after four":              {modeltest.Reply{Status: 500, Text: "on fire"}, 0, 5, "on fire; the provider has trouble"},
		"after one":               {modeltest.Reply{Status: 500}, 1, 2, "openai answered 500 (Internal Server Error)"},
		"before the first":        {modeltest.Reply{Status: 500}, -1, 1, "500"},
		"timeouts after one":      {modeltest.Reply{Hang: true}, 0, 2, "no answer within 2m0s"},
		"at once: a wrong key":    {modeltest.Reply{Status: 401, Text: "bad key"}, 0, 1, "bad key; check the key in OPENAI_API_KEY"},
		"at once: no such model":  {modeltest.Reply{Status: 404}, 0, 1, "check the name of the model"},
		"at once: no credit":      {modeltest.Reply{Status: 429, Text: "You exceeded your current quota"}, 0, 1, "no credit left"},
		"at once: back in a hour": {modeltest.Reply{Status: 429, RetryAfter: "3600"}, 0, 1, "too many calls"},
		"with resets":             {modeltest.Reply{Reset: true}, 2, 3, "the connection broke in the middle of the answer"},
		"with status 200":         {modeltest.Reply{Raw: `{"error":{"message":"limited upstream","code":429}}`}, 1, 2, "answered 429 (Too Many Requests): limited upstream"},
		"amid the words":          {modeltest.Reply{Raw: `{"choices":[{"finish_reason":"error","message":{"content":"{\"peo"},"error":{"message":"down upstream","code":502}}]}`}, 1, 2, "answered 502 (Bad Gateway): down upstream"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ledger := &modeltest.Ledger{}
				l, s := inBubble(t, model.Config{Retries: tt.retries}, says(tt.fails))
				_, err := ask(t.Context(), l.With(ledger))
				call, ok := errors.AsType[*model.CallError](err)
				if !ok || tt.fails.Raw == "" && call.Status != tt.fails.Status || !strings.Contains(err.Error(), tt.says) || graph.CodeOf(err) != graph.CodeUnavailable {
					t.Fatalf("error %v, want %q in it", err, tt.says)
				}
				if tt.fails.RetryAfter == "3600" && call.RetryAfter != time.Hour {
					t.Errorf("the error says to wait %s", call.RetryAfter)
				}
				if s.Chats() != tt.calls || len(ledger.Calls()) != tt.calls {
					t.Errorf("%d calls and %d lines, want %d", s.Chats(), len(ledger.Calls()), tt.calls)
				}
			})
		})
	}
}

func TestPausesGrow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Time
		l, _ := inBubble(t, model.Config{}, func(modeltest.Request) modeltest.Reply {
			at = append(at, time.Now())
			return modeltest.Reply{Status: 502}
		})
		_, _ = ask(t.Context(), l)
		for i, pause := range []time.Duration{1, 2, 4, 8} {
			pause *= time.Second
			if got := at[i+1].Sub(at[i]); got < pause/2 || got > pause*3/2 {
				t.Errorf("pause %d is %s, want %s by and large", i, got, pause)
			}
		}
	})
}

func TestContextErrorsAreKept(t *testing.T) {
	t.Parallel()
	for _, spec := range []string{"openai:m", "anthropic:m", "ollama:m"} {
		synctest.Test(t, func(t *testing.T) {
			ledger := &modeltest.Ledger{}
			hangs := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				<-r.Context().Done()
				panic(http.ErrAbortHandler)
			})
			l := open(t, model.Config{Model: spec, HTTPClient: modeltest.Client(hangs), BaseURL: "http://" + t.Name()}).With(ledger)
			late, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if _, err := ask(late, l); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: error %v, want a deadline", spec, err)
			}
			gone, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			if _, err := ask(gone, l); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: error %v, want cancelled", spec, err)
			}
			if len(ledger.Calls()) != 2 {
				t.Errorf("%s: what was sent is not recorded: %+v", spec, ledger.Calls())
			}
		})
	}
}

func TestContextEndsBetweenTries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, s := inBubble(t, model.Config{}, says(modeltest.Reply{Status: 429, RetryAfter: "60"}))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		started := time.Now()
		_, err := ask(ctx, l)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(started) > 10*time.Second || s.Chats() != 1 {
			t.Errorf("after %s and %d calls: error %v", time.Since(started), s.Chats(), err)
		}
	})
}

func TestUnreachableServer(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	ledger := &modeltest.Ledger{}
	_, err = ask(t.Context(), open(t, model.Config{Model: "vllm:m", BaseURL: "http://" + address + "/v1"}).With(ledger))
	if graph.CodeOf(err) != graph.CodeUnavailable || !strings.Contains(err.Error(), "is the server running?") ||
		!strings.Contains(err.Error(), "cannot reach http://"+address) {
		t.Errorf("error %v", err)
	}
	if len(ledger.Calls()) != 0 {
		t.Errorf("a call that reached nobody is recorded: %+v", ledger.Calls())
	}
}

func TestNoSecretsInErrors(t *testing.T) {
	t.Parallel()
	const key = "sk-proj-abcdefghijklmnop"
	for name, reply := range map[string]modeltest.Reply{
		"the key":        {Status: 400, Text: "the header Authorization: Bearer " + key + " is odd"},
		"a masked key":   {Status: 401, Text: "Incorrect API key provided: sk-proj-********mnop."},
		"in an answer":   {Raw: `{"error": "` + key + `"`},
		"in the headers": {Status: 500, Text: "x-api-key=" + key},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.NewServer(t, says(reply))
			ledger := &modeltest.Ledger{}
			_, err := ask(t.Context(), open(t, model.Config{BaseURL: s.URL, APIKey: key}).With(ledger))
			if err == nil || strings.Contains(err.Error(), "mnop") {
				t.Errorf("error %v", err)
			}
			for _, line := range ledger.Calls() {
				if strings.Contains(line.Error, "mnop") {
					t.Errorf("the ledger has %q", line.Error)
				}
			}
		})
	}
}

func TestKeysDoNotFollowRedirects(t *testing.T) {
	t.Parallel()
	elsewhere := modeltest.NewServer(t, says(modeltest.Reply{JSON: ada}))
	moved := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL+"/chat/completions", http.StatusTemporaryRedirect)
	})
	l := open(t, model.Config{HTTPClient: modeltest.Client(moved), BaseURL: "http://moved.test/v1", APIKey: "secret"})
	if _, err := ask(t.Context(), l); err == nil || elsewhere.Chats() != 0 {
		t.Errorf("error %v, %d calls elsewhere", err, elsewhere.Chats())
	}
}

func TestRequestsPerMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Time
		l, _ := inBubble(t, model.Config{RequestsPerMinute: 30}, func(modeltest.Request) modeltest.Reply {
			at = append(at, time.Now())
			return modeltest.Reply{JSON: ada}
		})
		for range 90 {
			wantAda(t, l)
		}
		wantAtMost(t, at, 30)
		if took := time.Since(at[0]); took > 4*time.Minute {
			t.Errorf("90 calls at 30 a minute took %s", took)
		}
	})
}

// wantAtMost checks the limit in every window of a minute.
func wantAtMost(t *testing.T, at []time.Time, n int) {
	t.Helper()
	for i := range at {
		if i+n < len(at) && at[i+n].Sub(at[i]) < time.Minute {
			t.Fatalf("calls %d to %d, more than %d, came within %s", i, i+n, n, at[i+n].Sub(at[i]))
		}
	}
}

func TestTokensPerMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Time
		l, _ := inBubble(t, model.Config{TokensPerMinute: 10_000}, func(modeltest.Request) modeltest.Reply {
			at = append(at, time.Now())
			return modeltest.Reply{JSON: ada, InputTokens: 1500, OutputTokens: 500}
		})
		for range 30 {
			wantAda(t, l)
		}
		wantAtMost(t, at, 6) // 5, and one whose tokens are only known afterwards
		if took := time.Since(at[0]); took < 4*time.Minute || took > 12*time.Minute {
			t.Errorf("60 000 tokens at 10 000 a minute took %s", took)
		}
	})
}

func TestLimitsHeedTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, s := inBubble(t, model.Config{RequestsPerMinute: 1}, says(modeltest.Reply{JSON: ada}))
		wantAda(t, l)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := ask(ctx, l); !errors.Is(err, context.DeadlineExceeded) || s.Chats() != 1 {
			t.Errorf("%d calls, error %v", s.Chats(), err)
		}
	})
}

func TestConcurrencyIsOfTheProcess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		now, most := 0, 0
		change := func(by int) {
			mu.Lock()
			defer mu.Unlock()
			now += by
			most = max(most, now)
		}
		main, s := inBubble(t, model.Config{Concurrency: 3}, func(modeltest.Request) modeltest.Reply {
			change(+1)
			defer change(-1)
			time.Sleep(time.Second) // virtual
			return modeltest.Reply{JSON: ada}
		})
		small := open(t, model.Config{Model: "openai:small", BaseURL: s.URL, HTTPClient: modeltest.Client(s)})
		var all sync.WaitGroup
		for range 10 {
			for _, l := range []*model.LLM{main, small} {
				all.Go(func() { wantAda(t, l) })
			}
		}
		all.Wait()
		if diff := cmp.Diff(3, most); diff != "" {
			t.Errorf("calls at once (-want +got):\n%s", diff)
		}
	})
}
