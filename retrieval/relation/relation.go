// Package relation knows the relations that people ask about, by the words that they
// ask with and the predicates that answer.
package relation

import (
	"slices"
	"strings"
	"sync"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/retrieval/prose"
)

// Relation is something that people ask about somebody, with the words that they ask with. "Who
// pays her?" shares no word with "works at", and means it.
type Relation struct {
	asks       pattern.Pattern
	predicates []string // of the facts that answer, the best first
	inverse    []string // of the facts that lead from the answer to the entity of the question; none: predicates answer in both directions
	things     []string // words of facts that answer, whatever their predicate is
	single     bool     // an entity has one at a time: a later one replaces it
	name       string   // of the lane that its facts form; empty: each predicate is a lane of its own
	Kin        bool     // it leads to a person, about whom more may be asked
	Planned    bool     // facts that have not begun answer, whatever their predicate is
}

// relations are tried in order. Text that one of them matches is hidden from the next: "for a
// living" is no home.
var relations = []Relation{
	{
		name: "role", asks: words(`for a living|profession|occupation|job title|career|line of work|what kind of work|role|position`),
		predicates: []string{"WORKS_AS", "HAS_JOB", "HAS_ROLE", "HAS_TITLE", "HAS_POSITION", "JOB_TITLE", "OCCUPATION", "PROFESSION", "ROLE", "TITLE"}, single: true,
	},
	{ // a post, which does not ask for members
		asks:       words(`who(?:'s| is| was) the [\w-]+ (?:of|at) (?:the|our|my|his|her|their) (?:[\w-]+ ){0,3}(?:teams?|clubs?|choirs?|bands?)`),
		predicates: []string{"WORKS_AS", "HAS_ROLE", "HAS_TITLE", "HAS_POSITION", "RESPONSIBLE_FOR"},
	},
	{
		asks:       words(`jobs?`),
		predicates: []string{"WORKS_AS", "HAS_JOB", "HAS_ROLE", "HAS_TITLE", "WORKS_AT", "WORKS_FOR", "EMPLOYED_BY"}, single: true,
	},
	{name: "colleague", asks: words(`colleague|co-?worker`), predicates: []string{"HAS_COLLEAGUE", "COLLEAGUE_OF", "WORKS_WITH"}, Kin: true},
	{
		name: "employer", asks: words(`who pays\b.*\b(?:salary|wages?)|work(?:s|ed|ing)?|employ(?:er|ers|ed|s|ment)?|unemployed|payroll|pays?|compan(?:y|ies)|firms?|staff|workplace|hire[sd]?|colleagues?`),
		predicates: []string{
			"WORKS_AT", "WORKS_FOR", "WORKS_IN", "EMPLOYED_BY", "EMPLOYED_AT", "HAS_EMPLOYER", "EMPLOYER", "JOINED", "INTERNS_AT", "TEACHES_AT", "PLAYS_FOR", "WORKS_AS",
		}, single: true,
	},
	{name: "salary", asks: words(`salary|wages?|earn(?:s|ed|ings)?|income`), predicates: []string{"HAS_SALARY", "SALARY", "EARNS", "HAS_INCOME", "HAS_WAGE"}, single: true},
	{
		asks:       words(`(?:shar\w+|live\w*|living) (?:\w+ ){0,3}(?:home|house|flat|apartment|roof|room|place)? ?with|shar\w+ (?:a |the |an )?(?:home|house|flat|apartment|roof|room)|(?:room|flat|house)mates?`),
		predicates: []string{"LIVES_WITH", "SHARES_FLAT_WITH", "SHARES_HOME_WITH", "SHARES_HOUSE_WITH", "STAYS_WITH", "HAS_ROOMMATE", "ROOMMATE_OF", "LIVES_IN"},
		things:     []string{"lives with", "live with", "living with"},
	},
	{
		name: "address", asks: words(`address(?:es)?`),
		predicates: []string{"ADDRESS", "HAS_ADDRESS", "LIVES_AT"}, single: true,
	},
	{
		name: "home", asks: words(`live[sd]?|living|home|(?:current|present|new|old) (?:city|town|country|place)|resid(?:e|es|ed|ing|ence)|dwell(?:s|ing)?|based|mov(?:e|es|ed|ing)|hometown|settled?`),
		predicates: []string{
			"LIVES_IN", "LIVES_AT", "RESIDES_IN", "HOME", "HOMETOWN", "HAS_HOME", "BASED_IN", "MOVED_TO", "MOVES_TO", "PLANS_TO_MOVE_TO", "WANTS_TO_MOVE_TO", "STAYS_IN", "STAYED_IN",
		}, single: true,
	},
	{
		name: "spouse", asks: words(`husband|wife|spouse|married|marr(?:y|ies)|wedding`),
		predicates: []string{"MARRIED_TO", "SPOUSE_OF", "HUSBAND_OF", "WIFE_OF", "HAS_HUSBAND", "HAS_WIFE", "HAS_SPOUSE", "MARRIES", "ENGAGED_TO"}, Kin: true, single: true,
	},
	{
		name: "partner", asks: words(`partner|single|boyfriend|girlfriend|dat(?:e|es|ing)|together with|relationship|in love|seeing anyone`),
		predicates: []string{
			"HAS_PARTNER", "PARTNER_OF", "IS_PARTNER_OF", "DATES", "DATING", "HAS_BOYFRIEND", "HAS_GIRLFRIEND", "MARRIED_TO", "ENGAGED_TO",
		}, Kin: true, single: true,
	},
	{
		name: "boss", asks: words(`boss|manager|report(?:s|ing)? to|supervisor|superior`),
		predicates: []string{"HAS_BOSS", "HAS_MANAGER", "MANAGED_BY", "REPORTS_TO", "SUPERVISED_BY"},
		inverse:    []string{"BOSS_OF", "MANAGER_OF", "MANAGES", "SUPERVISES"}, Kin: true, single: true,
	},
	{
		name: "sibling", asks: words(`siblings?|brothers?|sisters?`),
		predicates: []string{"HAS_SISTER", "HAS_BROTHER", "SISTER_OF", "BROTHER_OF", "SIBLING_OF", "HAS_SIBLING", "TWIN_OF"}, Kin: true,
	},
	{
		name: "parent", asks: words(`parents?|mother|father|mum|mom|dad`),
		predicates: []string{"HAS_MOTHER", "HAS_FATHER", "HAS_PARENT", "CHILD_OF", "SON_OF", "DAUGHTER_OF"},
		inverse:    []string{"MOTHER_OF", "FATHER_OF", "PARENT_OF", "HAS_CHILD", "HAS_SON", "HAS_DAUGHTER"}, Kin: true,
	},
	{
		name: "child", asks: words(`child|children|kids?|sons?|daughters?|bab(?:y|ies)`),
		predicates: []string{"HAS_CHILD", "HAS_SON", "HAS_DAUGHTER", "PARENT_OF", "MOTHER_OF", "FATHER_OF"},
		inverse:    []string{"CHILD_OF", "SON_OF", "DAUGHTER_OF", "HAS_MOTHER", "HAS_FATHER", "HAS_PARENT"}, Kin: true,
	},
	{name: "friend", asks: words(`friends?`), predicates: []string{"HAS_FRIEND", "FRIEND_OF", "FRIENDS_WITH"}, Kin: true},
	{name: "neighbour", asks: words(`neighbou?rs?`), predicates: []string{"HAS_NEIGHBOR", "HAS_NEIGHBOUR", "NEIGHBOR_OF", "NEIGHBOUR_OF"}, Kin: true},
	{name: "cousin", asks: words(`cousins?`), predicates: []string{"HAS_COUSIN", "COUSIN_OF"}, Kin: true},
	{name: "aunt", asks: words(`aunts?`), predicates: []string{"HAS_AUNT"}, inverse: []string{"AUNT_OF"}, Kin: true},
	{name: "uncle", asks: words(`uncles?`), predicates: []string{"HAS_UNCLE"}, inverse: []string{"UNCLE_OF"}, Kin: true},
	{name: "niece", asks: words(`nieces?`), predicates: []string{"HAS_NIECE"}, inverse: []string{"NIECE_OF"}, Kin: true},
	{name: "nephew", asks: words(`nephews?`), predicates: []string{"HAS_NEPHEW"}, inverse: []string{"NEPHEW_OF"}, Kin: true},
	{name: "grandmother", asks: words(`grandmothers?|grandmas?`), predicates: []string{"HAS_GRANDMOTHER"}, inverse: []string{"GRANDMOTHER_OF"}, Kin: true},
	{name: "grandfather", asks: words(`grandfathers?|grandpas?`), predicates: []string{"HAS_GRANDFATHER"}, inverse: []string{"GRANDFATHER_OF"}, Kin: true},
	{
		name: "phone", asks: words(`(?:phone|telephone|mobile|cell) ?(?:number)?|number|calls?|reach(?:ed)?|ring`),
		predicates: []string{"PHONE", "HAS_PHONE_NUMBER", "PHONE_NUMBER", "HAS_PHONE", "HAS_NUMBER", "MOBILE"}, single: true,
	},
	{name: "surname", asks: words(`(?:last|family) names?|surnames?`), predicates: []string{"LAST_NAME", "HAS_LAST_NAME", "FAMILY_NAME", "SURNAME"}, single: true},
	{name: "e-mail", asks: words(`e-?mail`), predicates: []string{"EMAIL", "HAS_EMAIL", "EMAIL_ADDRESS"}, single: true},
	{asks: words(`how old|age|years old`), predicates: []string{"AGE", "HAS_AGE", "BIRTHDAY"}, single: true},
	{asks: words(`host|stay(?:s|ed|ing)? (?:with|at)`), predicates: []string{"STAYS_WITH", "STAYED_WITH", "STAYS_AT", "STAYED_IN", "LIVES_WITH"}, single: true},
	{
		asks:       words(`who (?:teaches|taught|instructs|tutors)|'s (?:\w+ )?(?:teacher|instructor|tutor)s?|(?:teacher|instructor|tutor)s? of|lessons?|taught by`),
		predicates: []string{"HAS_TEACHER", "HAS_TUTOR", "HAS_LESSONS_WITH", "TAKES_LESSONS_WITH", "LEARNS_FROM"}, inverse: []string{"TEACHER_OF", "TUTOR_OF", "TEACHES"},
	},
	{asks: words(`teach(?:es|er|ers|ing)?|taught|instruct(?:or|s|ed)?|tutors?`), predicates: []string{"TEACHES_AT", "TEACHES", "TAUGHT_AT", "TEACHER_OF", "TUTOR_OF"}},
	{asks: words(`instruments?|music`), predicates: []string{"PLAYS", "LEARNS", "STUDIES"}},
	{asks: words(`teams?|clubs?|choirs?|bands?|member`), predicates: []string{"PLAYS_FOR", "MEMBER_OF", "SINGS_IN", "PLAYS_IN", "JOINED", "PLAYS", "BELONGS_TO"}},
	{asks: words(`birthday|birth ?date|born`), predicates: []string{"BIRTHDAY", "BORN_ON", "BORN_IN", "DATE_OF_BIRTH", "HAS_BIRTHDAY"}},
	{asks: words(`alive|dead|die[sd]?|passed away|deceased`), predicates: []string{"DIED", "DIES", "DIED_ON", "DIED_IN", "HAS_STATUS"}, things: strings.Fields("died dead deceased")},
	{
		name: "pet", asks: words(`pets?|animals?`),
		predicates: []string{"HAS_PET", "HAS_DOG", "HAS_CAT", "HAS_HORSE", "OWNS_PET"},
		things:     strings.Fields("dog puppy cat kitten horse pony rabbit hamster parrot bird fish tortoise turtle snake guinea budgie canary goat"),
	},
	{asks: kept(`cats?|kittens?`), predicates: []string{"HAS_CAT"}, things: strings.Fields("cat cats kitten kittens")},
	{asks: kept(`dogs?|pupp(?:y|ies)`), predicates: []string{"HAS_DOG"}, things: strings.Fields("dog dogs puppy puppies")},
	{asks: words(`rid(?:e|es|ing|den)`), things: strings.Fields("bicycle bike tandem scooter motorbike motorcycle moped horse pony unicycle vespa tram bus")},
	{
		asks: words(`driv(?:e|es|ing|en)|(?:what|which) (?:cars?|vehicles?)`),
		things: strings.Fields(`car van truck lorry motorbike pickup suv drives tesla volvo bmw audi toyota ford honda mazda nissan hyundai kia renault peugeot
			fiat skoda opel volkswagen vw mercedes porsche subaru jeep rivian polestar chevrolet lexus`), predicates: []string{"DRIVES", "OWNS_CAR", "HAS_CAR"},
	},
	{
		asks:       words(`stud(?:y|ies|ied|ying)|universit(?:y|ies)|college|school|degree`),
		predicates: []string{"STUDIES_IN", "STUDIES_AT", "STUDIES", "ATTENDS", "STARTS_AT", "GRADUATED_FROM"},
		things:     strings.Fields("school primary elementary academy college university kindergarten nursery"),
	},
	{asks: words(`smok(?:e|es|ed|ing|er)`), predicates: []string{"SMOKES"}, things: []string{"smoke", "smoking"}},
	{asks: words(`not eat|avoid|allerg(?:y|ic|ies)`), predicates: []string{"ALLERGIC_TO", "HAS_ALLERGY", "HAS_ALLERGY_TO", "DOES_NOT_EAT", "AVOIDS", "DISLIKES"}},
	{asks: words(`eats?|diet|vegetarian|vegan`), predicates: []string{"EATS", "DOES_NOT_EAT", "FOLLOWS_DIET", "HAS_DIET", "IS"}},
	{asks: words(`languages?|tongues?|speaks?|talks? to`), predicates: []string{"SPEAKS", "LEARNS", "NATIVE_LANGUAGE"}},
	{asks: words(`where (?:is|does) .* from|come from|comes from|origin(?:ally)?|grew up`), predicates: []string{"COMES_FROM", "FROM", "BORN_IN", "GREW_UP_IN", "HOMETOWN"}},
	{ // "Where is Ivy?"
		asks:       pattern.New(`^[Ww]here(?:['’]s| is| was| are| were) \p{Lu}[\p{L}'-]*(?: (?:and )?\p{Lu}[\p{L}'-]*){0,3}(?: (?:right )?now| today| currently| at the moment| (?:in|on) [\pL\d ]+)?\?*$`),
		predicates: []string{"IS_IN", "IS_AT", "ATTENDS", "STAYS_IN", "STAYS_AT", "LIVES_IN", "LIVES_AT", "LOCATED_IN"},
	},
	{ // not "the Pro plan", which is sold
		asks:    words(`plans|planning|planned|plan (?:to|on|for)|do(?:es)? [^?]{1,40} plan(?:\W*$| (?:in|this|next|after|at|with)\b)|upcoming|intend(?:s|ing)?`),
		Planned: true,
	},
	{asks: words(`sports?`), predicates: []string{"PLAYS", "DOES", "TRAINS", "PRACTISES", "PRACTICES", "LIKES", "HAS_HOBBY"}},
	{asks: words(`likes?|enjoys?|fond of|hobb(?:y|ies)|loves?|pastimes?`), predicates: []string{"LIKES", "LOVES", "ENJOYS", "HAS_HOBBY", "PREFERS", "DOES", "PLAYS"}},
}

