package offline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/prompts"
)

// story holds what Eva says, one message a day, and how the rules resolve the last message: each
// line of want is a new fact and its effect on the known ones.
type story struct {
	said []string
	want []string
}

var stories = []story{
	{[]string{"My girlfriend is Rosa.", "Rosa and I broke up."}, []string{"Rosa and Eva broke up. contradicts Eva's girlfriend is Rosa."}},
	{[]string{"I am a member of the Green Party.", "I left the Green Party."}, []string{"Eva left the Green Party. contradicts Eva is a member of the Green Party."}},
	{[]string{"I have a dog called Rex.", "I gave Rex to my aunt Olga."}, []string{"Eva gave Rex to Eva's aunt Olga. contradicts Eva has a dog called Rex."}},
	{[]string{"I'm the treasurer.", "I resigned as treasurer."}, []string{"Eva resigned as treasurer. contradicts Eva is the treasurer."}},
	{[]string{"I work at Acme.", "I switched from Acme to Globex."}, []string{"Eva switched from Acme to Globex. contradicts Eva works at Acme."}},
	{[]string{"My girlfriend is Rosa.", "Rosa left me."}, []string{"Rosa left Eva. contradicts Eva's girlfriend is Rosa."}},
	{[]string{"I live in Rome.", "I don't live in Rome."}, []string{"Eva does not live in Rome. contradicts Eva lives in Rome."}},
	{[]string{"My boss is Ada.", "My former boss Igor lives in Bonn."}, nil},
	{[]string{"My phone number is 555-0142.", "Correction: it's 555-0143."}, []string{"Eva's phone number is 555-0143. retracts Eva's phone number is 555-0142."}},
	{[]string{"I am running the Berlin marathon on 29 September.", "I won't run the Berlin marathon."}, []string{"Eva will not run the Berlin marathon. retracts Eva is running the Berlin marathon on 29 September."}},
	{[]string{"I am allergic to penicillin.", "Sorry, I meant my sister Petra, not me."}, []string{
		"Petra is allergic to penicillin. retracts Eva is allergic to penicillin.",
	}},
	{[]string{"I live in Oslo.", "I like tea.", "I work at Acme.", "Sorry, I meant Globex, not Acme."}, []string{
		"Eva works at Globex. retracts Eva works at Acme.",
	}},
	{[]string{"I have been a vegetarian since 2019.", "Oops, I meant vegan, not vegetarian."}, []string{
		"Eva has been a vegan since 2019. retracts Eva has been a vegetarian since 2019.",
	}},
	{[]string{"I prefer tea.", "Sorry, I meant green tea, not tea."}, []string{"Eva prefers green tea. retracts Eva prefers tea."}},
	{[]string{"I live in Oslo.", "Scratch that, I live in Bergen."}, []string{"Eva lives in Bergen. retracts Eva lives in Oslo."}},
	{[]string{"I have an appointment with Dr. Alves on the 20th.", "I misspoke, it is the 22nd."}, []string{
		"Eva has an appointment with Dr. Alves on the 22nd. retracts Eva has an appointment with Dr. Alves on the 20th.",
	}},
	{[]string{"I live in Paris.", "Sorry, I meant Lyon, not Paris.", "Sorry, I meant Oslo, not Lyon."}, []string{"Eva lives in Oslo. contradicts Eva lives in Paris. retracts Eva lives in Lyon."}},
	{[]string{"My birthday is on May 2.", "Sorry, I meant May 12."}, []string{"Eva's birthday is on 12 May. retracts Eva's birthday is on May 2."}},
	{[]string{"I live in Oslo.", "I work at Acme.", "That was wrong."}, []string{"nothing retracts Eva works at Acme."}},
	{
		[]string{"I am reading \"The Summer Book\" by Tove Jansson.", "My phone number is 555-0142.", "The concert is on 2 March.", "Sorry, I meant the 12th, not the 2nd."},
		[]string{"The concert is on 12 March. retracts The concert is on 2 March."},
	},
	{[]string{"I moved to Porto on May 3rd, 2022.", "I misspoke, it was the 12th."}, []string{
		"Eva moved to Porto on May 12th, 2022. retracts Eva moved to Porto on May 3rd, 2022.",
	}},
	{[]string{"I moved to Porto on 3 May.", "Sorry, I meant in April."}, []string{"Eva moved to Porto in April. retracts Eva moved to Porto on 3 May."}},
	{[]string{"The meeting is on 3 August at 12:00.", "Sorry, I meant the 4th."}, []string{
		"The meeting is on 4 August at 12:00. retracts The meeting is on 3 August at 12:00.",
	}},
	{[]string{"The meeting is in August.", "Sorry, I meant the 4th."}, []string{"The meeting is on 4 August 2024. retracts The meeting is in August."}},
	{[]string{"The meeting is on Tuesday.", "Sorry, I meant the 19th."}, []string{"The meeting is on the 19th. retracts The meeting is on Tuesday."}},
	{[]string{"I live in Oslo.", "I misspoke."}, []string{"nothing retracts Eva lives in Oslo."}},
	{[]string{"I live in Bergen.", "I am moving to Oslo next month.", "The move to Oslo is off."}, []string{
		"nothing retracts Eva is moving to Oslo next month.",
	}},
	{[]string{"I live in Bergen.", "I am moving to Oslo next month.", "We are not moving after all."}, []string{
		"nothing retracts Eva is moving to Oslo next month.",
	}},
	{[]string{"I am joining Globex on 1 August.", "I am moving to Oslo next month.", "We're not moving to Oslo after all."}, []string{
		"nothing retracts Eva is moving to Oslo next month.",
	}},
	{[]string{"I am visiting Rome in August.", "The trip to Rome was cancelled."}, []string{
		"nothing retracts Eva is visiting Rome in August.",
	}},
	{[]string{"I live in Bergen.", "The party was cancelled."}, nil},
	{[]string{"I'm planning a trip to Iceland in June with my wife Ines.", "We had to cancel the trip to Iceland, Ines broke her leg."}, []string{
		"nothing retracts Eva is planning a trip to Iceland in June with Eva's wife Ines.",
	}},
	{[]string{"I'm planning a trip to Iceland in June.", "I am meeting Ines on 3 July.", "We had to cancel the trip to Iceland, Ines broke her leg."}, []string{
		"nothing retracts Eva is planning a trip to Iceland in June.",
	}},
	{[]string{"I'm planning a trip to Iceland.", "I cancelled the trip to Iceland."}, []string{"nothing retracts Eva is planning a trip to Iceland."}},
	{[]string{"I'm planning a trip to Iceland.", "The trip to Iceland is cancelled."}, []string{"nothing retracts Eva is planning a trip to Iceland."}},
	{[]string{"I'm planning a trip to Iceland.", "The trip to Iceland is off."}, []string{"nothing retracts Eva is planning a trip to Iceland."}},
	{[]string{"I'm planning a trip to Iceland.", "I'm not going to Iceland after all."}, []string{"nothing retracts Eva is planning a trip to Iceland."}},
	{[]string{"I plan to move to Oslo in May.", "We had to cancel the move to Oslo."}, []string{"nothing retracts Eva plans to move to Oslo in May."}},
	{[]string{"I'm planning a trip to Iceland.", "We haven't cancelled the trip to Iceland."}, nil},
	{[]string{"I'm planning a trip to Iceland.", "The trip to Iceland has not been cancelled."}, nil},
	{[]string{"My dentist appointment is on 3 August.", "I cancelled my dentist appointment."}, []string{
		"Eva cancelled Eva's dentist appointment. contradicts Eva's dentist appointment is on 3 August.",
	}},
	{[]string{"My dentist appointment is on 3 August.", "My dentist appointment is off."}, []string{
		"Eva's dentist appointment is off. contradicts Eva's dentist appointment is on 3 August.",
	}},
	{[]string{"The party is on 3 August.", "We had to call off the party, Tom is ill."}, []string{
		"Eva had to call off the party, Tom is ill. contradicts The party is on 3 August.",
	}},
	{[]string{"I like electric cars.", "I hate electric cars."}, []string{"Eva hates electric cars. contradicts Eva likes electric cars."}},
	{[]string{"I eat meat.", "I don't eat meat."}, []string{"Eva does not eat meat. contradicts Eva eats meat."}},
	{[]string{"I still smoke.", "I quit smoking in March."}, []string{"Eva quit smoking in March. contradicts Eva still smokes."}},
	{[]string{"I live in Bergen with Tomas.", "Tomas and I moved to Porto on 15 June."}, []string{
		"Tomas and Eva moved to Porto on 15 June. contradicts Eva lives in Bergen with Tomas.",
	}},
	{[]string{"I have lived in Porto since 2022.", "Porto is still my home."}, []string{"Porto is still Eva's home. repeats Eva has lived in Porto since 2022."}},
	{[]string{"I work at Globex.", "I joined Globex in June 2020."}, []string{"Eva joined Globex in June 2020. repeats Eva works at Globex."}},
	{[]string{"I work at Initech.", "On weekends I also work at Umbrella."}, nil},
	{[]string{"I left Initech on 1 April.", "I am back at Initech since 1 June."}, []string{
		"Eva is back at Initech since 1 June. contradicts Eva left Initech on 1 April.",
	}},
	{[]string{"I work at Bluth.", "I joined Dunder on 3 March.", "I misspoke: I joined Dunder on 13 March, not on the 3rd."}, []string{
		"Eva joined Dunder on 13 March, not on the 3rd. contradicts Eva works at Bluth. retracts Eva joined Dunder on 3 March.",
	}},
	{[]string{"I work at Hooli.", "Sorry, that was nonsense: my brother Ruben works at Hooli, not me."}, []string{
		"Eva's brother Ruben works at Hooli, not Eva. retracts Eva works at Hooli.",
	}},
	{[]string{"I work at Monarch.", "I like tea.", "Forget Monarch, I never worked there."}, []string{"nothing retracts Eva works at Monarch."}},
	{[]string{"I left Soylent on 3 March.", "April fool! I still work at Soylent."}, []string{"Eva still works at Soylent. retracts Eva left Soylent on 3 March."}},
	{[]string{"I am joining Hooli on 15 July.", "Change of plan: I join Hooli on 1 July already."}, []string{
		"Eva joins Hooli on 1 July already. retracts Eva is joining Hooli on 15 July.",
	}},
	{[]string{"I am joining Hooli in July.", "I am joining Hooli on 15 July."}, []string{"Eva is joining Hooli on 15 July. repeats Eva is joining Hooli in July."}},
	{[]string{"I live in Ghent.", "I am moving to Cork in July.", "We have decided against Cork."}, []string{"nothing retracts Eva is moving to Cork in July."}},
	{[]string{"I work at Oceanic.", "I work at Tyrell now.", "I started at Oceanic in 2019."}, []string{"Eva started at Oceanic in 2019. repeats Eva works at Oceanic."}},
	{[]string{"I lived in Oslo in 2019.", "I live in Oslo."}, nil},
	{[]string{"I like electric cars.", "I hate electric cars."}, []string{"Eva hates electric cars. contradicts Eva likes electric cars."}},
	{[]string{"I detest olives.", "I love olives now."}, []string{"Eva loves olives now. contradicts Eva detests olives."}},
	{[]string{"I adore tea.", "I loathe tea."}, []string{"Eva loathes tea. contradicts Eva adores tea."}},
	{[]string{"I'm a fan of jazz.", "I can't bear jazz."}, []string{"Eva cannot bear jazz. contradicts Eva is a fan of jazz."}},
	{[]string{"I prefer tea.", "I dislike tea."}, []string{"Eva dislikes tea. contradicts Eva prefers tea."}},
	{[]string{"I love dogs.", "I'm not a fan of dogs."}, []string{"Eva is not a fan of dogs. contradicts Eva loves dogs."}},
	{[]string{"I love coriander.", "I can't stand it now."}, []string{"Eva cannot stand coriander now. contradicts Eva loves coriander."}},
	{[]string{"I love coriander.", "I saw a film. I hated it."}, nil},
	{[]string{"I like cats.", "I hate dogs."}, nil},
	{[]string{"My sister is a doctor.", "I misspoke, I don't have a sister."}, []string{"nothing retracts Eva's sister is a doctor."}},
	{[]string{"My sister is a doctor.", "I don't have a sister in Porto."}, nil},
	{[]string{"I work at Globex.", "I misspoke: I never worked at Acme Corp."}, nil},
	{[]string{"I work at Globex.", "I work at Acme Corp. too.", "I live in Oslo.", "I misspoke: I never worked at Acme Corp."}, []string{"nothing retracts Eva works at Acme Corp. too."}},
	{[]string{"I work at Globex.", "Sorry, I never worked at Acme Corp."}, nil},
	{[]string{"I work at Acme Corp.", "I live in Oslo.", "Sorry, I never worked at Acme Corp."}, []string{"nothing retracts Eva works at Acme Corp."}},
	{[]string{"I like Acme Corp.", "Sorry, I never worked at Acme Corp."}, nil},
	{[]string{"I live in Oslo.", "I misspoke: I do not live in Rome."}, nil},
	{[]string{"I live in Rome.", "I misspoke: I do not live in Rome."}, []string{"nothing retracts Eva lives in Rome."}},
	{[]string{"I live in Rome.", "I misspoke: I don't live in Rome but in Paris."}, []string{"Eva lives in Paris. retracts Eva lives in Rome."}},
	{[]string{"I drink tea.", "No, I never drink coffee."}, nil},
	{[]string{"Lena runs support.", "Tom took over support from Lena on 15 May."}, []string{
		"Tom took over support from Lena on 15 May. contradicts Lena runs support.",
	}},
	{[]string{"Lena runs billing.", "Effective 3 June Tom runs billing."}, []string{"Effective 3 June Tom runs billing. contradicts Lena runs billing."}},
	{[]string{"I run support.", "Tom runs support instead of sales from 1 July."}, []string{
		"Tom runs support instead of sales from 1 July. contradicts Eva runs support.",
	}},
	{[]string{"I run support.", "Tom runs support instead of me from 1 July."}, []string{
		"Tom runs support instead of Eva from 1 July. contradicts Eva runs support.",
	}},
	{[]string{"Lena owns the on-call.", "Tom owns the on-call now."}, []string{"Tom owns the on-call now. contradicts Lena owns the on-call."}},
	{[]string{"Lena runs billing.", "Tom runs billing with Lena from 3 June."}, nil},
	{[]string{"Lena runs a shop.", "Tom runs a shop from 3 June."}, nil},
	{[]string{"Lena runs marathons.", "Tom runs marathons now."}, nil},
	{[]string{"My sister is called Anna.", "I misspoke: my sister is called Anja."}, []string{"Eva's sister is called Anja. retracts Eva's sister is called Anna."}},
	{[]string{"My sister is called Anna.", "My sister is called Berta."}, nil},
	{[]string{"I am married to Tom.", "I misspoke: I am married to Tim."}, []string{"Eva is married to Tim. retracts Eva is married to Tom."}},
	{[]string{"My boss is Tom.", "I misspoke: my boss is Tim."}, []string{"Eva's boss is Tim. retracts Eva's boss is Tom."}},
	{[]string{"I subscribe to Netflix, Spotify and Disney.", "I cancelled Spotify and Disney."}, []string{
		"Eva cancelled Spotify and Disney. contradicts Eva subscribes to Netflix, Spotify and Disney.",
	}},
	{[]string{"I have a cat, a dog and a parrot.", "My parrot died in May."}, []string{"Eva's parrot died in May. contradicts Eva has a cat, a dog and a parrot."}},
	{[]string{"I have a cat called Miez.", "My cat Miez died in May."}, []string{"Eva's cat Miez died in May. contradicts Eva has a cat called Miez."}},
	{[]string{"I have a printer.", "My printer died."}, nil},
	{[]string{"Hi.", "Hi.", "Hi.", "Hi.", "Hi.", "Hi.", "I moved to Porto last week.", "Sorry, I meant Lisbon, not Porto."}, []string{
		"Eva moved to Lisbon in the week of 3 June 2024. retracts Eva moved to Porto last week.",
	}},
	{[]string{"I moved to Porto yesterday.", "Sorry, I meant Lisbon, not Porto."}, []string{
		"Eva moved to Lisbon on 9 June 2024. retracts Eva moved to Porto yesterday.",
	}},
	{[]string{"My phone number is 0171 555 1234.", "Correction: it's 0171 555 4321."}, []string{
		"Eva's phone number is 0171 555 4321. retracts Eva's phone number is 0171 555 1234.",
	}},
	{[]string{"My email is eva@example.org.", "I misspoke, it's eva@example.com."}, []string{
		"Eva's email is eva@example.com. retracts Eva's email is eva@example.org.",
	}},
	{[]string{"My rent is 900 euros.", "Correction: it's 950 euros."}, []string{"Eva's rent is 950 euros. retracts Eva's rent is 900 euros."}},
	{[]string{"I am 34.", "Correction: I meant 35."}, []string{"Eva is 35. retracts Eva is 34."}},
	{[]string{"I weigh 82 kg.", "Correction: it's raining."}, nil},
	{[]string{"I am flying to Lisbon on 12 August.", "Correction: we fly on 13 August."}, []string{
		"Eva is flying to Lisbon on 13 August. retracts Eva is flying to Lisbon on 12 August.",
	}},
	{[]string{"I am learning Japanese since March.", "I gave up Japanese, too hard."}, []string{
		"Eva gave up Japanese, too hard. contradicts Eva is learning Japanese since March.",
	}},
	{[]string{"I have been a vegan for 3 years.", "I ate a steak yesterday, so I'm no vegan any more."}, []string{
		"Eva is not a vegan any more. contradicts Eva has been a vegan for 3 years.",
	}},
	{[]string{"I am a member of the choir.", "I'm no member of the choir anymore."}, []string{
		"Eva is not a member of the choir anymore. contradicts Eva is a member of the choir.",
	}},
	{[]string{"My son Karim has a peanut allergy.", "Karim isn't allergic to peanuts after all."}, []string{
		"nothing retracts Eva's son Karim has a peanut allergy.",
	}},
	{[]string{"I'm allergic to nuts.", "I have a nut allergy."}, []string{"Eva has a nut allergy. repeats Eva is allergic to nuts."}},
	{[]string{"I'm allergic to nuts.", "I'm not allergic to cats after all."}, nil},
	{[]string{"I'm a nurse.", "I'm not a nurse anymore."}, []string{"Eva is not a nurse anymore. contradicts Eva is a nurse."}},
	{[]string{"I'm married to Tom.", "I'm not married to Tom any more."}, []string{"Eva is not married to Tom any more. contradicts Eva is married to Tom."}},
	{[]string{"I am moving to Oslo next month.", "We aren't moving after all."}, []string{"nothing retracts Eva is moving to Oslo next month."}},
	{[]string{"The budget for Apollo is 40,000 euros.", "The budget for Apollo was cut to 30,000 euros."}, []string{
		"The budget for Apollo was cut to 30,000 euros. contradicts The budget for Apollo is 40,000 euros.",
	}},
	{[]string{"My rent is 900 euros.", "My rent went up from 900 to 980 euros."}, []string{
		"Eva's rent went up from 900 to 980 euros. contradicts Eva's rent is 900 euros.",
	}},
	{[]string{"The deadline for the report is 30 August.", "The deadline got extended to 15 September."}, []string{
		"The deadline for the report got extended to 15 September. contradicts The deadline for the report is 30 August.",
	}},
	{[]string{"The deadline for the report is 30 August.", "The deadline for the grant is 1 August.", "The deadline got extended to 15 September."}, nil},
	{[]string{"My rent is 980 euros.", "My rent was 900 euros."}, nil},
	{[]string{"My sister Anna lives in Oslo.", "My sister Anna moved to Bergen on 1 February."}, []string{
		"Anna is Eva's sister. repeats Anna is Eva's sister.",
		"Eva's sister Anna moved to Bergen on 1 February. contradicts Eva's sister Anna lives in Oslo.",
	}},
	{[]string{"I start at Helix on 1 September.", "Helix postponed my start to 1 October."}, []string{
		"Eva starts at Helix on 1 October. retracts Eva starts at Helix on 1 September.",
	}},
	{[]string{"Clara is getting married to Ben on 7 September in Bath.", "I like tea.", "Clara's wedding was moved to 14 September."}, []string{
		"Clara is getting married to Ben on 14 September 2024 in Bath. retracts Clara is getting married to Ben on 7 September in Bath.",
	}},
	{[]string{"I'm getting married to Ben on 7 September.", "Our wedding was moved to 14 September."}, []string{
		"Eva is getting married to Ben on 14 September 2024. retracts Eva is getting married to Ben on 7 September.",
	}},
	{[]string{"Clara is getting married to Ben on 7 September in Bath.", "Lena's wedding was moved to 14 September."}, nil},
	{[]string{"I start at Helix on 1 September.", "Helix postponed the party to 1 October."}, nil},
	{[]string{"I start at Helix on 1 September.", "My start at Helix was moved to 1 October."}, []string{
		"Eva starts at Helix on 1 October. retracts Eva starts at Helix on 1 September.",
	}},
	{[]string{"I start at Helix on 1 September.", "The party at Helix was moved to 1 October."}, nil},
	{[]string{"I start at Helix on 1 September.", "Helix withdrew the offer."}, []string{"nothing retracts Eva starts at Helix on 1 September."}},
	{[]string{"I start at Helix on 1 September.", "The offer was withdrawn."}, []string{"nothing retracts Eva starts at Helix on 1 September."}},
	{[]string{"I start at Helix on 1 September.", "Helix withdrew the offer to buy Norda."}, nil},
	{[]string{"I start at Helix on 1 September.", "My brother turned down the offer."}, nil},
	{[]string{"I start at Helix on 1 September.", "Norda withdrew the offer."}, nil},
	{[]string{"I start at Helix on 1 September.", "I turned down the offer."}, nil},
	{[]string{"I start at Helix on 1 September.", "I turned down the offer from Helix."}, []string{"nothing retracts Eva starts at Helix on 1 September."}},
	{[]string{"I work at Norda.", "I start at Helix on 1 September.", "I'll stay at Norda after all."}, []string{"nothing retracts Eva starts at Helix on 1 September."}},
	{[]string{"I work at Norda.", "I am moving to Oslo in October.", "I'll stay at Norda after all."}, nil},
	{[]string{"Lena works at Helix.", "Lena left the company."}, []string{"Lena left the company. contradicts Lena works at Helix."}},
	{[]string{"I work at Helix.", "I left the company party early."}, nil},
	{[]string{"I work at Helix.", "I left the firm at six."}, nil},
	{[]string{"I work at Helix.", "I left the company to get lunch."}, nil},
	{[]string{"I work at Helix.", "I left the company in Berlin."}, nil},
	{[]string{"I work at Helix.", "I left the company on foot."}, nil},
	{[]string{"I work at Helix.", "I left the firm at 6pm."}, nil},
	{[]string{"I work at Helix.", "I left the firm at 6 pm yesterday."}, nil},
	{[]string{"I work at Helix.", "I left the firm yesterday at 18:30."}, nil},
	{[]string{"I work at Helix.", "I left the firm at noon."}, nil},
	{[]string{"I work at Helix.", "I left the firm after lunch."}, nil},
	{[]string{"I work at Helix.", "I left the firm after six."}, nil},
	{[]string{"I work at Helix.", "I left the firm in a taxi."}, nil},
	{[]string{"I work at Helix.", "I left the firm two years ago."}, []string{"Eva left the firm two years ago. contradicts Eva works at Helix."}},
	{[]string{"I work at Helix.", "I left the firm because of my boss."}, []string{"Eva left the firm because of Eva's boss. contradicts Eva works at Helix."}},
	{[]string{"I work at Helix.", "I left the firm for good."}, []string{"Eva left the firm for good. contradicts Eva works at Helix."}},
	{[]string{"I work at Helix.", "Lena left the firm in May."}, nil},
	{[]string{"I work at Helix.", "I left the company last month."}, []string{"Eva left the company last month. contradicts Eva works at Helix."}},
	{[]string{"I work at Helix.", "I left the firm in May."}, []string{"Eva left the firm in May. contradicts Eva works at Helix."}},
	{[]string{"I work at Helix.", "I left the firm at the end of May."}, []string{"Eva left the firm at the end of May. contradicts Eva works at Helix."}},
	{[]string{"I work at Helix.", "I left the firm to join Norda."}, []string{"Eva left the firm to join Norda. contradicts Eva works at Helix."}},
	{[]string{"I work at Helix.", "I left the firm in May to start my own."}, []string{"Eva left the firm in May to start Eva's own. contradicts Eva works at Helix."}},
	{[]string{"I work at Helix.", "I left the company after ten years."}, []string{"Eva left the company after ten years. contradicts Eva works at Helix."}},
	{[]string{"My sister Ann works at Helix.", "Ann lost the company."}, nil},
	{[]string{"My sister Ann works at Helix.", "Ann lost the job."}, []string{"Ann lost the job. contradicts Eva's sister Ann works at Helix."}},
	{[]string{"I work at Helix.", "I don't work there any more."}, []string{"Eva does not work there any more. contradicts Eva works at Helix."}},
	{[]string{"My grandfather Otto was born in Ulm. Otto lives in Bonn.", "Otto died yesterday."}, []string{"Otto died yesterday. contradicts Otto lives in Bonn."}},
	{[]string{"My friend Tom lives in Oslo.", "Tom died laughing."}, nil},
	{[]string{"My friend Tom lives in Oslo.", "Tom died in the movie."}, nil},
	{[]string{"My friend Tom lives in Oslo.", "Tom died in a previous life."}, nil},
	{[]string{"My friend Tom lives in Oslo.", "Tom died in \"Dark Souls\"."}, nil},
	{[]string{"My uncle Paul lives in Rome.", "Paul died."}, []string{"Paul died. contradicts Eva's uncle Paul lives in Rome."}},
	{[]string{"Tom lives in Rome.", "Tom died."}, []string{"Tom died. contradicts Tom lives in Rome."}},
	{[]string{"Tom lives in Rome.", "Tom died yesterday."}, []string{"Tom died yesterday. contradicts Tom lives in Rome."}},
	{[]string{"Zorla lives in Rome.", "Zorla died."}, []string{"Zorla died. contradicts Zorla lives in Rome."}},
	{[]string{"I have a dog called Rex.", "Rex died."}, []string{"Rex died. contradicts Eva has a dog called Rex."}},
	{[]string{"My uncle Paul lives in Rome.", "It died."}, nil},
	{[]string{"I have a cat, Momo.", "Momo died last night."}, []string{"Momo died last night. contradicts Eva has a cat, Momo."}},
	{[]string{"I have a dog called Rex.", "I gave away Rex."}, []string{"Eva gave away Rex. contradicts Eva has a dog called Rex."}},
	{[]string{"I have a dog called Rex.", "My dog died."}, []string{"Eva's dog died. contradicts Eva has a dog called Rex."}},
	{[]string{"I have two cats, Olive and Pip.", "My cat died."}, nil},
	{[]string{"The budget for Apollo is 40,000 euros.", "The budget was cut to 30k."}, []string{
		"The budget for Apollo was cut to 30k euros. contradicts The budget for Apollo is 40,000 euros.",
	}},
	{[]string{"My rent is 900 euros.", "My rent went up to 980."}, []string{"Eva's rent went up to 980 euros. contradicts Eva's rent is 900 euros."}},
	{[]string{"My rent is 900 euros.", "My salary is 980."}, nil},
	{[]string{"The budget for Apollo is 40,000 euros.", "The budget for Hermes is 10,000 euros.", "The budget was cut to 30k."}, nil},
	{[]string{"I have a dentist appointment on 2 July.", "The dentist moved my appointment to 5 July."}, []string{
		"nothing retracts Eva has a dentist appointment on 2 July.",
	}},
	{[]string{"I have a dentist appointment on 2 July.", "The appointment was moved to 5 July."}, []string{
		"nothing retracts Eva has a dentist appointment on 2 July.",
	}},
	{[]string{"I have a dentist appointment on 2 July.", "Lena's appointment was moved to 5 July."}, nil},
	{[]string{"I have a dentist appointment on 2 July.", "I have a haircut appointment on 3 July.", "The appointment was moved to 5 July."}, nil},
	{[]string{"I have a meeting with Paul on 2 July.", "The meeting with Paul was moved to room 4."}, nil},
	{[]string{"I have a dentist appointment on 2 July.", "Her appointment was moved to 5 July."}, nil},
	{[]string{"I have a dentist appointment on 2 July.", "Lena's first dentist appointment was moved to 5 July."}, nil},
	{[]string{"I bought a Honda Civic.", "I drive a Honda Civic.", "I sold the Civic."}, []string{
		"Eva sold the Civic. contradicts Eva bought a Honda Civic. contradicts Eva drives a Honda Civic.",
	}},
	{[]string{"I am allergic to penicillin.", "I am not allergic to penicillin."}, []string{
		"Eva is not allergic to penicillin. contradicts Eva is allergic to penicillin.",
	}},
	{[]string{"I am vegetarian.", "I am not vegetarian."}, []string{"Eva is not vegetarian. contradicts Eva is vegetarian."}},
	{[]string{"I am not vegetarian.", "I am vegetarian."}, []string{"Eva is vegetarian. contradicts Eva is not vegetarian."}},
	{[]string{"I am married to Tom.", "I am not married to Tom."}, []string{"Eva is not married to Tom. contradicts Eva is married to Tom."}},
	{[]string{"I work at Initech.", "I no longer work at Initech."}, []string{"Eva no longer works at Initech. contradicts Eva works at Initech."}},
}

