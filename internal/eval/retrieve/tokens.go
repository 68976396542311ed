package retrieve

import "github.com/annalsdb/annals/model/tokens"

// Tokenizer names the encoding that counts tokens.
const Tokenizer = "o200k_base"

// Tokens counts the tokens of a text.
func Tokens(text string) int { return tokens.O200k().Count(text) }
