package answer

import (
	"fmt"
)

// Rule is a rule for judging answers.
type Rule struct {
	instructions string
	gold         string // label of the right answer
}

// Common beginnings of LongMemEval's rules.
const (
	contains = "You are given a question, the correct answer and a model's response. Judge whether the response is right. " +
		"It is right if it contains the correct answer, is equivalent to it, or has all the intermediate steps that lead to it. " +
		"It is wrong if it has only a part of what the answer requires."
	rubric = "You are given a question, a rubric for a response that suits this user and a model's response. " +
		"The response is right if it recalls the user's personal information and makes correct use of it. It need not meet every point of the rubric."
)

// The rules. Those of LongMemEval differ by the type of question (Wu et al., src/evaluation/evaluate_qa.py).
var (
	// Generous is the very lenient rule used for LoCoMo since Mem0 (arXiv 2504.19413), and for DMR
	// in Zep's paper (arXiv 2501.13956).
	Generous = Rule{
		"You are given a question that one person asks another about what they talked of before, the gold answer and a model's answer. " +
			"Judge generously: a longer answer is right as long as it touches on the same topic as the gold answer. " +
			"A time is right if it is the same date or period, in whatever format, relative ones included.", "Gold answer",
	}
	// Contains is LongMemEval's rule for information from one or several sessions.
	Contains = Rule{contains, "Correct answer"}
	// Counted is LongMemEval's rule for temporal reasoning.
	Counted = Rule{contains + " A count of days, weeks or months that is off by one is right nevertheless.", "Correct answer"}
	// Updated is LongMemEval's rule for knowledge updates.
	Updated = Rule{
		"You are given a question, the correct answer and a model's response. Judge whether the response is right. " +
			"It is right if it contains the correct answer; older information beside it does no harm as long as the updated answer is the one required.", "Correct answer",
	}
	// Preferred is LongMemEval's rule for preferences, whose gold answer is a rubric.
	Preferred = Rule{rubric, "Rubric"}
	// Abstained is LongMemEval's rule for questions without an answer.
	Abstained = Rule{
		"You are given a question that cannot be answered, an explanation why and a model's response. " +
			"The response is right if it says that the question cannot be answered: that information is missing, or that other things are known but not this.", "Explanation",
	}
)

func (r Rule) prompt(group, question, gold, response string) Prompt {
	return Prompt{
		Name: "judge_answer", Group: group, System: r.instructions,
		User: fmt.Sprintf("Question: %s\n\n%s: %s\n\nResponse: %s", question, r.gold, gold, response),
	}
}