// kept matches animals that somebody has, and not "cat food".
func kept(animals string) pattern.Pattern {
	return pattern.New(`(?i)\b(?:` + animals + `)(?:\W*$| (?:does|do|did|are|is|has|have|called|named)\b)`)
}

func words(ways string) pattern.Pattern { return pattern.New(`(?i)\b(?:` + ways + `)\b`) }

// "What does Nora do?" asks what she does for a living.
var does = pattern.New(`(?i)^what do(?:es)? (?:\S+ ){1,4}do\W*$`)

// Asked returns the relations that a question asks about, and the words that ask about them.
func Asked(text string) (asked []Relation, by []string) {
	if does().MatchString(text) {
		text += " for a living"
	}
	boundaries, plain := boundariesIn(text)
	for i, asks := range askings() {
		if plain && !asks.mayMatch(boundaries) {
			continue
		}
		if found := asks.FindAllString(text, -1); len(found) > 0 {
			asked, by = append(asked, relations[i]), append(by, prose.TellingWords(strings.Join(found, " "))...)
			text = asks.ReplaceAllString(text, " ")
			boundaries, plain = boundariesIn(text)
		}
	}
	return asked, by
}

// askings are the patterns of the relations, in their order.
var askings = sync.OnceValue(func() []asking {
	var all []asking
	for _, r := range relations {
		all = append(all, askingOf(r.asks))
	}
	return all
})

