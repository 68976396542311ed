// Command chat is a conversation with a model that remembers: what was said a
// moment ago, and what was said in any conversation before.
//
//	annals up &                                     # or any PostgreSQL, after annals migrate up
//	go run ./examples/chat -database-url … -group alice -model gpt-5-mini
//
// With -model the answers are OpenAI's, by the key in OPENAI_API_KEY. Without,
// there is no model: it shows what memory would tell one.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/langchain"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var c chat
	flag.StringVar(&c.url, "database-url", "", "PostgreSQL with the schema of Annals; empty: as PGHOST and the like say")
	flag.StringVar(&c.group, "group", "chat", "the memory")
	flag.StringVar(&c.thread, "thread", "chat-1", "the conversation")
	flag.StringVar(&c.actor, "name", "", "your name")
	model := flag.String("model", "", "a model of OpenAI; empty: none")
	flag.Parse()
	c.llm = offline{}
	if *model != "" {
		llm, err := openai.New(openai.WithModel(*model))
		if err != nil {
			fail(err)
		}
		c.llm = llm
	}
	if err := c.run(ctx, os.Stdin, os.Stdout); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "chat:", err)
	os.Exit(1)
}

// chat is one conversation.
type chat struct {
	url, group, thread, actor string
	llm                       llms.Model
}

// run answers line by line.
func (c chat) run(ctx context.Context, in io.Reader, out io.Writer) error {
	client, err := annals.Open(ctx, annals.Config{DatabaseURL: c.url}) // LLM: a model to read what is said, in place of the rules
	if err != nil {
		return err
	}
	defer client.Close()
	memory, err := langchain.NewMemory(client, langchain.Options{GroupID: c.group, ThreadID: c.thread, Actor: c.actor})
	if err != nil {
		return err
	}
	chain := chains.NewConversation(c.llm, memory)
	lines := bufio.NewScanner(in)
	for fmt.Fprint(out, "> "); lines.Scan(); fmt.Fprint(out, "> ") {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		answer, err := chains.Run(ctx, chain, lines.Text())
		if err != nil {
			return err
		}
		fmt.Fprintln(out, answer)
	}
	return lines.Err()
}

// offline stands in for a model where there is none: it answers with the lines of
// memory that it is shown.
type offline struct{}

// GenerateContent answers the prompt of a conversation.
func (o offline) GenerateContent(ctx context.Context, messages []llms.MessageContent, _ ...llms.CallOption) (*llms.ContentResponse, error) {
	prompt, _ := messages[len(messages)-1].Parts[0].(llms.TextContent)
	answer, err := o.Call(ctx, prompt.Text)
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: answer}}}, err
}

// Call answers a prompt.
func (offline) Call(_ context.Context, prompt string, _ ...llms.CallOption) (string, error) {
	known := ""
	for line := range strings.Lines(prompt) {
		if strings.HasPrefix(line, "- ") {
			known += line
		}
	}
	if known == "" {
		return "(no model; memory knows nothing of that yet)", nil
	}
	return "(no model; memory knows:)\n" + strings.TrimSpace(known), nil
}
