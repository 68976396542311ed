package service_test

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// A damaged certificate is refused, and the error says what is wrong with it.
func TestDamagedCertificates(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"))
	erased, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	for hash, want := range map[string]string{
		"x:00ff001100ff001100ff0011:10":      "is no keyed hash, which has 64 hexadecimal digits",
		strings.Repeat("0", 64) + ":00ff:10": `the marks "00ff" of a sentence are not 24 hexadecimal digits`,
	} {
		_, err := service.New(client).EraseAgain(t.Context(), "t", annals.Certificate{Scope: "episode", Key: erased.Key, Sentences: []string{hash}})
		if annals.CodeOf(err) != annals.CodeInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", hash, err)
		}
	}
}