var turned = words(`whose|who (?:all )?reports? to`)

// IsTurned reports whether a question asks in the inverse direction: "Whose boss is Ana?"
func IsTurned(question string) bool { return turned().MatchString(question) }

// Listed returns the predicates of the facts that may answer, in either direction.
func (r Relation) Listed() []string { return slices.Concat(r.predicates, r.inverse) }

// Place is the index of a predicate among those listed, or -1.
func (r Relation) Place(predicate string) int {
	if i := slices.Index(r.predicates, predicate); i >= 0 {
		return i
	}
	if i := slices.Index(r.inverse, predicate); i >= 0 {
		return len(r.predicates) + i
	}
	return -1
}

// AnsweredBy reports whether a fact answers. outgoing says that it starts from the entity of the
// question; turned says that the question asks in the inverse direction, where both directions
// answer.
func (r Relation) AnsweredBy(predicate, sentence string, outgoing, turned bool) bool {
	switch {
	case slices.Contains(r.predicates, predicate):
		return outgoing || turned || len(r.inverse) == 0
	case slices.Contains(r.inverse, predicate):
		return !outgoing || turned
	}
	said := prose.Words(sentence)
	return slices.ContainsFunc(r.things, func(thing string) bool {
		return !slices.ContainsFunc(strings.Fields(thing), func(word string) bool { return !prose.Holds(said, word) })
	})
}

