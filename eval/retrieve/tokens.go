package retrieve

import "github.com/annalsdb/annals/eval/ranking"

// Tokenizer is what counts the tokens of a line.
const Tokenizer = "estimate: 4/3 of the words"

// Tokens counts the tokens of a text.
func Tokens(text string) int { return (4*len(ranking.Words(text)) + 2) / 3 }
