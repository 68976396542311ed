// Package worker reads waiting episodes in the background, with the queue River
// (https://riverqueue.com) in the same database. Any number of workers, processes and machines may
// work together; they need only the database.
//
// A trigger puts a job for a group into the queue in the transaction that adds an episode, also
// from SQL. A group has one job, however many episodes wait. Its worker takes them in their order
// until none is left. Groups are read in parallel. A group with many episodes goes to the back of
// the queue every few seconds, so that others have their turn.
//
// If a worker dies, a job that looks for groups with waiting episodes and no job finds its group
// within seconds. Episodes are never only in the queue, so nothing is lost with the queue.
package worker