// sexes are the words of predicates for a relative of one sex, with the words that ask for that sex
// alone.
var sexes = []struct {
	predicate string
	asks      pattern.Pattern
	other     int // place of the other one
}{
	{"MOTHER", words(`mother|mum|mom`), 1},
	{"FATHER", words(`father|dad`), 0},
	{"SISTER", words(`sisters?`), 3},
	{"BROTHER", words(`brothers?`), 2},
	{"DAUGHTER", words(`daughters?`), 5},
	{"SON", words(`sons?`), 4},
}

// OfOtherSex reports whether a fact leads to a mother where a father is asked for, and the
// like.
func OfOtherSex(predicate, question string, outgoing bool) bool {
	relative, has := strings.CutPrefix(predicate, "HAS_")
	if !outgoing {
		relative, has = strings.CutSuffix(predicate, "_OF")
	}
	if !has {
		return false
	}
	for _, s := range sexes {
		if s.predicate == relative {
			return !s.asks().MatchString(question) && sexes[s.other].asks().MatchString(question)
		}
	}
	return false
}

// IsSingle reports whether a relation is known to have one value at a time for an entity.
func IsSingle(predicate string) bool {
	return strings.HasPrefix(predicate, "FAVORITE_") ||
		slices.ContainsFunc(relations, func(r Relation) bool { return r.single && slices.Contains(r.predicates, predicate) })
}

// OnlyEnds reports whether a sentence only says that something is no longer so. "Sold the bicycle"
// and "is fixed" say more.
func OnlyEnds(sentence string) bool { return strings.Contains(sentence, " no longer ") }

// Named is the lane that the facts of a predicate belong to: home for LIVES_IN. It is empty if the
// predicate is a lane of its own.
func Named(predicate string) string {
	for _, r := range relations {
		if r.name != "" && slices.Contains(r.predicates, predicate) {
			return r.name
		}
	}
	return ""
}

// PredicatesOf returns the predicates of a lane; none if no relation has that name.
func PredicatesOf(name string) (predicates []string) {
	for _, r := range relations {
		for _, p := range r.predicates {
			if name != "" && r.name == name && Named(p) == name {
				predicates = append(predicates, p)
			}
		}
	}
	return predicates
}
