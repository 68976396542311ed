package matching_test

import (
	"testing"

	"github.com/annalsdb/annals/engine/matching"
)

func record(label string, names ...string) matching.Record {
	r := matching.Record{Names: names}
	if label != "" {
		r.Labels = []string{label}
	}
	return r
}

var nameCases = []struct {
	about, label, a, b string
	want               matching.Decision
}{
	{"case", "Person", "ROSS GELLER", "Ross Geller", matching.Same},
	{"accents", "Person", "José Ibáñez", "Jose Ibanez", matching.Same},
	{"letters without a base", "Person", "Søren Ærø", "Soren Aero", matching.Same},
	{"sharp s", "Person", "Jürgen Groß", "JURGEN GROSS", matching.Same},
	{"the dotless i", "Place", "ISPARTA", "ısparta", matching.Same},
	{"composed and decomposed", "Person", "Zoe\u0308", "Zoë", matching.Same},
	{"width", "Company", "Ｓｏｎｙ　１２", "sony 12", matching.Same},
	{"ligatures", "Company", "Oﬃce", "office", matching.Same},
	{"a hyphen", "Character", "Spider-Man", "Spider Man", matching.Same},
	{"a curly apostrophe", "Person", "Sinéad O’Connor", "Sinead O'Connor", matching.Same},
	{"invisible characters", "Person", "Ann\u200b\u00adLee", "AnnLee", matching.Same},
	{"letters drawn out", "Person", "Rosss", "Ross", matching.Same},
	{"an article", "", "The Beatles", "Beatles", matching.Same},
	{"an ampersand", "Company", "Smith & Wollensky", "Smith and Wollensky", matching.Same},
	{"ordinals", "Place", "5th Avenue", "Fifth Avenue", matching.Same},
	{"roman numerals", "Film", "Rocky II", "Rocky 2", matching.Same},
	{"leading zeros", "Product", "Agent 007", "Agent 7", matching.Same},
	{"a comma", "Person", "Smith, John", "John Smith", matching.Same},
	{"a title", "Person", "Dr. Alan Grant", "Alan Grant", matching.Same},
	{"a degree", "Person", "Alan Grant, PhD", "Alan Grant", matching.Same},
	{"the legal form", "Organization", "Acme Inc.", "Acme", matching.Same},
	{"a German legal form", "Organization", "Müller GmbH", "Muller", matching.Same},
	{"a slip in a long name", "Person", "Florence Hendesron", "Florence Henderson", matching.Same},
	{"a doubled letter", "Organization", "Microssoft", "Microsoft", matching.Same},

	// The names alone do not decide these.
	{"a first name", "Person", "Ross", "Ross Geller", matching.Unsure},
	{"a surname", "Person", "Geller", "Ross Geller", matching.Unsure},
	{"a short form", "Person", "Liz Taylor", "Elizabeth Taylor", matching.Unsure},
	{"an initial", "Person", "J. Smith", "John Smith", matching.Unsure},
	{"a letter more", "Person", "Ann", "Anna", matching.Unsure},
	{"another letter", "Person", "Jon Smith", "John Smith", matching.Unsure},
	{"names that differ at the end", "Person", "Christian", "Christina", matching.Unsure},
	{"another order", "Person", "Thomas James", "James Thomas", matching.Unsure},
	{"with and without junior", "Person", "John Smith", "John Smith Jr.", matching.Unsure},
	{"a title for a first name", "Person", "Mr. Ross", "Ross", matching.Unsure},
	{"initials of a name", "Organization", "MIT", "Massachusetts Institute of Technology", matching.Unsure},
	{"a part", "", "York", "New York", matching.Unsure},
	{"a paper", "", "New York", "New York Times", matching.Unsure},
	{"a product", "", "Apple", "Apple Music", matching.Unsure},
	{"a company and its sister", "Organization", "Acme", "Acme Rockets", matching.Unsure},
	{"a number more", "Product", "iPhone", "iPhone 13", matching.Unsure},
	{"plural", "Topic", "printer", "printers", matching.Unsure},
	{"legal forms", "Organization", "Acme Inc.", "Acme GmbH", matching.Unsure},
	{"a club is not a company", "", "AS Roma", "Roma", matching.Unsure},
	{"vitamins", "", "Vitamin A", "Vitamin", matching.Unsure},
	{"languages", "Language", "C", "C++", matching.Unsure},
	{"two scripts", "Person", "Владимир", "Vladimir", matching.Unsure},

	{"siblings", "Person", "Ross Geller", "Monica Geller", matching.Different},
	{"namesakes", "Person", "Caroline Smith", "Caroline Jones", matching.Different},
	{"another surname", "Person", "Ann Lee", "Anna Berg", matching.Different},
	{"other people", "Person", "Alice", "Bob", matching.Different},
	{"other initials", "Person", "J. Smith", "K. Smith", matching.Different},
	{"junior and senior", "Person", "John Smith Sr.", "John Smith, Jr.", matching.Different},
	{"a junior of another name", "Person", "Frank Buffay Jr.", "Phoebe Buffay", matching.Different},
	{"two middle initials", "Person", "John F. Kennedy", "John R. Kennedy", matching.Different},
	{"generations", "Person", "John Smith II", "John Smith III", matching.Different},
	{"husband and wife", "Person", "Mr. Smith", "Mrs. Smith", matching.Different},
	{"aeroplanes", "Product", "Boeing 737", "Boeing 747", matching.Different},
	{"telephones", "Product", "iPhone 12", "iPhone 13", matching.Different},
	{"numbered towns", "Place", "Town1", "Town2", matching.Different},
	{"series", "", "Series 1", "Series 2", matching.Different},
	{"plans", "", "Plan B", "Plan C", matching.Different},
}

