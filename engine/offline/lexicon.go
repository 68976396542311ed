package offline

import "strings"

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// Small words that join the parts of a name and never end one.
var smallWords = set(`of the de da do del van von der la le and The Of`)

// Words that may be capitalised and are no names.
var commonWords = set(`
	a about absolutely actually after again ah all almost already alright also although always am amazing an and another any
	anyway anyways are aren as at aw awesome aww back bad be beautiful because been before being best better big both but by
	bye can cannot cheers come congrats congratulations cool could couldn couple cute dang day dear definitely did didn do does
	doesn doing don done each early either else enjoy even eventually ever every everyone everything exactly excellent
	fantastic few finally fine first for fortunately friend friends from fun get getting glad go going gonna good gorgeous
	gosh got great ha had haha half happy hard has hasn have haven having he hello her here hers hey hi him his hmm hope
	hopefully how however huge i if im impressive in incredible indeed instead interesting is isn it its just keep kind
	knowing last lately later let lets like likewise listening little ll long look looking looks lots love lovely luckily
	makes making many may maybe me meanwhile might mine more most much must my myself need neither never new next nice no
	nobody none nope nor not nothing now of off oh ok okay on once one only oof oops or other our ours out over own people
	perfect perhaps plans please plus pretty probably quick quite re ready really recently right sad sadly same say see
	seeing seems she should shouldn since so some somebody someone something sometimes somewhere soon sorry sounds speaking
	still stuff such super sure surely take taking talk terrific than thank thanks that the their them then there these they
	thing things think this those though three thrilled through thus time to today together tomorrow tonight too totally
	true truly try trying two ugh unfortunately until up upon us usually ve very wait wanna want was wasn way we welcome
	well went were weren what whatever when whenever where wherever whether which while who whoever whole whom why wild will
	with without woah won wonderful wondering would wouldn wow yay yeah year yep yes yesterday yet you your yours yum yup
	btw lol omg tbh imo asap fyi tv dvd diy faq
	christmas easter halloween thanksgiving mom mum dad mommy daddy grandma grandpa sir madam
	monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october
	november december spring summer autumn fall winter am pm utc photo image attachment`)

// Days, months and the like, which name times.
var timeWords = set(`monday tuesday wednesday thursday friday saturday sunday january february march april may june july
	august september october november december spring summer autumn fall winter weekend`)

// Verbs after which the first word of a sentence is a subject, hence a name.
var subjectVerbs = set(`is was has had and lives lived works worked said says told likes loved loves moved went got bought
	adopted started joined called will can does did helped gave made took came wants plans studies plays runs`)

// Verbs whose present form takes an s in the third person.
var baseVerbs = set(`accept add admire adopt adore agree allow announce apply arrange arrive ask attend bake be become begin
	believe bike book borrow break bring build buy call camp cancel care carry catch celebrate change check choose clean
	climb coach collect come complete cook cost create cry cut dance decide decorate deliver design develop do donate draw
	dream drink drive earn eat enjoy enter explore fail fall feel fight find finish fish fix fly follow forget garden get
	give go grow hang hate have hear help hike hire hit hold host hug hurt invite join jog jump keep kiss knit know launch
	lead learn leave lend like listen live look lose love make manage marry meet mentor mind miss move need offer open
	order organize organise own paint pass pay perform phone pick plan plant play practice practise prefer prepare present
	print promise propose publish put quit raise reach read receive recommend record relax remember rent repair replace
	report resign retire return ride run sail say see sell send serve sew share shop show sign sing skate ski sleep speak
	spend sponsor spot stand start stay stop study suggest support surf swim take talk taste teach tell thank think train
	travel treat try tutor understand upgrade use visit volunteer vote wait wake walk want wash watch wear win wish work
	worry write yell`)

// Verbs that by themselves say too little to be worth a fact.
var weakVerbs = set(`be do get go have know think say tell feel want need see look come make take put keep let ask hear mean
	seem try give believe understand remember forget hope wish show use become find thank agree mind care listen call talk
	wait leave fall stand hold bring pick miss hit cost`)

