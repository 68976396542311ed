package annals_test

import (
	"context"
	"fmt"
	"log"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
)

func ExampleClient_AddEntities() {
	ctx := context.Background()
	client, done := story()
	defer done()
	ids, err := client.AddEntities(ctx, "alice", []annals.Entity{{Name: "Apollo", Labels: []string{"Project"}}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(ids))
	// Output: 1
}

func ExampleClient_EditEntity() {
	ctx := context.Background()
	client, done := story()
	defer done()
	summary := "Lives by the sea."
	entity, err := client.EditEntity(ctx, "alice", home(client).SourceID, annals.EntityEdit{Summary: &summary})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(entity.Name+":", entity.Summary)
	// Output: Alice: Lives by the sea.
}

func ExampleClient_DeleteEntity() {
	ctx := context.Background()
	client, done := story()
	defer done()
	err := client.DeleteEntity(ctx, "alice", home(client).TargetID)
	fmt.Println(err)
	// Output: <nil>
}

func ExampleClient_SetMetadata() {
	ctx := context.Background()
	client, done := story()
	defer done()
	if err := client.SetMetadata(ctx, "alice", last(client).ID, []byte(`{"mood": "calm"}`)); err != nil {
		log.Fatal(err)
	}
	episode, err := client.Episode(ctx, "alice", last(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(episode.Metadata))
	// Output: {"mood": "calm"}
}

func ExampleClient_ListEntities() {
	ctx := context.Background()
	client, done := story()
	defer done()
	entities, err := client.ListEntities(ctx, annals.List{GroupID: "alice", OrderBy: "degree"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(entities[0].Name, entities[0].Facts)
	// Output: Alice 2
}

func ExampleClient_ListFacts() {
	ctx := context.Background()
	client, done := story()
	defer done()
	facts, err := client.ListFacts(ctx, annals.List{GroupID: "alice", OrderBy: "valid_at", Ascending: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(facts[0].Fact)
	// Output: Alice lives in Paris.
}

func ExampleClient_ListEpisodes() {
	ctx := context.Background()
	client, done := story()
	defer done()
	episodes, err := client.ListEpisodes(ctx, annals.List{GroupID: "alice", Mentions: []uuid.UUID{home(client).TargetID}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(episodes), episodes[0].Content)
	// Output: 1 I live in Paris.
}

func ExampleClient_EpisodesMentioning() {
	ctx := context.Background()
	client, done := story()
	defer done()
	paris := home(client).TargetID
	episodes, err := client.EpisodesMentioning(ctx, "alice", []uuid.UUID{paris}, 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(episodes[paris]))
	// Output: 1
}

func ExampleClient_FactsByID() {
	ctx := context.Background()
	client, done := story()
	defer done()
	facts, err := client.FactsByID(ctx, "alice", []uuid.UUID{home(client).ID})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(facts[0].Fact)
	// Output: Alice lives in Paris.
}

func ExampleClient_EntitiesByID() {
	ctx := context.Background()
	client, done := story()
	defer done()
	entities, err := client.EntitiesByID(ctx, "alice", []uuid.UUID{home(client).TargetID})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(entities[0].Name)
	// Output: Paris
}

func ExampleClient_Mentioned() {
	ctx := context.Background()
	client, done := story()
	defer done()
	entities, err := client.Mentioned(ctx, "alice", last(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(entities))
	// Output: 2
}

func ExampleClient_Progress() {
	ctx := context.Background()
	client, done := story()
	defer done()
	progress, err := client.Progress(ctx, "alice", last(client).ID, last(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(progress.Done, progress.Ended())
	// Output: 1 true
}
