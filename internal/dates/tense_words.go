package dates

// The words by which a tense is told.

var (
	futureWords = set(`will shall gonna would could should might must can`)
	presentBe   = set(`am is are isn't aren't be being im do does don't doesn't`)
	pastBe      = set(`was were been did had wasn't weren't`)

	// Past forms that do not end in "ed".
	pastForms = set(`died lied fled ate became began begun bought broke brought built came caught chose drank drew drove felt flew forgot
		fought fed gave went gone got gotten grew had heard held hung kept knew led left lent lost made meant met paid ran rode
		said sang sat saw seen sent shot slept sold spent spoke stood swam took taken taught thought threw told understood was
		were woke won wore wrote did done fell found quit laid written driven eaten given shown stolen sank stole swore tore
		wound dug lit bent bit blew hid rang rose shook shrank sought stuck struck swept swung wept`)

	// Participles that are no past forms of their own.
	participles = set(`become come run known grown chosen drawn flown forgotten spoken worn fallen sung swum beaten put read cut set
		let hit hurt cost`)

	notPast    = set(`need indeed speed exceed seed feed weed breed succeed proceed hundred wicked sacred naked united biped married`)
	notGerunds = set(`morning evening during everything something anything nothing wedding building meeting spring string evenings
		mornings ceiling clothing pudding sibling siblings offspring according including engineering marketing training housing
		painting parking shopping banking`)
	openings = set(`starting beginning commencing opening`)
	gains    = set(`got accepted signed landed found received offered job contract lease offer position role internship course class`)

	// Words that make an -ing after them past.
	lookBack = set(`after since finished stopped quit enjoyed loved remember remembers remembered kept spent started began from avoided`)

	likings = set(`love loves like likes enjoy enjoys hate hates prefer prefers dislike dislikes adore adores`)

	// Verbs for arranging something for a later date.
	arranging = set(`booked scheduled rescheduled reserved planned arranged postponed moved pushed delayed registered signed enrolled
		invited set fixed due expected slated`)

	// Of these, verbs that are seldom said with the day on which they were done.
	booking = set(`booked reserved`)

	// Forms that speak of the future with a date beside them.
	presentForms = set(`start starts begin begins open opens close closes join joins move moves leave leaves arrive arrives return
		returns marry marries retire retires graduate graduates end ends finish finishes launch launches fly flies go goes come
		comes travel travels visit visits depart departs expire expires get gets become becomes take takes turn turns meet meets
		run runs play plays host hosts attend attends celebrate celebrates give gives plan plans hope hopes intend intends expect
		expects want wants aim aims need needs wish wishes see call remind celebrate work works stay stays stop stops quits
		resign resigns change changes switch switches buy buys sell sells pay pays hold holds make makes speak speaks teach
		teaches study studies perform performs compete competes ship ships land lands fall falls renew renews apply applies
		relocate relocates settle settles lease leases rent rents last lasts live lives serve serves remain remains keep keeps
		lets try tries bring brings send sends show shows train trains drive drives ride rides sail sails race races
		promotes rises increases decreases drops release releases publish publishes sign signs board boards check checks head heads`)
	bareVerbs = set(`help learn write read find build create adopt do say tell talk eat drink swim hike climb camp paint cook bake sing
		dance enter explore experience expand complete continue collect deliver develop discuss donate earn enjoy exhibit exercise
		file fix follow improve install interview invite lead look lose lower marry mentor organize organise present prepare print
		produce propose raise reach receive record recover reduce replace report rest save share spend submit support talk tour
		transfer undergo update upgrade use volunteer walk watch wed welcome win`)
)
