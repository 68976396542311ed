// Package annals is long-term memory for AI agents, kept in the PostgreSQL an
// application already runs: a bi-temporal knowledge graph in plain tables.
//
// What an agent hears is handed in as episodes. Each is stored word for word
// and then read: the entities it mentions and the facts it states go into the
// graph, with the time at which every fact holds in the world and the time
// at which we learned it.
//
//	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url})
//	_, err = client.Add(ctx, annals.Episode{GroupID: "alice", Actor: "Alice", Content: "I live in Paris."})
//	err = client.Process(ctx, "alice", nil)
//	text, err := client.Context(ctx, annals.Query{GroupID: "alice", Text: "Where does Alice live?"})
//
// Nothing is overwritten. When Alice says that she moved to Lisbon, the old
// fact is closed at the day of the move and both stay readable: ask with
// [FactFilter].ValidAt what held on a day, with KnownAt what we believed then,
// and with [Client.History] how one fact came to be what it is.
//
// Groups keep memories apart: one for each user, team or agent.
//
// Each noun has a file, and a way to read one and to list many: [Client.Episode]
// and [Client.Episodes], [Client.Fact] and [Client.Facts], [Client.Entity] and
// [Client.Entities], [Client.Thread] and [Client.Threads], [Client.Group] and
// [Client.Groups]. Lists take a filter and go on after the last row of the page
// before.
//
// Adding is safe and quick; processing takes as long as the analyst takes. An
// episode that was accepted survives any crash, and no half-read episode is
// ever visible.
//
// # The database
//
// It is migrated before it is opened: by 'annals migrate up', by a tool that
// deploys the application's own migrations, or by the program itself:
//
//	_, err := migrations.Up(ctx, url, migrations.Options{})
//
// Package [github.com/annalsdb/annals/migrations] has the files, as FS, and
// writes them as one script, with SQL.
//
// # Who reads
//
// Without configuration the offline analyst reads episodes by rules. It is a
// floor, not a model: its graph is modest, its search over what was said is good.
// A language model reads in its place when [Config].LLM has one:
//
//	llm, err := model.OpenLLM(model.Config{Model: "openai:gpt-5-mini", APIKey: key})
//	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url, LLM: llm})
//
// A message costs at most four calls, however many entities and facts there
// are; a long document more, since it is read in parts. What a model says is
// checked before it is used; [Client.Trace] tells for every episode what was
// taken, matched, dropped and closed, and why, and [Client.Usage] what a group
// has cost. An episode that cannot be read stays stored, and [Client.Retry] makes it wait again.
//
// # What it is told, and by hand
//
// [Client.SetOntology] says which kinds of entities and facts a group looks for
// and what to note about them. [Client.AddTriple] adds one fact that is known as
// such. [Client.MergeEntities], [Client.SplitEntity] and [Client.RenameEntity]
// put right who is who. [Client.BuildCommunities] finds clusters of entities
// and summarises them.
//
// # Beside this package
//
// A type that is one of another package, as Erasure is erase.Erasure, has its fields
// there: 'go doc erase.Erasure' shows them.
//
// What only some programs need has packages of its own: worker reads waiting
// episodes in the background, metrics counts for Prometheus, agent gives agents a
// memory that they manage themselves, client has the methods of this package over
// REST, and langchain is a memory for langchaingo's chains.
package annals
