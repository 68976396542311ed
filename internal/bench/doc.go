// Package bench measures what Annals costs: how long a search takes as groups
// grow, how much of the exact result an approximate index finds, and what an
// episode costs beside the language model.
//
// The groups it measures are made up, so that they can have any size, after
// what real ones are like:
//
//   - Words are as frequent as in a language, by the law of Zipf and
//     Mandelbrot: the commonest stands in about a fifth of all facts, half of
//     all words in one or two. The commonest are words of the sample
//     conversation, the others are invented.
//   - A fact speaks of one topic out of hundreds, half of its words are of that
//     topic, and two entities take part in it, and some have thousands of
//     facts and most have one.
//   - Vectors come from a space of [latent] dimensions, as those of real
//     embedders mostly do: words of one topic lie near each other, the vector
//     of a text is the weighted sum of its words. Queries are embedded alike.
//
// The same seed makes the same text. Groups are written with COPY, through the
// same triggers as any other row, and are left in the database, so that the
// next run finds them.
package bench
