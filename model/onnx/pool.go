package onnx

import (
	"errors"
	"fmt"
	"math"
)

// pool returns one vector of length one for each text, given the network's
// output: a vector for each token without the padding, or one for the text.
func pool(output any, by pooling) ([][]float32, error) {
	var vectors [][]float32
	switch values := output.(type) {
	case [][]float32:
		vectors = values
	case [][][]float32:
		for _, tokens := range values {
			vectors = append(vectors, poolTokens(tokens, by))
		}
	default:
		return nil, fmt.Errorf("the embedding model's output is no list of vectors: %T", output)
	}
	for _, vector := range vectors {
		if err := normalise(vector); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

func poolTokens(tokens [][]float32, by pooling) []float32 {
	if by == clsPooling {
		return tokens[0]
	}
	mean := make([]float32, len(tokens[0]))
	for _, token := range tokens {
		for i, x := range token {
			mean[i] += x / float32(len(tokens))
		}
	}
	return mean
}

// normalise scales a vector to length one, in place.
func normalise(vector []float32) error {
	squares := 0.0
	for _, x := range vector {
		squares += float64(x) * float64(x)
	}
	if squares == 0 || math.IsNaN(squares) || math.IsInf(squares, 0) {
		return errors.New("the embedding model made a vector without a direction (zero, NaN or infinite): its file may be damaged")
	}
	length := math.Sqrt(squares)
	for i, x := range vector {
		vector[i] = float32(float64(x) / length)
	}
	return nil
}
