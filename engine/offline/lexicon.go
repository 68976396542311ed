package offline

import "strings"

func set(words string) map[string]bool {
	out := make(map[string]bool, strings.Count(words, " "))
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// commonWords are words that may be capitalised without being names.
var commonWords = set(`
	a about absolutely actually after again ah all almost already alright also although always am amazing an and another any
	anyway anyways are aren as at aw awesome aww back bad be beautiful because been before being best better big both but by
	bye can cannot cheers come congrats congratulations cool could couldn couple cute dang day dear definitely did didn do does
	doesn doing don done each early either else enjoy even eventually ever every everyone everything exactly excellent
	fantastic few finally fine first for fortunately friend friends from fun get getting glad go god going gonna good gorgeous
	gosh got gotta great ha had haha half happy hard has hasn have haven having he hello her here hers hey hi him his hmm hope
	hopefully how however huge i if im impressive in incredible indeed instead interesting internet is isn it its just keep kind
	knowing last lately later let lets like likewise listening little ll long look looking looks lots love lovely luckily
	makes making many may maybe me meanwhile might mine more most much must my myself need neither never new next nice no
	nobody none nope nor not nothing noted now of off oh ok okay on once one only oof oops or other our ours out over own people
	perfect perhaps plans please plus pretty probably quick quite re ready really recently right sad sadly same say see
	seeing seems she should shouldn since so some somebody someone something sometimes somewhere soon sorry sounds speaking
	still stuff such super sure surely take taking talk terrific than thank thanks that the their them then there these they
	thing things think this those though three thrilled through thus time to today together tomorrow tonight too totally
	true truly try trying two ugh under unfortunately until up upon us usually ve very via wait wanna want was wasn way we welcome
	well went were weren what whatever when whenever where wherever whether which while who whoever whole whom why wild will
	with without woah won wonderful wondering would wouldn wow yay yeah year yep yes yesterday yet you your yours yum yup
	btw lol omg tbh imo imho asap fyi tv dvd diy faq rip idk ive gm ps pm am
	christmas easter halloween thanksgiving xmas mom mum dad mommy daddy mama papa grandma grandpa sir madam mr mrs ms dr
	english spanish french german italian portuguese russian chinese japanese korean arabic hindi dutch swedish norwegian
	danish finnish polish greek turkish hebrew american british canadian australian indian mexican irish scottish european
	african asian christian muslim jewish catholic buddhist hindu
	photo image picture video attachment`)

// demonyms are languages and peoples. They are capitalised, but count as things here, which one
// learns, speaks or eats.
var demonyms = set(`english spanish french german italian portuguese russian chinese japanese korean arabic hindi dutch
	swedish norwegian danish finnish polish greek turkish hebrew american british canadian australian indian mexican irish
	scottish european african asian christian muslim jewish catholic buddhist hindu`)

// timeWords are days, months and other names of times.
var timeWords = set(`monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
	september october november december mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct
	nov dec spring summer autumn fall winter weekend weekends mondays tuesdays wednesdays thursdays fridays saturdays sundays
	christmas easter halloween thanksgiving xmas`)

// dateWords are the words of which a date without a number has at least one.
var dateWords = set(`yesterday today tomorrow tonight ago last next this since until till week weeks month months year years
	day days hour hours morning afternoon evening night noon midnight decade century past coming recent every each during
	between from two three four five six seven eight nine ten valentine`)

// adverbs may come between a subject and its verb.
var adverbs = set(`also just recently finally now still really already actually currently officially always usually often even
	then only absolutely totally mostly both all truly definitely quickly slowly happily sadly certainly simply sometimes
	occasionally rarely regularly frequently normally generally typically lately once soon ever first originally previously
	formerly temporarily permanently eventually completely especially particularly kinda literally basically personally
	today proudly gladly luckily unfortunately fortunately initially primarily mainly so too probably accidentally`)

var prepositions = set(`in on at for with from to of by about into onto over under after before during since until around
	through between against without within along across near like than as towards toward throughout besides beyond despite except beside behind above below`)

// modals are verbs that say how likely something is, not that it is.
var modals = set(`can could may might must shall should will would cannot`)

// baseVerbs are the verbs that the rules know.
var baseVerbs = set(`abhor accept achieve add admire adopt adore agree aim allow announce apologize apply appreciate arrange arrive ask
	assemble attend attract bake be beat become begin believe bet bike board book borrow break brew bring browse build buy
	call camp cancel care carry carve catch celebrate change chase chat check choose clean climb close coach collect combine come
	commute compete complete compose conduct connect consider contact continue cook cost cover craft crash create cry cultivate
	cut cycle dance date decide decorate defend deliver design despise detest develop dine direct discover discuss dislike dive divorce do
	donate download draw dream dress drink drive drop earn eat edit employ encounter encourage end enjoy enrol enroll enter
	establish examine exchange exercise experience explore face fail fall feed feel fight figure film find finish fire fish fix
	fly focus follow forget form freelance garden gain get give go graduate grill grow guess guide hand handle hang
	harvest hate have head hear help hike hire hit hold honor host hug hunt hurt imagine improve include inherit injure inspire
	install intend intern interview introduce invent invest invite jog join judge jump keep kick kiss knit know land last laugh
	launch lead learn lease leave lend let like listen live loathe lobby locate look lose love make manage mark marry match mean
	measure meditate meet mend mentor mention mind migrate miss model mourn move name need negotiate notice observe offer open operate
	order organize organise owe own pack paint park participate pass pay perform phone photograph pick plan plant play post
	practice practise prefer prepare present preside print produce program promise promote propose protect publish pull
	purchase push put quit race raise read realize rebuild receive recommend record recover redecorate reduce register rehearse
	relax release relocate remember remind remodel renovate rent reread rethink rewatch repair replace report rescue research reserve reside resign
	respond rest restore retire return review ride roast row run sail save say score see seem sell send separate serve set settle
	sew shake share shave shoot shop show shower sign sing sit skate sketch ski sleep smoke snorkel solve speak spend split
	sponsor spot stand start stay stop stream struggle study submit subscribe suffer suggest supervise support surf swim switch
	tackle take talk taste teach tell thank think throw tour trade train transfer translate travel treat try tune turn tutor type
	understand unpack update upgrade upload use vacation view visit volunteer vote wait wake walk want wash watch water wear
	weave weigh welcome win wish witness work worry wrap wrestle write yell`)

// muteVerbs are verbs that state nothing worth keeping.
var muteVerbs = set(`be do have know think say tell feel want need seem mean let keep guess believe hope wish agree mind wonder
	wait happen hear bet care worry understand forget realize notice look come put appreciate imagine thank remember figure
	last stand fall face decide aim suppose cost owe end consider intend continue head turn sit name rest deal drop
	welcome remind promise mention`)

// weakVerbs are verbs that state something only about a name or a definite thing.
var weakVerbs = set(`plan get make take give find see bring show stay try use go call pick hold leave hit set follow keep ask send throw
	pull push carry change talk handle add check share support help experience encourage inspire improve miss notice catch
	cover discover gain return reach start begin stop close form include listen chat connect achieve`)

var irregular = map[string]string{
	"ate": "eat", "became": "become", "began": "begin", "begun": "begin", "bought": "buy", "broke": "break", "brought": "bring",
	"built": "build", "came": "come", "caught": "catch", "chose": "choose", "chosen": "choose", "drank": "drink", "drawn": "draw",
	"drew": "draw", "driven": "drive", "drove": "drive", "felt": "feel", "flew": "fly", "forgot": "forget", "fought": "fight",
	"fed": "feed", "gave": "give", "given": "give", "goes": "go", "gone": "go", "got": "get", "gotten": "get", "grew": "grow",
	"grown": "grow", "had": "have", "has": "have", "heard": "hear", "held": "hold", "hung": "hang", "kept": "keep",
	"knew": "know", "known": "know", "led": "lead", "left": "leave", "lent": "lend", "lost": "lose", "made": "make", "meant": "mean",
	"met": "meet", "paid": "pay", "ran": "run", "ridden": "ride", "rode": "ride", "said": "say", "sang": "sing", "sat": "sit",
	"saw": "see", "seen": "see", "sent": "send", "shot": "shoot", "slept": "sleep", "sold": "sell", "spent": "spend",
	"spoke": "speak", "spoken": "speak", "stood": "stand", "swam": "swim", "taken": "take", "taught": "teach",
	"thought": "think", "threw": "throw", "told": "tell", "took": "take", "understood": "understand", "was": "be",
	"went": "go", "were": "be", "is": "be", "am": "be", "are": "be", "been": "be", "being": "be", "woke": "wake", "won": "win",
	"wore": "wear", "worn": "wear", "written": "write", "wrote": "write", "does": "do", "did": "do", "done": "do", "fallen": "fall",
	"fell": "fall", "eaten": "eat", "flown": "fly", "forgotten": "forget", "found": "find", "dying": "die", "lying": "lie",
	"rebuilt": "rebuild", "quitting": "quit", "wove": "weave", "sung": "sing", "swum": "swim",
}

// phraseStops are words that cannot be part of a thing, so that a thing ends before them.
var phraseStops = set(`a an the in on at for with from to of by about into onto over under after before during since until and
	or but because so when while which who whom whose that than then as if though although where why how i you he she it we
	they me him her us them my your his its our their is are was were be been being am has have had do does did will would
	can could should may might must not no yes too very really now again today yesterday tomorrow tonight here there recently
	lately together ago still yet already just also around through between against without within along across near next
	every each last this these those up down out off away back everyone someone anyone much more most what whatever like plus
	instead soon once twice always never sometimes often anymore myself themself too well if via per coming going itself`)

// notThings are words that are no things by themselves, and do not end one.
var notThings = set(`lot lots bit way ways time times thing things something anything everything nothing one ones some any all
	both kind kinds sort fun great good bad nice best better happy sad sure ready able glad excited nervous busy tired sorry
	new old big small long short first second few many other others same different idea ideas day days week weeks month months
	year years morning afternoon evening night hour hours minute minutes moment moments while couple part parts rest blast ton
	tons trouble going getting doing being having trying looking thinking feeling chance chances plenty break look step steps
	difference progress sense mistake care place turn note breath everyone everybody people person stuff everyday forward
	ahead advantage action account start end point word words shape lead hand eye eyes heart mind head half sight touch effort
	reason reasons message such what feeling feelings moments memories hope joy peace happiness love strength courage
	opportunity experience experiences deal luck pleasure sweet amazing awesome beautiful wonderful important hard easy
	front spare true real clear full safe late early alive alone free fast far only inspired inspiring proud piece number pretty bunch load loads alright genre genres attitude skills talents talent ever purpose trial trials yummy tasty delicious classical electronic healthier farther further faster earlier later worse calmer stronger closer deeper easier harder higher longer positive negative motivated focused busier hang few together
	news info details option options advantage yourself themself himself herself mad crazy lucky grateful thankful seat advice thanks impact journey process gotten ok okay`)

// professions are words for what a person does for a living.
var professions = set(`accountant actor actress administrator analyst architect artist assistant astronaut attorney author
	babysitter baker banker barber barista bartender biologist bookkeeper bricklayer broker builder butcher carpenter cashier
	chef chemist choreographer cleaner clerk coach comedian composer consultant contractor cook counselor counsellor dancer
	dentist designer detective developer dietitian diplomat director doctor driver economist editor electrician engineer
	entrepreneur farmer filmmaker firefighter fisherman florist freelancer gardener geologist guard guide hairdresser
	historian housekeeper illustrator instructor intern interpreter investor janitor jeweler journalist judge lawyer lecturer
	librarian lifeguard locksmith manager mathematician mechanic midwife miner musician nanny nurse nutritionist officer
	optician painter paramedic pathologist pharmacist photographer physician physicist physiotherapist pianist pilot plumber
	poet policeman policewoman politician porter postman potter priest producer professor programmer psychiatrist
	psychologist publisher realtor receptionist recruiter repairman reporter researcher sailor salesman salesperson saleswoman
	scientist sculptor seamstress secretary singer soldier statistician stewardess stockbroker student stylist supervisor
	surgeon surveyor tailor teacher technician therapist trader trainer translator trucker tutor veterinarian vet waiter
	waitress weaver welder writer zoologist freelance cto ceo cfo coo vp chairman chairwoman chairperson principal dean
	founder co-founder treasurer deputy foreman president governor mayor senator congressman congresswoman minister chancellor
	ambassador councillor commissioner sheriff bishop captain`)

// conditions are lasting states of a person in one word.
var conditions = set(`vegan vegetarian pescatarian single married divorced pregnant retired engaged widowed diabetic
	asthmatic dyslexic autistic epileptic coeliac celiac deaf blind intolerant lactose-intolerant gluten-free bilingual unemployed self-employed left-handed colorblind transgender gay lesbian
	bisexual christian muslim jewish catholic buddhist hindu atheist parent mother father mom mum dad grandmother grandfather
	twin widow widower runner gamer freelancer entrepreneur citizen veteran immigrant refugee teenager grandparent homeowner`)

// attributes are plain properties of a person, with their predicates.
var attributes = map[string]string{
	"name": "NAMED", "birthday": "BIRTHDAY", "date of birth": "BIRTHDAY", "age": "AGE", "phone number": "PHONE", "phone": "PHONE",
	"number": "PHONE", "mobile": "PHONE", "cell": "PHONE", "email": "EMAIL", "email address": "EMAIL", "e-mail": "EMAIL",
	"last name": "LAST_NAME", "surname": "LAST_NAME", "family name": "LAST_NAME", "address": "ADDRESS", "home address": "ADDRESS", "nickname": "NICKNAME", "hometown": "HOMETOWN", "hobby": "HAS_HOBBY",
	"job": "WORKS_AS", "profession": "WORKS_AS", "occupation": "WORKS_AS", "native language": "NATIVE_LANGUAGE",
}

// kin are words for somebody's relatives, friends and animals, with their predicates.
var kin = map[string]string{
	"sister": "HAS_SISTER", "brother": "HAS_BROTHER", "mother": "HAS_MOTHER", "mom": "HAS_MOTHER", "mum": "HAS_MOTHER",
	"father": "HAS_FATHER", "dad": "HAS_FATHER", "wife": "MARRIED_TO", "husband": "MARRIED_TO", "spouse": "MARRIED_TO",
	"partner": "HAS_PARTNER", "fiance": "ENGAGED_TO", "fiancé": "ENGAGED_TO", "fiancee": "ENGAGED_TO", "fiancée": "ENGAGED_TO",
	"boyfriend": "HAS_BOYFRIEND", "girlfriend": "HAS_GIRLFRIEND", "son": "HAS_SON", "daughter": "HAS_DAUGHTER",
	"kid": "HAS_CHILD", "child": "HAS_CHILD", "baby": "HAS_CHILD", "friend": "HAS_FRIEND", "roommate": "HAS_ROOMMATE", "flatmate": "HAS_ROOMMATE",
	"boss": "HAS_BOSS", "manager": "HAS_MANAGER", "colleague": "HAS_COLLEAGUE", "coworker": "HAS_COLLEAGUE",
	"cousin": "HAS_COUSIN", "aunt": "HAS_AUNT", "uncle": "HAS_UNCLE", "niece": "HAS_NIECE", "nephew": "HAS_NEPHEW",
	"grandmother": "HAS_GRANDMOTHER", "grandma": "HAS_GRANDMOTHER", "grandfather": "HAS_GRANDFATHER", "grandpa": "HAS_GRANDFATHER",
	"neighbor": "HAS_NEIGHBOR", "neighbour": "HAS_NEIGHBOR", "teacher": "HAS_TEACHER", "mentor": "HAS_MENTOR",
	"therapist": "HAS_THERAPIST", "doctor": "HAS_DOCTOR", "dentist": "HAS_DENTIST", "coach": "HAS_COACH", "teammate": "HAS_TEAMMATE",
	"landlord": "HAS_LANDLORD", "landlady": "HAS_LANDLORD", "lawyer": "HAS_LAWYER", "accountant": "HAS_ACCOUNTANT", "hairdresser": "HAS_HAIRDRESSER",
	"trainer": "HAS_TRAINER", "tutor": "HAS_TUTOR", "babysitter": "HAS_BABYSITTER", "nanny": "HAS_NANNY", "vet": "HAS_VET",
	"dog": "HAS_DOG", "puppy": "HAS_DOG", "cat": "HAS_CAT", "kitten": "HAS_CAT", "pet": "HAS_PET", "horse": "HAS_HORSE",
}

// onlyKin are relatives of whom people usually have one, so that "Alice's mother" identifies
// somebody.
var onlyKin = set(`mother mom mum father dad wife husband spouse partner fiance fiancé fiancee fiancée boyfriend girlfriend
	sister brother son daughter boss landlord landlady dog cat puppy kitten horse`)

// Relatives of whom people speak together.
var manyKin = set(`parents grandparents kids children`)

var petKin = set(`dog puppy cat kitten pet horse`)

// animals are words for animals, of which it is said that they die. Machines that "die" stop
// working.
var animals = set(`dog puppy cat kitten pet horse pony parrot budgie canary bird hamster rabbit bunny turtle tortoise fish goldfish snake lizard gecko
	hen chicken rooster duck goose goat sheep cow pig donkey rat ferret chinchilla cockatiel`)
