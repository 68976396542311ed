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
// Adding is safe and quick; processing takes as long as the analyst takes. An
// episode that was accepted survives any crash, and no half-read episode is
// ever visible.
//
// Without configuration the offline analyst reads episodes by rules. It is a
// floor, not a model: its graph is modest, its search over what was said is good.
package annals