func TestCompareNames(t *testing.T) {
	t.Parallel()
	for _, tt := range nameCases {
		check(t, tt.about, record(tt.label, tt.a), record(tt.label, tt.b), tt.want)
	}
}

func check(t *testing.T, about string, a, b matching.Record, want matching.Decision) {
	t.Helper()
	v := matching.Compare(a, b)
	if v.Decision != want {
		t.Errorf("%s: %v and %v: %v (%.2f, %s), want %v", about, a, b, v.Decision, v.Score, v.Reason, want)
	}
	if v.Reason == "" || v.Score < 0 || v.Score > 1 || (v.Decision == matching.Same) != (v.Score >= matching.Threshold) {
		t.Errorf("%s: %v and %v: %+v", about, a, b, v)
	}
}

// Names in many scripts, and in several usual spellings.
func TestCompareScripts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		about, a, b string
		want        matching.Decision
	}{
		{"Cyrillic case", "ФЁДОР ДОСТОЕВСКИЙ", "Федор Достоевский", matching.Same},
		{"a Cyrillic slip", "Александр Солжениццын", "Александр Солженицын", matching.Same},
		{"Cyrillic siblings", "Анна Каренина", "Мария Каренина", matching.Different},
		{"й is not и", "Андрей", "Андреи", matching.Unsure},
		{"Greek accents", "Γιώργος Σεφέρης", "ΓΙΩΡΓΟΣ ΣΕΦΕΡΗΣ", matching.Same},
		{"Arabic points", "مُحَمَّد عليّ", "محمد علي", matching.Same},
		{"alef and hamza", "أحمد إبراهيم", "احمد ابراهيم", matching.Same},
		{"Arabic spacing", "عبد الله", "عبدالله", matching.Same},
		{"tatweel and yeh", "علـــى", "علي", matching.Same},
		{"Persian letters", "کریم", "كريم", matching.Same},
		{"Arabic digits", "Room ٢٣", "Room 23", matching.Same},
		{"Arabic names", "فاطمة حسن", "مريم حسن", matching.Different},
		{"Hebrew points", "דָּוִד", "דוד", matching.Same},
		{"Chinese", "王小明", "王小明", matching.Same},
		{"a Chinese character", "王小明", "王小红", matching.Different},
		{"Chinese honorifics", "王小明先生", "王小明", matching.Same},
		{"a Chinese first name", "小明", "王小明", matching.Unsure},
		{"Japanese width", "ﾏｲｹﾙ･ｼﾞｬｸｿﾝ", "マイケル・ジャクソン", matching.Same},
		{"Japanese dots", "マイケルジャクソン", "マイケル・ジャクソン", matching.Same},
		{"Kana", "さくら", "サクラ", matching.Same},
		{"voiced Kana are other letters", "かき", "がき", matching.Different},
		{"Japanese honorifics", "田中さん", "田中", matching.Same},
		{"Japanese names", "田中太郎", "田中花子", matching.Different},
		{"Korean spacing", "김 민수", "김민수", matching.Same},
		{"Korean composed and decomposed", "\u1100\u1175\u11b7\u1106\u1175\u11ab\u1109\u116e", "김민수", matching.Same},
		{"Korean honorifics", "김민수 씨", "김민수", matching.Same},
		{"a Korean syllable", "김민수", "김민주", matching.Different},
		{"Hindi", "राहुल शर्मा", "राहुल शर्मा", matching.Same},
		{"vowels of Hindi are letters", "राम शर्मा", "रमा शर्मा", matching.Unsure},
		{"Vietnamese", "Nguyễn Văn Đức", "Nguyen Van Duc", matching.Same},
		{"Polish", "Łukasz Żak", "Lukasz Zak", matching.Same},
		{"Turkish", "İbrahim Yılmaz", "Ibrahim Yilmaz", matching.Same},
	}
	for _, tt := range tests {
		check(t, tt.about, record("Person", tt.a), record("Person", tt.b), tt.want)
	}
}

