package matching

import (
	"slices"
	"strings"
)

// Nickname reports whether two first names may be one person's. One is a short form from a list of
// English ones ("Bill", "William"), or a long name cut before a vowel, as friends do ("Rach" of
// "Rachel"). Both are words as returned by [Fold]. A name is not its own nickname.
func Nickname(a, b string) bool {
	return listedNickname(a, b) || cutShort(a, b) || cutShort(b, a) || spokenShort(a, b) || spokenShort(b, a)
}

func listedNickname(a, b string) bool {
	return a != b && (slices.Contains(nicknames[a], b) || slices.Contains(nicknames[b], a))
}

// cutShort reports whether a short name is the beginning of a long one, up to a consonant before a
// vowel, with or without an s: "Mon" of "Monica", "Phoebs" of "Phoebe". Whole names such as "Carol"
// and "Dan" are not short for "Caroline" and "Danielle". A name that lacks only the last letter is
// not short either: "Dan" of "Dana".
func cutShort(short, long string) bool {
	if !isASCII(short) || nicknames[short] != nil || wholeNames[short] {
		return false
	}
	stem := short
	if !strings.HasPrefix(long, stem) {
		stem = strings.TrimSuffix(short, "s")
	}
	rest, ok := strings.CutPrefix(long, stem)
	if !ok || len(stem) < 3 || rest == "" || wholeNames[stem] || isVowel(stem[len(stem)-1]) || !isVowel(rest[0]) {
		return false
	}
	return len(rest) >= 2 || stem != short // one letter less is another name: "Dan", "Dana"
}

// spokenShort reports whether a short name is a long one cut as [cutShort] does, with an s, and
// written as it sounds: "Pheebs" of "Phoebe". One sound that is written with two vowels may be
// spelt differently.
func spokenShort(short, long string) bool {
	stem, ok := strings.CutSuffix(short, "s")
	if !ok || len(stem) < 4 || !isASCII(short) || !isASCII(long) || wholeNames[stem] || isVowel(stem[len(stem)-1]) {
		return false
	}
	i, j, other := 0, 0, 0
	for i < len(stem) && j < len(long) {
		x, y := vowels(stem[i:]), vowels(long[j:])
		switch {
		case x > 0 && y > 0:
			if stem[i:i+x] != long[j:j+y] {
				if other++; x < 2 || y < 2 {
					return false
				}
			}
			i, j = i+x, j+y
		case stem[i] != long[j]:
			return false
		default:
			i, j = i+1, j+1
		}
	}
	return i == len(stem) && j > 2 && other == 1 && j < len(long) && vowels(long[j:]) == len(long)-j
}

// vowels returns how many vowels a text begins with.
func vowels(s string) int { return len(s) - len(strings.TrimLeft(s, "aeiouy")) }

func isVowel(c byte) bool { return strings.IndexByte("aeiouy", c) >= 0 }

// wholeNames are names that begin other names and are whole themselves.
var wholeNames = set(`adam adrian alan allan andre ann art august axel bern brand carl carol cas chad christ clar clark col cor dal dan
	dean den dian don earl ed eric erik ernest ev ferd fran fred gail gal gen georg gil glen hal hank hans harm har heath hel henri
	herb ian irv ivan jacob jak jan jar jas jean jim joan joel jon jorg jos joseph juan jud jul karen karl kim kirk kris lar laur lean
	lee len leon les lil lin louis luc lyn mal man mar marc mark martin marian max may mel mich mir nat neal neil nick niel nor oscar
	pam patric paul per phil quentin ral ram raul ray ren rob robert rod roger rol roman ron rosal ros ruben ruth sal sam sean sel shan
	sher sim simon stephan stef sus syl tam ted ter theo thom tim tom tor tristan ulric ursul vern vic victor vincent viv wal walt wil
	will yan yas zack`)

// nicknames are short names, each with the long ones it may stand for.
var nicknames = longNames(`abby: abigail; al: albert alan alexander alfred; alex: alexander alexandra alexandre alexis; allie: alison alexandra;
	andy: andrew andreas; angie: angela; annie: anne anna ann; barb: barbara; bea: beatrice beatrix; becca: rebecca; becky: rebecca;
	bella: isabella; ben: benjamin benedict; benny: benjamin; bert: albert robert herbert; beth: elizabeth; betty: elizabeth;
	bill: william; billy: william; bob: robert; bobby: robert; brad: bradley; cathy: catherine; charlie: charles charlotte;
	chas: charles; chris: christopher christine christina christian; chuck: charles; cindy: cynthia; connie: constance;
	dan: daniel; danny: daniel; dave: david; deb: deborah debra; debbie: deborah debra; dick: richard; don: donald; doug: douglas;
	drew: andrew; ed: edward edwin edgar; eddie: edward edwin; ellie: eleanor elizabeth; fran: frances francis; frank: francis franklin;
	fred: frederick alfred; freddie: frederick; gabby: gabriella gabrielle; gabe: gabriel; gene: eugene; ginny: virginia;
	greg: gregory; hank: henry; harry: harold henry; jack: john; jackie: jacqueline; jake: jacob; jamie: james; jeff: jeffrey geoffrey;
	jen: jennifer; jenny: jennifer; jerry: gerald jerome jeremy; jess: jessica; jill: gillian; jim: james; jimmy: james;
	jo: joanna joanne josephine; joe: joseph joey; joey: joseph; johnny: john; jon: jonathan; josh: joshua; judy: judith;
	kate: katherine catherine kathryn; kathy: katherine kathleen; katie: katherine catherine; ken: kenneth; kim: kimberly;
	larry: lawrence laurence; lenny: leonard; leo: leonard leonardo; liz: elizabeth; lizzie: elizabeth; lou: louis louise;
	maggie: margaret; mandy: amanda; marge: margaret; matt: matthew; max: maxwell maximilian; meg: margaret megan; mel: melanie melissa;
	mick: michael; mickey: michael; mike: michael; mindy: melinda; molly: mary; nancy: anne; nate: nathan nathaniel; ned: edward;
	nick: nicholas; nicky: nicholas nicole; pam: pamela; pat: patrick patricia; patty: patricia; peggy: margaret; pete: peter;
	phil: philip phillip; polly: mary; randy: randall; ray: raymond; rich: richard; rick: richard; ricky: richard; rob: robert;
	robbie: robert; ron: ronald; ronnie: ronald; rosie: rose rosemary; russ: russell; sally: sarah; sam: samuel samantha;
	sandy: sandra alexander; sid: sidney; stan: stanley; steph: stephanie; steve: steven stephen; stu: stuart; sue: susan suzanne;
	susie: susan; ted: edward theodore; terry: terence theresa; theo: theodore; tim: timothy; tina: christina; toby: tobias;
	tom: thomas; tommy: thomas; tony: anthony antonio; tori: victoria; trish: patricia; val: valerie; vic: victor; vicky: victoria;
	vince: vincent; walt: walter; wes: wesley; will: william; zach: zachary`)

func longNames(list string) map[string][]string {
	out := map[string][]string{}
	for entry := range strings.SplitSeq(list, ";") {
		short, long, _ := strings.Cut(entry, ":")
		out[strings.TrimSpace(short)] = strings.Fields(long)
	}
	return out
}

// FirstName reports whether a word, as returned by [Fold], is a listed short form or a first name
// that has one.
func FirstName(word string) bool {
	if nicknames[word] != nil {
		return true
	}
	for _, full := range nicknames {
		if slices.Contains(full, word) {
			return true
		}
	}
	return false
}
