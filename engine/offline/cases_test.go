package offline_test

type factCase struct {
	said string
	want []string
}

// What Alice says to Bob on 2024-03-15 and the facts in it.
var factCases = []factCase{
	// Homes.
	{"I live in Paris.", []string{"Alice LIVES_IN Paris [now, …)"}},
	{"I moved to Lisbon last week.", []string{"Alice LIVES_IN Lisbon [2024-03-04/week, …)"}},
	{"I relocated to Porto last month!", []string{"Alice LIVES_IN Porto [2024-02-01/month, …)"}},
	{"I'm based in Graz these days.", []string{"Alice LIVES_IN Graz [now, …)"}},
	{"I've lived in Berlin since 2016.", []string{"Alice LIVES_IN Berlin [2016-01-01/year, …)"}},
	{"I've lived in Berlin for three years.", []string{"Alice LIVES_IN Berlin [2021-01-01/year, …)"}},
	{"I lived in Rome from 2015 to 2019.", []string{"Alice LIVES_IN Rome [2015-01-01/year, 2020-01-01/year)"}},
	{"I lived in Madrid in 2012.", []string{"Alice LIVES_IN Madrid [2012-01-01/year, 2013-01-01/year)"}},
	{"I moved from Paris to Lisbon last week.", []string{"Alice NO_LONGER_LIVES_IN! Paris once [2024-03-04/week, 2024-03-11/week)", "Alice LIVES_IN Lisbon [2024-03-04/week, …)"}},
	{"I used to live in Paris.", []string{"Alice NO_LONGER_LIVES_IN! Paris once […, now)"}},
	{"I don't live in Paris anymore.", []string{"Alice NO_LONGER_LIVES_IN! Paris once […, now)"}},
	{"We moved out of London two weeks ago.", []string{"Alice NO_LONGER_LIVES_IN! London once [2024-03-01/day, 2024-03-02/day)"}},
	{"I'm moving to Porto next month.", []string{"Alice LIVES_IN Porto [2024-04-01/month, …)"}},
	{"I plan to move to Rome next year.", []string{"Alice PLANS_TO_MOVE_TO Rome [now, …)"}},
	{"You live in Boston.", []string{"Bob LIVES_IN Boston [now, …)"}},
	{"Anna and Ben moved to Oslo in 2020.", []string{"Anna LIVES_IN Oslo [2020-01-01/year, …)", "Ben LIVES_IN Oslo [2020-01-01/year, …)"}},
	{"My mom lives in Ohio.", []string{"Alice's mom LIVES_IN Ohio [now, …)"}},

	// Ages, births and traits.
	{"My daughter Lea turned six yesterday.", []string{"Alice HAS_DAUGHTER Lea [now, …)", "Lea AGE 6 [2024-03-14/day, …)"}},
	{"My son Max is four years old.", []string{"Alice HAS_SON Max [now, …)", "Max AGE 4 [now, …)"}},
	{"I turned thirty last week.", []string{"Alice AGE 30 [2024-03-04/week, …)"}},
	{"The tide turned last week.", nil},
	{"I was born on 3 May 1990 in Leuven.", []string{"Alice BIRTHDAY 3 May 1990 [now, …)", "Alice BORN_IN Leuven once [1990-05-03/day, 1990-05-04/day)"}},
	{"My brother Erik was born on 2 June 1988.", []string{"Alice HAS_BROTHER Erik [now, …)", "Erik BIRTHDAY 2 June 1988 [now, …)"}},
	{"I wasn't born yesterday.", nil},
	{"I was born on 3 May 1990.", []string{"Alice BIRTHDAY 3 May 1990 [now, …)"}},
	{"I'm lactose intolerant.", []string{"Alice IS lactose intolerant [now, …)"}},

	// Relatives, contacts and debts.
	{"My parents live in Bruges.", []string{"Alice's parents LIVES_IN Bruges [now, …)"}},
	{"My kids love pizza.", []string{"Alice's kids LIKES pizza [now, …)"}},
	{"My landlord is Mr. De Smet.", []string{"Alice HAS_LANDLORD Mr. De Smet [now, …)"}},
	{"I owe Hanna 40 euros.", []string{"Alice OWES Hanna [now, …)"}},
	{"Hanna owes me 40 euros.", []string{"Hanna OWES Alice [now, …)"}},
	{"I paid back Hanna yesterday.", []string{"Alice NO_LONGER_OWES! Hanna once [2024-03-14/day, 2024-03-15/day)"}},

	// Journeys.
	{"My flight to Rome leaves on 3 July at 7 am.", []string{"Alice's flight to Rome IS_ON 3 July 2024 [now, …)"}},
	{"My train to Paris departs on 3 July.", []string{"Alice's train to Paris IS_ON 3 July 2024 [now, …)"}},

	// Places whose names are common words.
	{"I live in Nice.", []string{"Alice LIVES_IN Nice [now, …)"}},
	{"I moved to Reading last week.", []string{"Alice LIVES_IN Reading [2024-03-04/week, …)"}},
	{"I live in Bath now.", []string{"Alice LIVES_IN Bath [now, …)"}},
	{"I live in Mobile.", []string{"Alice LIVES_IN Mobile [now, …)"}},
	{"I'm from Orange.", []string{"Alice COMES_FROM Orange [now, …)"}},
	{"I grew up in Split.", []string{"Alice GREW_UP_IN Split once […, now)"}},
	{"I moved to Best in 2020.", []string{"Alice LIVES_IN Best [2020-01-01/year, …)"}},
	{"We moved from Nice to Hope.", []string{"Alice NO_LONGER_LIVES_IN! Nice once […, now)", "Alice LIVES_IN Hope [now, …)"}},
	{"I live in The Hague.", []string{"Alice LIVES_IN The Hague [now, …)"}},
	{"I asked What to do and moved to Where I wanted.", nil},
	{"My brother lives in Why.", []string{"Alice's brother LIVES_IN Why [now, …)"}},
	{"I live in peace.", nil},
	{"I live in fear.", nil},
	{"I moved in March.", nil},
	{"I lived in English for a year.", nil},
	{"I live in nice places.", nil},

	// Work.
	{"I no longer work at Acme.", []string{"Alice NO_LONGER_WORKS_AT! Acme once […, now)"}},
	{"I'm not working at Acme anymore.", []string{"Alice NO_LONGER_WORKS_AT! Acme once […, now)"}},
	{"I quit my job at Acme yesterday.", []string{"Alice NO_LONGER_WORKS_AT! Acme once [2024-03-14/day, 2024-03-15/day)"}},
	{"I stopped working at Acme.", []string{"Alice NO_LONGER_WORKS_AT! Acme once […, now)"}},
	{"I left Acme in May 2023.", []string{"Alice NO_LONGER_WORKS_AT! Acme once [2023-05-01/month, 2023-06-01/month)"}},
	{"I left Paris yesterday.", []string{"Alice LEAVES Paris once [2024-03-14/day, 2024-03-15/day)"}}, // perhaps only for a journey
	{"I quit my job.", []string{"Alice NO_LONGER_WORKS_AT! job once […, now)"}},
	{"I got laid off last month.", []string{"Alice NO_LONGER_WORKS_AT! job once [2024-02-01/month, 2024-03-01/month)"}},
	{"I worked at Acme until May.", []string{"Alice WORKS_AT Acme […, 2023-06-01/month)"}},
	{"I've been working at Google for two years.", []string{"Alice WORKS_AT Google [2022-01-01/year, …)"}},
	{"I joined Casa Azul last week.", []string{"Alice WORKS_AT Casa Azul [2024-03-04/week, …)"}},
	{"I started working part time at a bookshop called Limerick.", []string{"Alice WORKS_AT Limerick [now, …)"}},
	{"I work part time at Acme.", []string{"Alice WORKS_AT Acme [now, …)"}},
	{"I got a new job at Netflix!", []string{"Alice WORKS_AT Netflix [now, …)"}},
	{"I was hired by Spotify two months ago.", []string{"Alice WORKS_AT Spotify [2024-01-01/month, …)"}},
	{"I will start at Microsoft next Monday.", []string{"Alice WORKS_AT Microsoft [2024-03-18/day, …)"}},
	{"I started working at Fjordline as a data analyst two weeks ago.", []string{"Alice WORKS_AT Fjordline [2024-03-01/day, …)", "Alice WORKS_AS data analyst [2024-03-01/day, …)"}},
	{"I work as a nurse at Mercy Hospital.", []string{"Alice WORKS_AS nurse [now, …)", "Alice WORKS_AT Mercy Hospital [now, …)"}},
	{"I work as a nurse at Saint Luke's Hospital.", []string{"Alice WORKS_AS nurse [now, …)", "Alice WORKS_AT Saint Luke's Hospital [now, …)"}},
	{"I joined King's College last week.", []string{"Alice WORKS_AT King's College [2024-03-04/week, …)"}},
	{"I visited St. Mary's Church yesterday.", []string{"Alice VISITS St. Mary's Church once [2024-03-14/day, 2024-03-15/day)"}},
	{"Anna works at Lloyd's Bank.", []string{"Anna WORKS_AT Lloyd's Bank [now, …)"}},
	{"I'm a nurse.", []string{"Alice WORKS_AS nurse [now, …)"}},
	{"I became a teacher in 2020.", []string{"Alice WORKS_AS teacher [2020-01-01/year, …)"}},
	{"I was a nurse.", []string{"Alice NO_LONGER_WORKS_AS! nurse once […, now)"}},
	{"I work in Berlin.", []string{"Alice WORKS_IN Berlin [now, …)"}},

	// Things that a message both states and ends.
	{"I bought a Tesla in 2020 and sold it last week.", []string{"Alice HAS Tesla [2020-01-01/year, 2024-03-11/week)", "Alice NO_LONGER_HAS! Tesla once [2024-03-04/week, 2024-03-11/week)"}},
	{"I have a Volvo. I gave it away yesterday.", []string{"Alice NO_LONGER_HAS! Volvo once [2024-03-14/day, 2024-03-15/day)"}},
	{"I bought a cat and a dog. I sold it yesterday.", []string{"Alice HAS cat [now, …)", "Alice HAS dog [now, …)"}},
	{"I'm no vegan any more.", []string{"Alice NO_LONGER_IS! vegan once […, now)"}},
	{"I have no car anymore.", []string{"Alice NO_LONGER_HAS! car once […, now)"}},
	{"I have no idea any more.", nil},

	// A date belongs to its own clause.
	{"My girlfriend Eva is pregnant, the baby is due on 3 October.", []string{"Alice HAS_GIRLFRIEND Eva [now, …)", "Eva IS pregnant [now, …)", "baby DUE_ON 3 October 2024 [now, …)"}},

	// Stays for a time.
	{"I'm on holiday in Crete from 20 to 30 March.", []string{"Alice IS_IN Crete once [2024-03-20/day, 2024-03-31/day)"}},
	{"I've been in Rome since January.", []string{"Alice IS_IN Rome [2024-01-01/month, …)"}},
	{"I was in Rome from 1 to 5 March.", []string{"Alice IS_IN Rome once [2024-03-01/day, 2024-03-06/day)"}},
	{"I'm in Rome.", nil},
	{"I've got a cat, Momo.", []string{"Alice HAS_CAT Momo [now, …)"}},

	// The bearer of a name.
	{"I have a sister and a brother. Her name is Leila.", []string{"Alice HAS sister [now, …)", "Alice HAS brother [now, …)", "Alice HAS_SISTER Leila [now, …)"}},
	{"The neighbour's name is Paul.", []string{"Alice HAS_NEIGHBOR Paul [now, …)"}},

	// Several people, or several verbs, in a sentence.
	{"Mia is 7 and Leo is 4.", []string{"Mia AGE 7 [now, …)", "Leo AGE 4 [now, …)"}},
	{"I think that Mia is 7 and Leo is 4.", nil},
	{"Mia left Acme yesterday and Leo moved to Rome.", []string{"Mia NO_LONGER_WORKS_AT! Acme once [2024-03-14/day, 2024-03-15/day)", "Leo LIVES_IN Rome [now, …)"}},
	{"I weigh 82 kg and want to get down to 75.", []string{"Alice WEIGHS 82 kg [now, …)"}},

	// Deaths.
	{"My sister Anna has lived in Oslo since 2016. She died last week.", []string{
		"Alice HAS_SISTER Anna [now, …)", "Anna LIVES_IN Oslo [2016-01-01/year, 2024-03-04/week)", "Anna HAS_STATUS dead [2024-03-04/week, …)",
	}},
	{"My uncle Paul died yesterday.", []string{"Alice HAS_UNCLE Paul [now, …)", "Paul HAS_STATUS dead [2024-03-14/day, …)"}},
	{"Tom died.", []string{"Tom HAS_STATUS dead [now, …)"}},
	{"Nobody died.", nil},
	{"My sister Anna lost the company.", []string{"Alice HAS_SISTER Anna [now, …)", "Anna LOSES company once […, now)"}},
	{"My printer died yesterday.", []string{"Alice HAS_PROBLEM_WITH printer [2024-03-14/day, …)"}},

	// A boss who leaves is a boss no longer.
	{"My boss Tom quit yesterday. Our new boss is Elena.", []string{"Alice NO_LONGER_HAS_BOSS! Tom once [2024-03-14/day, 2024-03-15/day)", "Alice HAS_BOSS Elena [now, …)"}},
	{"My boss Tom quit smoking.", []string{"Alice HAS_BOSS Tom [now, …)", "Tom NO_LONGER_HAS_HABIT! smoking once […, now)"}},
	{"My boss Tom works at Acme.", []string{"Alice HAS_BOSS Tom [now, …)", "Tom WORKS_AT Acme [now, …)"}},

	// Denials.
	{"I'm not allergic to cats.", nil},
	{"I'm not really allergic to cats.", nil},
	{"I'm not allergic to cats any more.", []string{"Alice NO_LONGER_ALLERGIC_TO! cats once […, now)"}},
	{"I'm not fond of jazz.", []string{"Alice DISLIKES jazz [now, …)"}},
	{"I'm not into jazz.", []string{"Alice DISLIKES jazz [now, …)"}},
	{"I'm not a nurse.", nil},
	{"I'm not a nurse anymore.", []string{"Alice NO_LONGER_WORKS_AS! nurse once […, now)"}},
	{"I'm not based in Rome any longer.", []string{"Alice NO_LONGER_LIVES_IN! Rome once […, now)"}},

	// Values that changed.
	{"The budget for Apollo was cut to 30,000 euros.", []string{"Apollo BUDGET 30000 euros [now, …)"}},
	{"My rent went up from 900 to 980 euros.", []string{"Alice RENT 980 euros [now, …)"}},
	{"My rent was 900 euros.", nil},

	// People.
	{"I'm married to Tom.", []string{"Alice MARRIED_TO Tom [now, …)"}},
	{"My husband Tom works at Siemens.", []string{"Alice MARRIED_TO Tom [now, …)", "Tom WORKS_AT Siemens [now, …)"}},
	{"Tom and I got married last June.", []string{"Alice MARRIED_TO Tom [2023-06-01/month, …)"}},
	{"Bob is my husband.", []string{"Alice MARRIED_TO Bob [now, …)"}},
	{"I got divorced from Tom in 2020.", []string{"Alice NO_LONGER_MARRIED_TO! Tom once [2020-01-01/year, 2021-01-01/year)"}},
	{"I'm no longer married to Tom.", []string{"Alice NO_LONGER_MARRIED_TO! Tom once […, now)"}},
	{"I broke up with Tom.", []string{"Alice NO_LONGER_DATES! Tom once […, now)"}},
	{"I am dating Tiago now.", []string{"Alice DATES Tiago [now, …)"}},
	{"My sister Anna lives in Berlin. She works at Siemens.", []string{"Alice HAS_SISTER Anna [now, …)", "Anna LIVES_IN Berlin [now, …)", "Anna WORKS_AT Siemens [now, …)"}},
	{"My brother's name is Karl.", []string{"Alice HAS_BROTHER Karl [now, …)"}},
	{"We have two kids, Hugo and Ida.", []string{"Alice HAS_CHILD Hugo [now, …)", "Alice HAS_CHILD Ida [now, …)", "Alice HAS 2 kids [now, …)"}},
	{"My two sons are called Leo and Max.", []string{"Alice HAS_SON Leo [now, …)", "Alice HAS_SON Max [now, …)"}},
	{"My daughters are Anna, Ida and Mia.", []string{"Alice HAS_DAUGHTER Anna [now, …)", "Alice HAS_DAUGHTER Ida [now, …)", "Alice HAS_DAUGHTER Mia [now, …)"}},
	{"I have three cats: Tom, Kit and Pixel.", []string{"Alice HAS_CAT Tom [now, …)", "Alice HAS_CAT Kit [now, …)", "Alice HAS_CAT Pixel [now, …)", "Alice HAS 3 cats [now, …)"}},
	{"I adopted a dog called Pixel last Friday.", []string{"Alice HAS_DOG Pixel [2024-03-08/day, …)"}},
	{"I met Tiago at the language school three weeks ago.", []string{"Alice MEETS Tiago once [2024-02-23/day, 2024-02-24/day)"}},
	{"I visited Paris yesterday with my friend Marta.", []string{"Alice HAS_FRIEND Marta [now, …)", "Alice VISITS Paris once [2024-03-14/day, 2024-03-15/day)", "Alice VISITS_WITH Marta once [2024-03-14/day, 2024-03-15/day)"}},

	// Statements about oneself.
	{"My favourite colour is blue.", []string{"Alice FAVORITE_COLOR blue [now, …)"}},
	{"Actually, my favorite color is green now.", []string{"Alice FAVORITE_COLOR green [now, …)"}},
	{"My favourite colour used to be red.", []string{"Alice NO_LONGER_FAVORITE_COLOR! red once […, now)"}},
	{"Sushi is my favorite food.", []string{"Alice FAVORITE_FOOD Sushi [now, …)"}},
	{"My favourite season is autumn.", []string{"Alice FAVORITE_SEASON autumn [now, …)"}},
	{"My favorite books are \"Dune\" and \"Emma\".", []string{"Alice LIKES Dune [now, …)", "Alice LIKES Emma [now, …)"}},
	{"My phone number is 555-0142.", []string{"Alice PHONE 555-0142 [now, …)"}},
	{"My email is alice@example.com.", []string{"Alice EMAIL alice@example.com [now, …)"}},
	{"My name is Alice Liddell.", []string{"Alice NAMED Alice Liddell [now, …)"}},
	{"Actually, my birthday is 12 May, not 2 May.", []string{"Alice BIRTHDAY 12 May [now, …)"}},
	{"My birthday is on May 12.", []string{"Alice BIRTHDAY 12 May [now, …)"}},
	{"I'm 34 years old.", []string{"Alice AGE 34 [now, …)"}},
	{"I turned 30 last week.", []string{"Alice AGE 30 [2024-03-04/week, …)"}},
	{"I'm from Sweden.", []string{"Alice COMES_FROM Sweden [now, …)"}},
	{"I've been a vegetarian since 2015.", []string{"Alice IS vegetarian [2015-01-01/year, …)"}},
	{"I'm allergic to peanuts.", []string{"Alice ALLERGIC_TO peanuts [now, …)"}},

	// Likes and activities.
	{"I love hiking and pizza.", []string{"Alice LIKES hiking [now, …)", "Alice LIKES pizza [now, …)"}},
	{"I don't like mushrooms.", []string{"Alice DISLIKES mushrooms [now, …)"}},
	{"I no longer like coffee.", []string{"Alice NO_LONGER_LIKES! coffee once […, now)"}},
	{"I don't eat meat.", []string{"Alice DOES_NOT_EAT meat [now, …)"}},
	{"I stopped smoking two years ago.", []string{"Alice NO_LONGER_HAS_HABIT! smoking once [2022-01-01/year, 2023-01-01/year)"}},
	{"I gave up coffee.", []string{"Alice NO_LONGER_DOES! coffee once […, now)"}},
	{"I play the guitar.", []string{"Alice PLAYS guitar [now, …)"}},
	{"I speak French and German.", []string{"Alice SPEAKS French [now, …)", "Alice SPEAKS German [now, …)"}},
	{"I want to learn Spanish.", []string{"Alice WANTS_TO_LEARN Spanish [now, …)"}},
	{"I would love to visit Iceland.", []string{"Alice WANTS_TO_VISIT Iceland [now, …)"}},
	{"I'm going to visit Japan in June.", []string{"Alice VISITS Japan once [2024-06-01/month, 2024-07-01/month)"}},
	{"I went to an LGBTQ support group yesterday and it was so powerful.", []string{"Alice GOES_TO LGBTQ support group once [2024-03-14/day, 2024-03-15/day)"}},
	{"Bob and I went to the Munch Museum yesterday.", []string{"Bob GOES_TO Munch Museum once [2024-03-14/day, 2024-03-15/day)", "Alice GOES_TO Munch Museum once [2024-03-14/day, 2024-03-15/day)"}},
	{"Took my kids to the museum yesterday.", []string{"Alice TAKES kids once [2024-03-14/day, 2024-03-15/day)", "Alice TAKES_TO museum once [2024-03-14/day, 2024-03-15/day)"}},
	{"I am reading \"The Summer Book\" by Tove Jansson.", []string{"Alice READS The Summer Book [now, …)", "The Summer Book CREATED_BY Tove Jansson once […, now)"}},
	{"I have an appointment with Dr. Alves next Tuesday.", []string{"Alice HAS appointment once [2024-03-19/day, 2024-03-20/day)", "Alice HAS_APPOINTMENT_WITH Dr. Alves once [2024-03-19/day, 2024-03-20/day)"}},

	// Things and problems with them.
	{"I bought a new printer and two lamps at IKEA.", []string{"Alice HAS printer [now, …)", "Alice HAS lamps [now, …)", "Alice BUYS_AT IKEA once […, now)"}},
	{"I have a LaserJet 400.", []string{"Alice HAS LaserJet 400 [now, …)"}},
	{"I sold the bicycle yesterday.", []string{"Alice NO_LONGER_HAS! bicycle once [2024-03-14/day, 2024-03-15/day)"}},
	{"I gave the canoe to Anna last week.", []string{"Alice NO_LONGER_HAS! canoe once [2024-03-04/week, 2024-03-11/week)", "Alice GIVES_TO Anna once [2024-03-04/week, 2024-03-11/week)"}},
	{"I gave a talk to Anna.", []string{"Alice GIVES_TO Anna once […, now)"}},
	{"I bought a motorbike called Storm.", []string{"Alice HAS_MOTORBIKE Storm [now, …)"}},
	{"I finished my studies in Basel yesterday.", []string{"Alice NO_LONGER_STUDIES! studies once [2024-03-14/day, 2024-03-15/day)"}},
	{"I cancelled my gym membership.", []string{"Alice NO_LONGER_HAS! gym membership once […, now)"}},
	{"My printer does not print since yesterday.", []string{"Alice HAS_PROBLEM_WITH printer [2024-03-14/day, …)"}},
	{"I have a problem with my laptop.", []string{"Alice HAS_PROBLEM_WITH laptop [now, …)"}},
	{"My printer works again!", []string{"Alice NO_LONGER_HAS_PROBLEM_WITH! printer once […, now)"}},
	{"The problem is solved.", []string{"Alice NO_LONGER_HAS_PROBLEM_WITH! problem once […, now)"}},
	{"I fixed my printer yesterday.", []string{"Alice NO_LONGER_HAS_PROBLEM_WITH! printer once [2024-03-14/day, 2024-03-15/day)"}},

	// Values and things.
	{"I weigh 71 kilos.", []string{"Alice WEIGHS 71 kg [now, …)"}},
	{"I weigh 160 pounds.", []string{"Alice WEIGHS 160 lb [now, …)"}},
	{"I'm down to 68 kg.", []string{"Alice WEIGHS 68 kg [now, …)"}},
	{"I have two children.", []string{"Alice HAS 2 children [now, …)"}},
	{"My rent went up to €1,050.", []string{"Alice RENT 1050 euros [now, …)"}},
	{"I earn $85k a year.", []string{"Alice EARNS 85000 dollars a year [now, …)"}},
	{"The price of the Pro plan is 20 euros a month.", []string{"Pro plan COSTS 20 euros a month [now, …)"}},
	{"Since February the Pro plan costs 25 euros.", []string{"Pro plan COSTS 25 euros [2024-02-01/month, …)"}},
	{"My rent will be 800 euros from 1 June.", []string{"Alice RENT 800 euros [2024-06-01/day, …)"}},
	{"My gym fee goes up to 50 euros on 1 June.", []string{"Alice GYM_FEE 50 euros [2024-06-01/day, …)"}},
	{"My rent is going up to 800 euros on 1 June.", []string{"Alice RENT 800 euros [2024-06-01/day, …)"}},
	{"The price of the Pro plan rises to 20 euros on 1 June.", []string{"Pro plan COSTS 20 euros [2024-06-01/day, …)"}},
	{"The Pro plan is going to cost 20 euros from 1 June.", []string{"Pro plan COSTS 20 euros [2024-06-01/day, …)"}},
	{"My salary will increase to €5,000 in June.", []string{"Alice SALARY 5000 euros [2024-06-01/month, …)"}},
	{"My rent drops to 600 euros next month.", []string{"Alice RENT 600 euros [2024-04-01/month, …)"}},
	{"My rent will go up to 800 euros.", nil},
	{"My rent goes up 50 euros on 1 June.", nil},
	{"My rent went up €50.", nil},
	{"The club had 40 members in 2010.", []string{"club HAS 40 members [2010-01-01/year, 2011-01-01/year)"}},
	{"Our house has four bedrooms.", []string{"Alice's house HAS 4 bedrooms [now, …)"}},
	{"Server db-7 is down.", []string{"Server db-7 HAS_STATUS down [now, …)"}},
	{"The website is up again.", []string{"Alice NO_LONGER_HAS_PROBLEM_WITH! website once […, now)"}},
	{"The deadline is 3 May.", []string{"deadline IS_ON 3 May 2024 [now, …)"}},
	{"The deadline for the grant is 10 May.", []string{"grant DEADLINE 10 May 2024 [now, …)"}},

	// Several changes in one sentence.
	{"I sold the Volvo and bought a Tesla.", []string{"Alice NO_LONGER_HAS! Volvo once […, now)", "Alice HAS Tesla [now, …)"}},
	{"I quit Acme and joined Globex last week.", []string{"Alice NO_LONGER_WORKS_AT! Acme once [2024-03-04/week, 2024-03-11/week)", "Alice WORKS_AT Globex [2024-03-04/week, …)"}},
	{"I'm a nurse and work at Mercy Hospital.", []string{"Alice WORKS_AS nurse [now, …)", "Alice WORKS_AT Mercy Hospital [now, …)"}},
	{"I live in Rome. No wait, I live in Turin.", []string{"Alice LIVES_IN Turin [now, …)"}},
	{"I live in Rome, sorry, Turin.", []string{"Alice LIVES_IN Turin [now, …)"}},
	{"My manager isn't Helen anymore, it's Omar.", []string{"Alice NO_LONGER_HAS_MANAGER! Helen once […, now)", "Alice HAS_MANAGER Omar [now, …)"}},
	{"Maria took over the billing service from Tom.", []string{"Maria RESPONSIBLE_FOR billing service [now, …)", "Tom NO_LONGER_RESPONSIBLE_FOR! billing service once […, now)"}},
	{"Lena replaced Mark as treasurer.", []string{"Lena WORKS_AS treasurer [now, …)", "Mark NO_LONGER_WORKS_AS! treasurer once […, now)"}},

	// Stays, posts and groups.
	{"Since February I have been with Sundby.", []string{"Alice WORKS_AT Sundby [2024-02-01/month, …)"}},
	{"Since February I have been with Tom.", []string{"Alice DATES Tom [2024-02-01/month, …)"}},
	{"I was at Brask from May to July.", []string{"Alice WORKS_AT Brask [2023-05-01/month, 2023-08-01/month)"}},
	{"From 3 to 6 January I was at the festival.", []string{"Alice ATTENDS festival once [2024-01-03/day, 2024-01-07/day)"}},
	{"I was promoted to team lead last month.", []string{"Alice WORKS_AS team lead [2024-02-01/month, …)"}},
	{"I joined a choir last week.", []string{"Alice MEMBER_OF choir [2024-03-04/week, …)"}},

	// The person addressed, and "we".
	{"I live in Leeds, Bob.", []string{"Alice LIVES_IN Leeds [now, …)"}},
	{"You play the cello, don't you?", []string{"Bob PLAYS cello [now, …)"}},
	{"We met in 2010.", []string{"Alice MEETS Bob once [2010-01-01/year, 2011-01-01/year)"}},
	{"My wife is Lena. We met in 2010.", []string{"Alice MARRIED_TO Lena [now, …)", "Alice MEETS Lena once [2010-01-01/year, 2011-01-01/year)"}},

	// Statements of other people that the speaker passes on.
	{"Bob says that he works at Globex.", []string{"Bob WORKS_AT Globex [now, …)"}},
	{"Maria told me that she's joining Globex on 2 May.", []string{"Maria WORKS_AT Globex [2024-05-02/day, …)"}},
	{"Maria said she lived in Oslo.", nil},

	// Sentences that state nothing.
	{"You don't play the cello, do you?", nil},
	{"We got married in 2010.", nil},
	{"I am head over heels.", nil},
	{"It costs 20 euros.", nil},
	{"The tickets cost 20 euros more.", nil},
	{"I was not at the festival from 3 to 6 January.", nil},
	{"Anna is down today.", nil},
	{"Do you live in Paris?", nil},
	{"Thanks, Bob! That sounds great.", nil},
	{"Hi Bob! Good morning.", nil},
	{"Maybe I'll move to Rome.", nil},
	{"I should visit Rome.", nil},
	{"If it rains I stay in London.", nil},
	{"I'm thinking of moving to Rome.", nil},
	{"I almost moved to Rome.", nil},
	{"I have never been to Japan.", nil},
	{"I didn't move to Rome.", nil},
	{"I'm so happy today.", nil},
	{"I have a lot of things to do.", nil},
	{"I need to call Anna.", nil},
	{"Ich wohne in Berlin und arbeite bei Siemens.", nil},
	{"Vivo en Madrid con mi hermana Lucía.", nil},
	{"", nil},
	{"🎉🎉🎉", nil},
}
