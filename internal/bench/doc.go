// Package bench measures the cost of Annals: the time of a search as groups
// grow, the recall of an approximate index, and the cost of an episode apart
// from the language model.
//
// The measured groups are invented, so that they can have any size. They
// resemble real ones:
//
//   - Word frequencies follow the law of Zipf and Mandelbrot, as in a language:
//     the most frequent word occurs in about a fifth of all facts, half of all
//     words in one or two. The most frequent words come from the sample
//     conversation, the others are invented.
//   - A fact belongs to one of hundreds of topics, and half of its words are of
//     that topic. It connects two entities. Some entities have thousands of
//     facts, most have one.
//   - Vectors come from a space of [latent] dimensions, as those of real
//     embedders mostly do. Words of a topic lie close together, and a text's
//     vector is the weighted sum of its words. Queries are embedded alike.
//
// The same seed gives the same text. Groups are written with COPY, through the
// usual triggers. They are kept in the database for the next run.
package bench
