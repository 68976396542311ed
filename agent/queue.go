package agent

// The queue manager: which messages leave the context, and when.

// cut says how many messages of a queue are to leave, the oldest first, so that
// at least give tokens become free: at a place where neither a call is parted
// from its result nor a turn begins with one, and leaving the last protect
// messages as long as that gives anything at all. 0: none can leave, because
// only one message is there, or one call with its result.
func cut(queue []Message, give, protect int) int {
	places := cutPlaces(queue)
	if len(places) == 0 {
		return 0
	}
	best, freed, next := 0, 0, 0
	for _, place := range places {
		if best > 0 && place > len(queue)-protect {
			break
		}
		for ; next < place; next++ {
			freed += queue[next].tokens
		}
		if best = place; freed >= give {
			break
		}
	}
	return best
}

// cutPlaces are the numbers of messages after which a queue may be cut: before
// what came from outside, or where there is no such place, before any call.
// The last message, and the call it is the result of, stay.
func cutPlaces(queue []Message) []int {
	var turns, steps []int
	for i := 1; i < len(queue); i++ {
		switch {
		case queue[i].Role == roleUser || queue[i].Role == roleSystem:
			turns = append(turns, i)
		case queue[i].Kind != KindResult:
			steps = append(steps, i)
		}
	}
	if len(turns) > 0 {
		return turns
	}
	return steps
}
