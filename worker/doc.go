// Package worker reads waiting episodes in the background, with the queue River
// (https://riverqueue.com) in the same database. Any number of workers, in any
// number of processes on any number of machines, work together; what they need
// is the database.
//
// A trigger puts a job for a group into the queue in the transaction that adds
// an episode, also from SQL. There is one job for a group however many episodes
// wait; its worker takes them in their order until none is left. Groups are read
// at the same time. A group with much to read goes to the
// back of the queue every few seconds, so that the others have their turn.
//
// What a worker left when it died is found within seconds by a job that looks
// for groups with waiting episodes and no job: episodes are never only in the
// queue, and nothing is lost with it.
package worker