func TestCompareRecords(t *testing.T) {
	t.Parallel()
	with := func(r matching.Record, attributes map[string]string) matching.Record {
		r.Attributes = attributes
		return r
	}
	john := record("Person", "John Smith")
	tests := []struct {
		about string
		a, b  matching.Record
		want  matching.Decision
	}{
		{"kinds exclude each other", record("Place", "Paris"), record("Person", "Paris Hilton"), matching.Different},
		{"one name of two kinds", record("Place", "Jordan"), record("Person", "Jordan"), matching.Unsure},
		{"a kind that is not said", record("", "Jordan"), record("Person", "Jordan"), matching.Same},
		{"labels that meet", matching.Record{Names: []string{"Kafka"}, Labels: []string{"Software", "Topic"}}, record("topic", "Kafka"), matching.Same},
		{"an alias", record("Person", "Robert Zimmerman", "Bob Dylan"), record("Person", "Bob Dylan"), matching.Same},
		{"an alias of somebody else", record("Person", "Caroline Smith", "Caroline"), record("Person", "Caroline Jones"), matching.Different},
		{"the surname of a friend", record("Person", "Ross Geller", "Ross"), record("Person", "Geller"), matching.Unsure},
		{"the surname of no friend", record("Person", "Ross"), record("Person", "Geller"), matching.Different},
		{"nothing but small words", record("", "The"), record("", "Of"), matching.Unsure},
		{"a company in two words", record("Company", "Acme"), record("Organization", "Acme"), matching.Same},
		{"no names", matching.Record{}, matching.Record{}, matching.Unsure},
		{"signs", record("", "🎉"), record("", "🎉"), matching.Same},
		{"other signs", record("", "???"), record("", "!!!"), matching.Unsure},
		{
			"mail", with(record("Person", "Jon"), map[string]string{"Email": "jsmith@example.org", "city": "Oslo"}),
			with(john, map[string]string{"email": "JSmith@example.org", "city": "Oslo"}), matching.Same,
		},
		{
			"born on another day", with(john, map[string]string{"born": "1979-11-12", "city": "Oslo"}),
			with(john, map[string]string{"born": "12 March 1985", "city": "Bergen"}), matching.Unsure,
		},
		{
			"a day written in two ways", with(john, map[string]string{"born": "1979-11-12"}),
			with(john, map[string]string{"Born": "November 12, 1979"}), matching.Same,
		},
		{
			"attributes that only one has", with(john, map[string]string{"born": "1979-11-12"}),
			with(john, map[string]string{"city": "Oslo"}), matching.Same,
		},
		{
			"a telephone in two notations", with(record("Place", "Cafe Claude"), map[string]string{"phone": "415/392-3505", "addr": "7 Claude La."}),
			with(record("Place", "Café Claude Bar"), map[string]string{"phone": "(415) 392 3505", "addr": "7 Claude Lane"}), matching.Same,
		},
		{
			"cafés of one hotel", with(record("Place", "Ritz-Carlton Cafe"), map[string]string{"phone": "404-237-2700", "addr": "3434 Peachtree Rd."}),
			with(record("Place", "Ritz-Carlton Dining Room"), map[string]string{"phone": "404-237-2700", "addr": "3434 Peachtree Rd."}), matching.Different,
		},
	}
	for _, tt := range tests {
		check(t, tt.about, tt.a, tt.b, tt.want)
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	person := func(names ...string) matching.Record { return record("Person", names...) }
	tests := []struct {
		about      string
		name       matching.Record
		candidates []matching.Record
		want       int
		decision   matching.Decision
	}{
		{"nobody", person("Ross"), nil, -1, matching.Different},
		{"the only Ross", person("Ross"), []matching.Record{person("Monica Geller"), person("Ross Geller")}, 1, matching.Same},
		{"two of a name", person("Caroline"), []matching.Record{person("Caroline Smith"), person("Caroline Jones")}, -1, matching.Unsure},
		{"the family", person("Geller"), []matching.Record{person("Monica Geller"), person("Ross Geller")}, -1, matching.Unsure},
		{"the only Dr. Grant", person("Dr. Grant"), []matching.Record{person("Alan Grant")}, 0, matching.Same},
		{"the father of Monica", person("Mr. Geller"), []matching.Record{person("Monica Geller")}, -1, matching.Unsure},
		{"the surname of a friend", person("Dr. Geller"), []matching.Record{person("Ross Geller", "Ross")}, -1, matching.Unsure},
		{"a title never stands before a first name", person("Dr. Alan"), []matching.Record{person("Alan Grant")}, -1, matching.Unsure},
		{"but an aunt's does", person("Aunt Phoebe"), []matching.Record{person("Phoebe Buffay")}, 0, matching.Same},
		{"exactly this name", person("Anna"), []matching.Record{person("anna"), person("Anna Berg")}, 0, matching.Same},
		{"a nickname", person("Mel"), []matching.Record{person("Melanie")}, 0, matching.Same},
		{"a nickname of two", person("Mel"), []matching.Record{person("Melanie"), person("Melissa")}, -1, matching.Unsure},
		{"a made-up nickname", person("Rach"), []matching.Record{person("Rachel Green")}, 0, matching.Same},
		{"a whole name is no nickname", person("Carol"), []matching.Record{person("Caroline")}, -1, matching.Unsure},
		{"an initial", person("J. Smith"), []matching.Record{person("John Smith")}, 0, matching.Same},
		{"an initial of two", person("J. Smith"), []matching.Record{person("John Smith"), person("Jane Smith")}, -1, matching.Unsure},
		{"a misspelt name", person("Michael Andersson"), []matching.Record{person("Michael Anderson")}, 0, matching.Same},
		{"a misspelt Russian name", person("Фёдор Достоевскый"), []matching.Record{person("Федор Достоевский")}, 0, matching.Same},
		{"who says that Paris is a person?", record("", "Paris"), []matching.Record{person("Paris Hilton")}, -1, matching.Unsure},
		{"Paris is a place", record("Place", "Paris"), []matching.Record{person("Paris Hilton")}, -1, matching.Different},
		{"a fuller name", record("", "Caroline Smith"), []matching.Record{person("Caroline")}, 0, matching.Same},
		{"a fuller name of somebody with many", person("Joseph Haydn"), []matching.Record{person("Joey", "Joe", "Joseph")}, -1, matching.Unsure},
		{"a legal form", record("", "Acme"), []matching.Record{record("", "Acme Corp.")}, 0, matching.Same},
		{"a sister company", record("Organization", "Acme"), []matching.Record{record("", "Acme Rockets")}, -1, matching.Unsure},
		{
			"the only Ross, but born later",
			matching.Record{Names: []string{"Ross"}, Labels: []string{"Person"}, Attributes: map[string]string{"born": "1991-02-03"}},
			[]matching.Record{{Names: []string{"Ross Geller"}, Attributes: map[string]string{"born": "1967-10-18"}}},
			-1, matching.Different,
		},
		{"somebody new", person("Ross Perot"), []matching.Record{person("Ross Geller"), person("Alan Grant")}, -1, matching.Different},
	}
	for _, tt := range tests {
		got, v := matching.Resolve(tt.name, tt.candidates)
		if got != tt.want || v.Decision != tt.decision || v.Reason == "" {
			t.Errorf("%s: %v among %v: %d %+v, want %d %v", tt.about, tt.name.Names, tt.candidates, got, v, tt.want, tt.decision)
		}
	}
}

func TestNickname(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want bool
	}{
		{"bill", "william", true},
		{"william", "bill", true},
		{"chris", "christina", true},
		{"mon", "monica", true},
		{"phoebs", "phoebe", true},
		{"pheebs", "phoebe", true},
		{"roberts", "roberto", false},
		{"james", "jimmie", false},
		{"fronts", "franta", false},
		{"joey", "joseph", true},
		{"bill", "bill", false},
		{"dan", "danielle", false},
		{"eric", "erica", false},
		{"joan", "joanna", false},
		{"ann", "anna", false},
		{"ro", "rose", false},
		{"", "", false},
	}
	for _, tt := range tests {
		if got := matching.Nickname(tt.a, tt.b); got != tt.want {
			t.Errorf("%s, %s: %v", tt.a, tt.b, got)
		}
	}
}
