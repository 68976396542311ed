package matching

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// kind is the kind of a record, as far as it matters for comparing names.
type kind int

const (
	anything kind = iota // unknown
	person
	organisation
	thing // any other kind: a place, a song
)

// name is a name split into its parts.
type name struct {
	text   string // as given, trimmed; compared if there are no words
	joined string // its words without spaces
	words  []word // without titles and generation
	title  title
	suffix string // "jr", "sr"
}

// title is a form of address.
type title struct {
	any     bool
	gender  byte // 'm', 'f' or none
	surname bool // a single name after it is a surname: "Mr. Ross" is not Ross
}

// newName splits a name into its parts. Only names known to be people's lose every title: "General
// Electric" and "Lady Bird Lake" are whole.
func newName(s string, k kind) name {
	s = strings.TrimSpace(s)
	n := name{text: Fold(s)}
	if n.text == "" {
		n.text = s // signs that folding removes
	}
	n.words = splitWords(turnComma(n.text, k))
	if k == person || k == anything {
		n.takeTitles(k)
		n.takeSuffix()
		n.takeHonorifics(k)
	}
	n.joined = join(n.words)
	return n
}

func join(words []word) string {
	if len(words) == 1 {
		return words[0].text
	}
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.text)
	}
	return b.String()
}

// turnComma moves a surname that comes first, with a comma, to the end.
func turnComma(s string, k kind) string {
	surname, given, ok := strings.Cut(s, ",")
	if given = strings.Trim(given, " ."); !ok || k != person || suffixes[given] != "" || degrees[given] {
		return s
	}
	return given + " " + surname
}

func (n *name) takeTitles(k kind) {
	for len(n.words) > 1 {
		t, ok := titles[n.words[0].text]
		if !ok || k != person && !t.plain {
			return
		}
		n.title.any = true
		n.title.surname = n.title.surname || !t.kin
		if t.gender != 0 {
			n.title.gender = t.gender
		}
		n.words = n.words[1:]
	}
}

func (n *name) takeSuffix() {
	for len(n.words) > 1 {
		last := n.words[len(n.words)-1].text
		switch {
		case suffixes[last] != "":
			n.suffix = suffixes[last]
		case !degrees[last]:
			return
		}
		n.words = n.words[:len(n.words)-1]
	}
}

// takeHonorifics removes Japanese, Korean and Chinese honorifics after a name.
func (n *name) takeHonorifics(k kind) {
	if len(n.words) == 0 || !n.words[len(n.words)-1].exact && !n.words[0].exact {
		return
	}
	last := &n.words[len(n.words)-1]
	for _, h := range honorifics {
		rest, ok := strings.CutSuffix(last.text, h)
		if !ok || rest == "" && len(n.words) == 1 || k != person && utf8.RuneCountInString(rest) < 2 {
			continue
		}
		n.title.any = true
		if rest == "" {
			n.words = slices.Delete(n.words, len(n.words)-1, len(n.words))
		} else {
			last.text = rest
		}
		return
	}
}

type titleWord struct {
	gender byte
	kin    bool // a given name follows
	plain  bool // it is only ever a title
}

var titles = func() map[string]titleWord {
	out := map[string]titleWord{}
	for title, words := range map[titleWord]string{
		{gender: 'm', plain: true}: `mr`,
		{gender: 'f', plain: true}: `mrs ms`,
		{gender: 'f'}:              `miss lady madam frau madame mme mlle senora sra signora госпожа السيده`,
		{gender: 'm'}:              `mister lord herr monsieur senor sr signor господин السيد`,
		{}: `mx doctor rev reverend captain capt colonel col general gen
			major lieutenant lt sergeant sgt judge senator president officer الدكتور د`,
		{plain: true}:            `dr prof professor`,
		{gender: 'm', kin: true}: `sir uncle grandpa brother`,
		{gender: 'f', kin: true}: `dame aunt auntie grandma sister`,
		{kin: true}:              `cousin`,
	} {
		for w := range strings.FieldsSeq(words) {
			out[w] = title
		}
	}
	return out
}()

var (
	suffixes = map[string]string{"jr": "jr", "junior": "jr", "jnr": "jr", "sr": "sr", "senior": "sr", "snr": "sr"}
	degrees  = set(`phd md esq dds mba obe`)

	// Words write Hiragana as Katakana.
	honorifics = []string{"チャン", "サン", "サマ", "クン", "先生", "様", "氏", "女士", "小姐", "老师", "老師", "선생님", "씨", "님"}
)
