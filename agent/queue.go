package agent

// The queue manager: which messages leave the context, and when.

// cut says how many messages of a queue are to leave, the oldest first, so that
// at least give tokens become free: at the beginning of a turn where that is
// enough, else before a call, and never between a call and its result. The last
// protect messages stay as long as any others can leave. 0: none can leave,
// because only one message is there, or one call with its result.
func cut(queue []Message, give, protect int) int {
	enough, last, freed := 0, 0, 0
	for i := 1; i < len(queue); i++ {
		freed += queue[i-1].tokens
		if queue[i].Kind == KindResult {
			continue
		}
		if last > 0 && i > len(queue)-protect {
			break
		}
		last = i
		switch {
		case freed < give:
		case queue[i].fromOutside():
			return i
		case enough == 0:
			enough = i
		}
	}
	if enough > 0 {
		return enough
	}
	return last
}

// fromOutside reports whether a message is neither a call, nor a result, nor a
// thought: a turn may begin with it.
func (m Message) fromOutside() bool { return m.Role == roleUser || m.Role == roleSystem }

// surplus is how many tokens are to be given back before the model is asked; 0:
// none. Beside a context that is full, one of more messages than are read at
// once has to give some.
func (t *turn) surplus(p prompt) int {
	room := t.settings.room()
	limit := int(t.settings.Flush * float64(room))
	switch {
	case p.tokens > limit:
		return max(p.tokens-limit, int(t.settings.Evict*float64(room)))
	case t.state.crowded:
		return max((p.tokens-p.fixed)/2, 1)
	}
	return 0
}