var irregular = map[string]string{
	"ate": "eat", "became": "become", "began": "begin", "begun": "begin", "bought": "buy", "broke": "break", "brought": "bring",
	"built": "build", "came": "come", "caught": "catch", "chose": "choose", "chosen": "choose", "drank": "drink", "drawn": "draw",
	"drew": "draw", "driven": "drive", "drove": "drive", "felt": "feel", "flew": "fly", "forgot": "forget", "fought": "fight",
	"found": "find", "gave": "give", "given": "give", "goes": "go", "gone": "go", "got": "get", "grew": "grow", "grown": "grow",
	"had": "have", "has": "have", "heard": "hear", "held": "hold", "kept": "keep", "knew": "know", "led": "lead", "left": "leave",
	"lent": "lend", "lost": "lose", "made": "make", "met": "meet", "paid": "pay", "ran": "run", "ridden": "ride", "rode": "ride",
	"said": "say", "sang": "sing", "sat": "sit", "saw": "see", "seen": "see", "sent": "send", "slept": "sleep", "sold": "sell",
	"spent": "spend", "spoke": "speak", "swam": "swim", "taken": "take", "taught": "teach", "thought": "think", "told": "tell",
	"took": "take", "understood": "understand", "was": "be", "went": "go", "were": "be", "is": "be", "won": "win", "wore": "wear",
	"written": "write", "wrote": "write", "does": "do", "did": "do", "done": "do",
}

// Words that cannot be part of a thing: where a thing ends.
var phraseStops = set(`a an the in on at for with from to of by about into onto over under after before during since until and
	or but because so when while which who that than then as if though although where why how i you he she it we they me him
	her us them my your his its our their is are was were be been being am has have had do does did will would can could
	should may might must not no yes too very really now again today yesterday tomorrow tonight here there recently lately
	together ago still yet already just also around through between against without within along across near next every
	each last this these those up down out off away back lots everyone someone anyone much more most what whatever`)

// Words that are no things by themselves.
var notThings = set(`lot lots bit way time times thing things something anything everything nothing one ones some any all both
	kind sort fun great good bad nice best better happy sad sure ready able glad excited nervous busy tired sorry new old big
	small long short first second few many other others same different idea day days week weeks month months year years
	morning afternoon evening night hour hours minute minutes moment while couple part rest blast ton tons trouble day
	going getting doing being making having trying looking working thinking feeling chance plenty`)

// What a person may be for a living.
var professions = set(`accountant actor actress analyst architect artist assistant attorney author baker barista bartender
	builder butcher carpenter cashier chef chemist clerk coach consultant cook counselor counsellor dancer dentist designer
	developer director doctor driver economist editor electrician engineer farmer firefighter freelancer gardener hairdresser
	historian instructor intern journalist judge lawyer lecturer librarian manager mechanic midwife musician nurse nutritionist
	officer painter paramedic pharmacist photographer physicist physiotherapist pilot plumber poet politician postman
	producer professor programmer psychologist receptionist researcher sailor salesman salesperson scientist secretary singer
	soldier student surgeon surveyor tailor teacher technician therapist trainer translator tutor veterinarian vet waiter
	waitress writer`)

// What belongs to a person and has a plain value.
var valued = set(`name birthday age job hobby hometown address email phone number nickname language`)

// Short names by the long ones they may stand for.
var nicknames = map[string]string{
	"alex": "alexander alexandra", "andy": "andrew", "ben": "benjamin", "beth": "elizabeth", "bill": "william", "bob": "robert",
	"cathy": "catherine", "charlie": "charles charlotte", "chris": "christopher christine christina", "dan": "daniel",
	"dave": "david", "ed": "edward", "gabby": "gabriella", "greg": "gregory", "jen": "jennifer", "jenny": "jennifer",
	"jess": "jessica", "jim": "james", "joe": "joseph", "jon": "jonathan", "josh": "joshua", "kate": "katherine", "katie": "katherine",
	"liz": "elizabeth", "maggie": "margaret", "matt": "matthew", "mel": "melanie melissa", "mike": "michael", "nate": "nathan nathaniel",
	"nick": "nicholas", "pat": "patrick patricia", "pete": "peter", "rob": "robert", "sam": "samuel samantha", "steve": "steven stephen",
	"sue": "susan", "tim": "timothy", "tom": "thomas", "tony": "anthony", "vicky": "victoria", "will": "william", "zach": "zachary",
}
