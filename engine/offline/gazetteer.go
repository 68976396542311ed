package offline

import (
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Words that tell by themselves what kind of thing a name of several words is.
var (
	organizationWords = set(`university college school academy institute hospital clinic company corporation corp inc ltd llc
		gmbh bank foundation association society agency department ministry group club team band orchestra choir league
		church council committee labs studios systems technologies airlines partners gym network community program workshop`)
	placeWords = set(`park beach lake river street avenue road city island islands mountain mountains museum forest canyon
		bay square airport station bridge valley desert ocean sea coast county village town cafe café restaurant hotel theater
		theatre stadium zoo garden gardens falls springs hills harbor harbour cathedral castle`)
)

// Cities that are often named without the country around them.
const cities = `Amsterdam,Ankara,Athens,Atlanta,Austin,Baghdad,Baltimore,Bangalore,Bangkok,Barcelona,Beijing,Beirut,Belfast,
Belgrade,Bergen,Berlin,Bilbao,Birmingham,Bogotá,Bogota,Bologna,Bordeaux,Boston,Bratislava,Brisbane,Bristol,Brooklyn,Brussels,
Bucharest,Budapest,Buenos Aires,Cairo,Calgary,Cape Town,Caracas,Casablanca,Chennai,Chicago,Cleveland,Cologne,Copenhagen,Dakar,
Dallas,Delhi,Denver,Detroit,Dubai,Dublin,Düsseldorf,Edinburgh,Florence,Frankfurt,Geneva,Genoa,Glasgow,Gothenburg,Graz,Hamburg,
Hanoi,Havana,Helsinki,Houston,Istanbul,Jakarta,Jerusalem,Johannesburg,Karachi,Kiev,Kyiv,Krakow,Kraków,Kyoto,Lagos,Las Vegas,
Leipzig,Lima,Lisbon,Liverpool,Ljubljana,London,Los Angeles,Lyon,Madrid,Malmö,Manchester,Manila,Manhattan,Marseille,Medellín,
Melbourne,Mexico City,Miami,Milan,Minneapolis,Montevideo,Montreal,Moscow,Mumbai,Munich,Nairobi,Naples,Nashville,New Delhi,
New Orleans,New York,New York City,NYC,Oakland,Osaka,Oslo,Ottawa,Palermo,Paris,Perth,Philadelphia,Phoenix,Pittsburgh,
Portland,Porto,Prague,Quito,Reykjavik,Riga,Rio de Janeiro,Rome,Rotterdam,Sacramento,Salzburg,San Antonio,San Diego,
San Francisco,San Jose,Santiago,São Paulo,Sarajevo,Seattle,Seoul,Seville,Shanghai,Sofia,Stockholm,Stuttgart,Sydney,Taipei,
Tallinn,Tampa,Tbilisi,Tehran,Tel Aviv,The Hague,Tokyo,Toronto,Toulouse,Trondheim,Tucson,Turin,Uppsala,Valencia,Vancouver,
Venice,Vienna,Vilnius,Warsaw,Washington DC,Wellington,Zagreb,Zurich,Zürich,USA,US,UK,England,Scotland,Wales,Europe,Asia,Africa,
America,California,Texas,Florida,Ohio,Oregon,Michigan,Colorado,Arizona,Nevada,Utah,Minnesota,Wisconsin,Illinois,Indiana,
Massachusetts,Connecticut,Pennsylvania,Tennessee,Kentucky,Louisiana,Alabama,Oklahoma,Kansas,Nebraska,Montana,Idaho,Wyoming,
Alaska,Hawaii,New Jersey,New Mexico,North Carolina,South Carolina,Bavaria,Tuscany,Catalonia,Ontario,Quebec,British Columbia`

// Countries whose English name is more often something else.
var notCountries = set(`Jordan Chad Georgia Turkey Guernsey Jersey World`)

// places holds the names of countries, which the Unicode locale data have, and
// of well-known cities and regions.
var places = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, city := range strings.Split(cities, ",") {
		out[strings.TrimSpace(city)] = true
	}
	names := display.English.Regions()
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			region, err := language.ParseRegion(string(a) + string(b))
			if err == nil && region.IsCountry() && !notCountries[names.Name(region)] {
				out[names.Name(region)] = true
			}
		}
	}
	return out
})
