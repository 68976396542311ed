package service_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// releasing opens a memory with two runs of one task.
func releasing() (client *annals.Client, skill annals.Skill, done func()) {
	ctx := context.Background()
	client, done = empty()
	for day := range 2 {
		run := annals.Run{Task: "Cut a release", Outcome: "success", Steps: []annals.RunStep{{Tool: "git tag"}, {Tool: "git push"}}}
		episode, err := run.Episode("ops", time.Date(2025, time.March, 1+day, 0, 0, 0, 0, time.UTC))
		if err != nil {
			log.Fatal(err)
		}
		if _, err := client.Add(ctx, episode); err != nil {
			log.Fatal(err)
		}
	}
	if err := client.Process(ctx, "ops", nil); err != nil {
		log.Fatal(err)
	}
	skills, err := client.Skills(ctx, annals.SkillFilter{GroupID: "ops", Task: "cut a release"})
	if err != nil {
		log.Fatal(err)
	}
	return client, skills[0], done
}

// A skill is a candidate until a person approves it.
func ExampleService_DecideSkill() {
	client, skill, done := releasing()
	defer done()

	approved, err := service.New(client).DecideSkill(context.Background(), "ops", skill.ID, "approve")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(skill.State, approved.State)
	// Output: candidate confirmed
}

// Each run makes a new version of the skill.
func ExampleService_SkillHistory() {
	client, skill, done := releasing()
	defer done()

	versions, err := service.New(client).SkillHistory(context.Background(), "ops", skill.ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range versions {
		fmt.Println(v.Successes, v.Steps)
	}
	// Output:
	// 1 [git tag git push]
	// 2 [git tag git push]
}
