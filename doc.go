// Package annals is long-term memory for AI agents, kept in the PostgreSQL an
// application already runs: a bi-temporal knowledge graph in plain tables.
//
// An application adds what an agent hears as episodes. Each is stored word for
// word and then read: the entities it mentions and the facts it states go into
// the graph. Every fact has the time at which it holds in the world and the time
// at which the memory learned it.
//
//	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url})
//	_, err = client.Add(ctx, annals.Episode{GroupID: "alice", Actor: "Alice", Content: "I live in Paris."})
//	err = client.Process(ctx, "alice", nil)
//	text, err := client.Context(ctx, annals.Query{GroupID: "alice", Text: "Where does Alice live?"})
//
// Nothing is overwritten. When Alice says that she moved to Lisbon, the old
// fact ends on the day of the move, and both stay readable: [FactFilter].ValidAt
// selects what held on a day, KnownAt what the group believed on a day, and
// [Client.History] lists the versions of one fact.
//
// Groups keep memories apart: one for each user, team or agent.
//
// Each kind of record has a method that returns one and a method that lists
// many: [Client.Episode] and [Client.Episodes], [Client.Fact] and [Client.Facts],
// [Client.Entity] and [Client.Entities], [Client.Thread] and [Client.Threads],
// [Client.Group] and [Client.Groups]. Lists take a filter. Its After continues
// after the last row of the page before.
//
// Adding is quick; processing takes as long as the analyst takes. An accepted
// episode survives any crash, and no half-read episode is ever visible.
//
// # The database
//
// Migrate the database before opening it: by 'annals migrate up', by a tool that
// deploys the application's own migrations, or in the program itself:
//
//	_, err := migrations.Up(ctx, url, migrations.Options{})
//
// Package [github.com/annalsdb/annals/migrations] has the files, as FS. Its
// function SQL returns them as one script.
//
// # The analyst
//
// By default the offline analyst reads episodes by rules. It is a floor, not a
// model: its graph is modest, but search over the episodes is good. If
// [Config].LLM is set, a language model reads instead:
//
//	llm, err := model.OpenLLM(model.Config{Model: "openai:gpt-5-mini", APIKey: key})
//	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url, LLM: llm})
//
// A message costs at most four calls, however many entities and facts there
// are. A long document costs more, since it is read in parts. The output of a
// model is checked before it is used. [Client.Trace] lists for each episode what
// was added, matched, dropped and ended, with reasons; [Client.Usage] returns
// what a group has cost. An episode that cannot be read stays stored, and
// [Client.Retry] makes it wait again.
//
// # Ontology and edits by hand
//
// [Client.SetOntology] sets the types of entities and facts that a group looks
// for, and their attributes. [Client.AddTriple] adds one fact directly, without a
// text. [Client.MergeEntities], [Client.SplitEntity] and [Client.RenameEntity]
// correct the identity of entities. [Client.BuildCommunities] finds clusters of
// entities and summarises them.
//
// # Other packages
//
// Some types here are aliases of types in other packages, as Erasure is of
// erase.Erasure. Their fields are documented there: 'go doc erase.Erasure'.
//
// Package worker reads waiting episodes in the background, and metrics counts for
// Prometheus. Package agent gives agents a memory that they manage themselves.
// Package client has the methods of this package over REST. Package langchain is
// a memory for langchaingo's chains.
package annals
