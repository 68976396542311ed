package onnx

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/annalsdb/annals/model/hub"
)

// find returns the folder of a model, and downloads it if necessary.
func find(ctx context.Context, config Config) (string, error) {
	if config.Model == "" {
		return "", errors.New("no embedding model is named: give a folder with model.onnx and tokenizer.json, or a name on the Hugging Face hub")
	}
	info, err := os.Stat(config.Model)
	switch {
	case err == nil && info.IsDir():
		return filepath.Abs(config.Model)
	case err == nil:
		return "", fmt.Errorf("%s is a file: name the folder that holds model.onnx and tokenizer.json", config.Model)
	}
	if _, err := hub.FullName(config.Model); err != nil {
		return "", fmt.Errorf("there is no folder %s to read a model from: name one that holds model.onnx and tokenizer.json", config.Model)
	}
	if config.CacheDir == "" {
		return "", fmt.Errorf("there is no folder %s, and to download a model of that name from the Hugging Face hub "+
			"a folder to keep it in must be set", config.Model)
	}
	return fromHub(ctx, config)
}

// fromHub returns the folder of a model of the hub.
func fromHub(ctx context.Context, config Config) (string, error) {
	if folder, ok := hub.Folder(config.CacheDir, config.Model); ok {
		if _, err := findNetwork(folder, config.File); err == nil {
			return folder, nil
		}
	}
	if _, err := findLibrary(config.Library); err != nil { // checked first, so that no download is in vain
		return "", err
	}
	model, err := hub.Pull(ctx, hub.Config{
		Name: config.Model, Folder: config.CacheDir, From: config.Endpoint, File: config.File, ONNX: true, Token: config.Token,
	})
	if err != nil {
		return "", fmt.Errorf("download the embedding model %s from the Hugging Face hub: %w "+
			"(without a network, copy the model's folder here and name that folder instead)", config.Model, err)
	}
	return model.Folder, nil
}