func TestStories(t *testing.T) {
	t.Parallel()
	for _, tt := range stories {
		t.Run(strings.Join(tt.said, " "), func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tell(t, tt.said)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// tell asks the rules what each message states, and how the last message relates to the earlier
// facts, as the pipeline does.
func tell(t *testing.T, messages []string) []string {
	var known []prompts.KnownFact
	var previous []prompts.Message
	sentences := map[int]string{0: "nothing"}
	var q prompts.ResolveFacts
	for i, text := range messages {
		at := time.Date(2024, 6, 10+i, 10, 0, 0, 0, time.UTC)
		e := prompts.Episode{Source: "message", Speaker: "Eva", Content: text, OccurredAt: at, Previous: previous}
		entities, facts := extract(t, e)
		q = prompts.ResolveFacts{Episode: e, Existing: known, TakesBack: takesBack(t, e)}
		for _, f := range facts {
			pair := prompts.Pair{Source: entities[f.Source-1].Name, Predicate: f.Predicate, Target: entities[f.Target-1].Name}
			n := len(q.Facts)
			if n > 0 && q.Facts[n-1].Fact == f.Fact {
				q.Facts[n-1].Pairs = append(q.Facts[n-1].Pairs, pair)
				continue
			}
			q.Facts = append(q.Facts, prompts.UnresolvedFact{Ends: f.Ends, KnownFact: prompts.KnownFact{
				ID: len(known) + n + 1, Pairs: []prompts.Pair{pair}, Fact: f.Fact, Kind: f.Kind, Valid: *f.Valid, Said: at,
			}})
		}
		for k := range q.Facts {
			f := &q.Facts[k]
			for _, old := range known {
				if old.Pairs[0].Source == f.Pairs[0].Source && old.Pairs[0].Target == f.Pairs[0].Target {
					f.SamePair = append(f.SamePair, old.ID)
				} else {
					f.Rivals = append(f.Rivals, old.ID)
				}
			}
			sentences[f.ID] = f.Fact
		}
		for _, f := range q.Facts {
			known = append(known, f.KnownFact)
		}
		previous = append(previous, prompts.Message{Speaker: "Eva", Content: text, OccurredAt: at})
	}
	answer, err := offline.New().ResolveFacts(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range answer.Resolutions {
		line := sentences[r.ID]
		if r.DuplicateOf != 0 {
			line += " repeats " + sentences[r.DuplicateOf]
		}
		for _, id := range r.Contradicts {
			line += " contradicts " + sentences[id]
		}
		for _, id := range r.Retracts {
			line += " retracts " + sentences[id]
		}
		out = append(out, line)
	}
	return out
}

func takesBack(t *testing.T, e prompts.Episode) bool {
	t.Helper()
	answer, err := offline.New().ExtractFacts(t.Context(), prompts.ExtractFacts{Episode: e})
	if err != nil {
		t.Fatal(err)
	}
	return answer.TakesBack
}

func TestTakesBack(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Sorry, I meant my sister (Petra), not me.": true,
		"I misspoke, it is the 12th.":               true,
		"Sorry, that was wrong.":                    true,
		"Scratch that.":                             true,
		"The move to Oslo is off.":                  true,
		"The wedding was cancelled.":                true,
		"We are not moving after all.":              true,
		"I live in Oslo.":                           false,
		"I took the day off.":                       false,
		"What I meant to you":                       false,
		"Sorry, I meant to call you yesterday.":     false,
		"I was wrong about the weather.":            false,
		"I made a mistake in the exam.":             false,
		"Maybe I was wrong.":                        false,
		"I was kidding around with Sam.":            false,
		"That's not true of most cats.":             false,
		"Scratch that ticket for me, would you?":    false,
		"Forget it, let's talk about lunch.":        false,
		"It meant a lot to me.":                     false,
		"My gym membership was cancelled.":          false,
		"The kids are off to school.":               false,
		"It is not that wrong to try.":              false,
	} {
		if got := takesBack(t, prompts.Episode{Source: "message", Speaker: "Eva", Content: text, OccurredAt: said}); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestAliases(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"My brother Robert moved in. Everybody calls him Bob.":     "Robert: Bob, Alice's brother",
		"I met Robert, or Bob for short, at Acme.":                 "Robert: Bob",
		"My name is Katherine but call me Kate.":                   "Katherine: Kate",
		"Don't call me Kim, call me Kimberly.":                     "Alice: Kimberly",
		"This is Robert Stone, also known as Bobby.":               "Robert Stone: Bobby",
		"Robert goes by Bob.":                                      "Robert: Bob",
		"My sister Margaret lives in Rome, we all call her Peggy.": "Margaret: Peggy, Alice's sister",
		"My sisters Vera and Nina live in Rome.":                   "",
		"My friend Vera lives in Rome.":                            "",
		"Everyone calls me Al.":                                    "Alice: Al",
		"Anna and Ben live in Rome. Everybody calls him Benny.":    "",
		"Call Robert tomorrow.":                                    "",
		"I like Oslo or Bergen.":                                   "",
		"You can call me tomorrow.":                                "",
	} {
		found, err := offline.New().ExtractEntities(t.Context(), prompts.ExtractEntities{Episode: fromAlice(text)})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, e := range found.Entities {
			if e.Aliases != nil && (got == "" || e.Name != "Alice") {
				got = fmt.Sprintf("%s: %s", e.Name, strings.Join(e.Aliases, ", "))
			}
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
