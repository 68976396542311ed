package dates

import (
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// monthNames lists the names of January to December, in each form that dates use. No name stands
// for different months in different languages.
var monthNames = map[string]string{
	"ar": "يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر",
	"cs": "leden ledna lednu led|únor února únoru úno unr|březen března březnu bře|duben dubna dubnu dub|květen května květnu kvě|" +
		"červen června červnu čer čvn|červenec července červenci črc črv čvc|srpen srpna srpnu srp|září zář|říjen října říjnu říj|" +
		"listopad listopadu lis|prosinec prosince prosinci pro",
	"da": "januar jan|februar feb|marts mar|april apr|maj|juni jun|juli jul|august aug|september sep|oktober okt|november nov|december dec",
	"de": "januar jänner jan|februar feber feb|märz maerz mar mrz|april apr|mai|juni jun|juli jul|august aug|september sept sep|oktober okt|november nov|dezember dez",
	"el": "ιανουάριος ιανουαρίου ιαν|φεβρουάριος φεβρουαρίου φεβ|μάρτιος μαρτίου μαρ|απρίλιος απριλίου απρ|μάιος μαΐου μαι|ιούνιος ιουνίου ιουν|" +
		"ιούλιος ιουλίου ιουλ|αύγουστος αυγούστου αυγ|σεπτέμβριος σεπτεμβρίου σεπ|οκτώβριος οκτωβρίου οκτ|νοέμβριος νοεμβρίου νοε|δεκέμβριος δεκεμβρίου δεκ",
	"es": "enero ene|febrero feb|marzo mar|abril abr|mayo may|junio jun|julio jul|agosto ago|septiembre setiembre sept sep set|octubre oct|noviembre nov|diciembre dic",
	"fa": "ژانویه جنوری|فوریه فبروری|مارس مارچ|آوریل اپریل|مه می|ژوئن جون|ژوئیه جولای|اوت اگست|سپتامبر سپتمبر|اکتبر اکتوبر|نوامبر نومبر|دسامبر دسمبر",
	"fi": "tammikuu tammikuuta tammikuussa tammik tammi|helmikuu helmikuuta helmikuussa helmik helmi|maaliskuu maaliskuuta maaliskuussa maalisk maalis|" +
		"huhtikuu huhtikuuta huhtikuussa huhtik huhti|toukokuu toukokuuta toukokuussa toukok touko|kesäkuu kesäkuuta kesäkuussa kesäk kesä|" +
		"heinäkuu heinäkuuta heinäkuussa heinäk heinä|elokuu elokuuta elokuussa elok elo|syyskuu syyskuuta syyskuussa syysk syys|" +
		"lokakuu lokakuuta lokakuussa lokak loka|marraskuu marraskuuta marraskuussa marrask marras|joulukuu joulukuuta joulukuussa jouluk joulu",
	"fr": "janvier janv jan|février févr fév|mars|avril avr|mai|juin jun|juillet juil jul|août aoû|septembre sept sep|octobre oct|novembre nov|décembre déc",
	"he": "ינואר ינו׳ ינו|פברואר פבר׳ פבר|מרץ מרס מארס|אפריל אפר׳ אפר|מאי|יוני יונ|יולי יול|אוגוסט אוג׳ אוג|ספטמבר ספט׳ ספט|אוקטובר אוק׳ אוק|נובמבר נוב׳ נוב|דצמבר דצמ׳ דצמ",
	"hi": "जनवरी जन॰|फ़रवरी फरवरी फ़र॰ फर॰|मार्च|अप्रैल|मई|जून|जुलाई जुल॰|अगस्त अग॰|सितंबर सितम्बर सित॰|अक्टूबर अक्तूबर अक्तू॰|नवंबर नवम्बर नव॰|दिसंबर दिसम्बर दिस॰",
	"id": "januari jan|februari feb|maret mar|april apr|mei|juni jun|juli jul|agustus agt agu|september sept sep|oktober okt|november nov|desember des",
	"it": "gennaio gen|febbraio feb|marzo mar|aprile apr|maggio mag|giugno giu|luglio lug|agosto ago|settembre set|ottobre ott|novembre nov|dicembre dic",
	"nb": "januar jan|februar feb|mars mar|april apr|mai|juni jun|juli jul|august aug|september sep|oktober okt|november nov|desember des",
	"nl": "januari jan|februari feb|maart mrt|april apr|mei|juni jun|juli jul|augustus aug|september sep|oktober okt|november nov|december dec",
	"pl": "styczeń stycznia styczniu sty|luty lutego lutym lut|marzec marca marcu mar|kwiecień kwietnia kwietniu kwi kwie|maj maja maju|czerwiec czerwca czerwcu cze|" +
		"lipiec lipca lipcu lip|sierpień sierpnia sierpniu sie|wrzesień września wrześniu wrz|październik października październiku paź|" +
		"listopad listopada listopadzie lis|grudzień grudnia grudniu gru",
	"pt": "janeiro jan|fevereiro fev|março mar|abril abr|maio mai|junho jun|julho jul|agosto ago|setembro septembro set|outubro|novembro nov|dezembro dez",
	"ru": "январь января январе янв|февраль февраля феврале февр фев|март марта марте мар|апрель апреля апреле апр|май мая мае|июнь июня июне июн|" +
		"июль июля июле июл|август августа августе авг|сентябрь сентября сентябре сент сен|октябрь октября октябре окт|ноябрь ноября ноябре нояб ноя|" +
		"декабрь декабря декабре дек",
	"sv": "januari jan|februari feb|mars|april apr|maj|juni jun|juli jul|augusti aug|september sept sep|oktober okt|november nov|december dec",
	"tr": "ocak oca|şubat şub|mart mar|nisan nis|mayıs may|haziran haz|temmuz tem|ağustos ağu|eylül eyl|ekim eki|kasım kas|aralık ara",
	"uk": "січень січня січні січ|лютий лютого лютому лют|березень березня березні берез бер|квітень квітня квітні квіт кві|травень травня травні трав тра|" +
		"червень червня червні черв чер|липень липня липні лип|серпень серпня серпні серп сер|вересень вересня вересні верес вер|" +
		"жовтень жовтня жовтні жовт жов|листопад листопада листопаді листоп лист лис|грудень грудня грудні груд гру",
}

// foreignParticles stand within dates, between day, month and year or after the number of the day.
// They are folded.
var foreignParticles = set("de del do di d er re o a en ano tahun го и в")

// foreignMonths maps the folded names to the months.
var foreignMonths = sync.OnceValue(func() map[string]time.Month {
	months := map[string]time.Month{}
	for _, names := range monthNames {
		for m, forms := range strings.Split(names, "|") {
			for form := range strings.FieldsSeq(forms) {
				months[fold(form)] = time.Month(m + 1)
			}
		}
	}
	return months
})

// hebrewPrefixes are the prepositions that Hebrew joins to the month: "in", "to", "of".
const hebrewPrefixes = "בלמ"

// monthNamed returns the month that a word names in one of the languages, or 0.
func monthNamed(word string) time.Month {
	word = fold(word)
	if m, ok := foreignMonths()[word]; ok {
		return m
	}
	if first := firstRune(word); strings.ContainsRune(hebrewPrefixes, first) {
		return foreignMonths()[word[len(string(first)):]]
	}
	return 0
}

// fold returns a single spelling of a word for all its accents and capitals. Hindi's marks are
// kept, since they are vowels.
func fold(word string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Devanagari, r):
			return -1
		case r == 'ı':
			return 'i'
		case r == 'ς':
			return 'σ'
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(word))
}
