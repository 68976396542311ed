package offline

import (
	"strings"
	"sync"
)

// Words that show the kind of a name of several words.
var (
	organizationWords = set(`university college school academy institute hospital clinic company corporation corp inc ltd llc
		gmbh bank foundation association society agency department ministry group club team band orchestra choir league
		church council committee labs studios systems technologies airlines partners gym network community program workshop`)
	placeWords = set(`park beach lake river street avenue road city island islands mountain mountains museum forest canyon
		bay square airport station bridge valley desert ocean sea coast county village town cafe café restaurant hotel theater
		theatre stadium zoo garden gardens falls springs hills harbor harbour cathedral castle`)
)

// cities are cities and regions that are often named without their country.
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

// countries are the English names of countries in the Unicode locale data, without names that more
// often mean something else. They are copied here because the data contain the names of all
// countries in all languages, which every program would have to carry.
const countries = `Afghanistan,Albania,Algeria,American Samoa,Andorra,Angola,Anguilla,Antarctica,Antigua & Barbuda,Argentina,Armenia,
Aruba,Ascension Island,Australia,Austria,Azerbaijan,Bahamas,Bahrain,Bangladesh,Barbados,Belarus,Belgium,Belize,Benin,
Bermuda,Bhutan,Bolivia,Bosnia & Herzegovina,Botswana,Bouvet Island,Brazil,British Indian Ocean Territory,
British Virgin Islands,Brunei,Bulgaria,Burkina Faso,Burundi,Cambodia,Cameroon,Canada,Canary Islands,Cape Verde,
Caribbean Netherlands,Cayman Islands,Central African Republic,Ceuta & Melilla,Chile,China,Christmas Island,
Clipperton Island,Cocos (Keeling) Islands,Colombia,Comoros,Congo - Brazzaville,Congo - Kinshasa,Cook Islands,
Costa Rica,Croatia,Cuba,Curaçao,Cyprus,Czechia,Côte d’Ivoire,Denmark,Diego Garcia,Djibouti,Dominica,
Dominican Republic,Ecuador,Egypt,El Salvador,Equatorial Guinea,Eritrea,Estonia,Ethiopia,Eurozone,Falkland Islands,
Faroe Islands,Fiji,Finland,France,French Guiana,French Polynesia,French Southern Territories,Gabon,Gambia,Germany,
Ghana,Gibraltar,Greece,Greenland,Grenada,Guadeloupe,Guam,Guatemala,Guinea,Guinea-Bissau,Guyana,Haiti,
Heard & McDonald Islands,Honduras,Hong Kong SAR China,Hungary,Iceland,India,Indonesia,Iran,Iraq,Ireland,Isle of Man,
Israel,Italy,Jamaica,Japan,Kazakhstan,Kenya,Kiribati,Kosovo,Kuwait,Kyrgyzstan,Laos,Latvia,Lebanon,Lesotho,Liberia,
Libya,Liechtenstein,Lithuania,Luxembourg,Macau SAR China,Macedonia,Madagascar,Malawi,Malaysia,Maldives,Mali,Malta,
Marshall Islands,Martinique,Mauritania,Mauritius,Mayotte,Mexico,Micronesia,Moldova,Monaco,Mongolia,Montenegro,
Montserrat,Morocco,Mozambique,Myanmar (Burma),Namibia,Nauru,Nepal,Netherlands,New Caledonia,New Zealand,Nicaragua,
Niger,Nigeria,Niue,Norfolk Island,North Korea,Northern Mariana Islands,Norway,Oman,Pakistan,Palau,
Palestinian Territories,Panama,Papua New Guinea,Paraguay,Peru,Philippines,Pitcairn Islands,Poland,Portugal,Puerto Rico,
Qatar,Romania,Russia,Rwanda,Réunion,Samoa,San Marino,Saudi Arabia,Senegal,Serbia,Seychelles,Sierra Leone,Singapore,
Sint Maarten,Slovakia,Slovenia,Solomon Islands,Somalia,South Africa,South Georgia & South Sandwich Islands,South Korea,
South Sudan,Spain,Sri Lanka,St. Barthélemy,St. Helena,St. Kitts & Nevis,St. Lucia,St. Martin,St. Pierre & Miquelon,
St. Vincent & Grenadines,Sudan,Suriname,Svalbard & Jan Mayen,Swaziland,Sweden,Switzerland,Syria,São Tomé & Príncipe,
Taiwan,Tajikistan,Tanzania,Thailand,Timor-Leste,Togo,Tokelau,Tonga,Trinidad & Tobago,Tristan da Cunha,Tunisia,
Turkmenistan,Turks & Caicos Islands,Tuvalu,U.S. Outlying Islands,U.S. Virgin Islands,Uganda,Ukraine,
United Arab Emirates,United Kingdom,United Nations,United States,Uruguay,Uzbekistan,Vanuatu,Vatican City,Venezuela,
Vietnam,Wallis & Futuna,Western Sahara,Yemen,Zambia,Zimbabwe,Åland Islands`

// places returns the names of countries and of well-known cities and regions.
var places = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, list := range []string{countries, cities} {
		for name := range strings.SplitSeq(list, ",") {
			out[strings.TrimSpace(name)] = true
		}
	}
	return out
})
