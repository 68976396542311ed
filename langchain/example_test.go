package langchain_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms/fake"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/langchain"
)

// A statement of Monday is known on Friday, in another conversation.
func ExampleNewMemory() {
	ctx := context.Background()
	url, drop := pgtest.Example()
	defer drop()

	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	llm := fake.NewFakeLLM([]string{"Noted."}) // in its place openai.New(), ollama.New(ollama.WithModel("qwen3:8b")), …
	monday, err := langchain.NewMemory(client, langchain.Options{GroupID: "alice", ThreadID: "monday", Actor: "Alice"})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := chains.Run(ctx, chains.NewConversation(llm, monday), "I moved to Lisbon on 6 March 2024.")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)

	friday, err := langchain.NewMemory(client, langchain.Options{GroupID: "alice", ThreadID: "friday", Actor: "Alice"})
	if err != nil {
		log.Fatal(err)
	}
	shown, err := friday.LoadMemoryVariables(ctx, map[string]any{"input": "Where does Alice live?"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(shown["history"].(string), "- (since 6 March 2024) Alice moved to Lisbon on 6 March 2024."))
	// Output:
	// Noted.
	// true
}
