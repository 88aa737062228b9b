# ruff: noqa: E501, RUF001 (sentences in letters of other alphabets)
"""The language of texts, and HTML in them."""

import html
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from honeybayes import TextClassifier, TextVectorizer, load_model, save_model
from honeybayes.scale import Part, fit_in_parts
from honeybayes.tables import load_corpus
from honeybayes.text import TextAnalyzer, Vocabulary, detect_language, look_at
from honeybayes.text._analyzer import LANGUAGES, remove_html, stop_words_of
from honeybayes.text._detection import MOST_TEXTS, sample_texts

MESSAGES = load_corpus("messages").documents
# Article 1 of the Universal Declaration of Human Rights, or a plain sentence
SENTENCES = {
    "arabic": "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق، وقد وهبوا عقلا وضميرا وعليهم أن "
    "يعامل بعضهم بعضا بروح الإخاء. هذا ما قال في الذي كان من قبل",
    "armenian": "Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ ու իրավունքներով: "
    "Նրանք ունեն բանականություն ու խիղճ և այն ինչ որ էլ",
    "basque": "Gizon-emakume guztiak aske jaiotzen dira, duintasun eta eskubide berberak dituztela; "
    "eta ezaguera eta kontzientzia dutenez gero, elkarren artean senide legez jokatu beharra dute. "
    "Hau da nik egin dudan gauza bat, baina ez dut hori nahi",
    "catalan": "Tots els éssers humans neixen lliures i iguals en dignitat i en drets. Són dotats de "
    "raó i de consciència, i han de comportar-se fraternalment els uns amb els altres. Això no és",
    "czech": "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni "
    "rozumem a svědomím a mají spolu jednat v duchu bratrství, ale to není vše, co je třeba",
    "danish": "Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med "
    "fornuft og samvittighed, og de bør handle mod hverandre i en broderskabets ånd, hvad så af det",
    "dutch": "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn begiftigd "
    "met verstand en geweten, en behoren zich jegens elkander in een geest van broederschap te "
    "gedragen, maar dat is niet wat zij hebben",
    "english": "All human beings are born free and equal in dignity and rights. They are endowed with "
    "reason and conscience and should act towards one another in a spirit of brotherhood.",
    "esperanto": "Ĉiuj homoj estas denaske liberaj kaj egalaj laŭ digno kaj rajtoj. Ili posedas "
    "racion kaj konsciencon, kaj devus konduti unu al alia en spirito de frateco.",
    "estonian": "See on nii, et ma ei ole siin ja ta ei ole seal, aga kui nad on koos, siis ma ka",
    "finnish": "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille "
    "on annettu järki ja omatunto, ja heidän on toimittava toisiaan kohtaan veljeyden hengessä.",
    "french": "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués "
    "de raison et de conscience et doivent agir les uns envers les autres dans un esprit de paix.",
    "german": "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft "
    "und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen.",
    "greek": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. "
    "Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με το",
    "hindi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। "
    "उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और यह है कि",
    "hungarian": "Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek, "
    "ésszel és lelkiismerettel bírván, egymással szemben csak úgy, hogy ez nem az, ami volt",
    "indonesian": "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama. Mereka "
    "dikaruniai akal dan hati nurani dan hendaknya bergaul satu sama lain dalam persaudaraan, "
    "karena itu kami tidak bisa pergi, tetapi kamu sudah di sini untuk membeli apa saja",
    "irish": "Saolaítear na daoine uile saor agus comhionann ina ndínit agus ina gcearta. Tá bauid an "
    "réasúin agus an choinsiasa acu agus dlíd iad féin d'iompar de mheon bráithreachais leis an",
    "italian": "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati "
    "di ragione e di coscienza e devono agire gli uni verso gli altri in spirito di fratellanza.",
    "lithuanian": "Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis. Jiems suteiktas protas "
    "ir sąžinė ir jie turi elgtis vienas kito atžvilgiu kaip broliai, bet tai nėra viskas, ką",
    "nepali": "सबै व्यक्तिहरू जन्मजात स्वतन्त्र हुन् ती सबैको समान अधिकार र महत्व छ। यो काम गर्ने "
    "हामी हौं, तर उनी पनि छन् भने केही हुन्छ",
    "norwegian": "Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter. De er "
    "utstyrt med fornuft og samvittighet og bør handle mot hverandre i brorskapets ånd, hva nå enn",
    "persian": "تمام افراد بشر آزاد به دنیا می آیند و از لحاظ حیثیت و حقوق با هم برابرند. همه دارای "
    "عقل و وجدان هستند و باید نسبت به یکدیگر با روح برادری رفتار کنند",
    "polish": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni "
    "obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa, bo to nie",
    "portuguese": "Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de "
    "razão e de consciência, devem agir uns para com os outros em espírito de fraternidade, mas não",
    "romanian": "Toate ființele umane se nasc libere și egale în demnitate și în drepturi. Ele sunt "
    "înzestrate cu rațiune și conștiință și trebuie să se comporte unele față de altele în spirit",
    "russian": "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены "
    "разумом и совестью и должны поступать в отношении друг друга в духе братства, но это не все",
    "serbian": "Сва људска бића рађају се слободна и једнака у достојанству и правима. Она су обдарена "
    "разумом и свешћу и треба једни према другима да поступају у духу братства, али то није све што",
    "sesotho": "Ke a leboha, empa ha ke tsebe hore na ba ile kae. O tla ho rona ka la bobedi le wa "
    "hae, mme re tla ya le bona ha ba se ba le teng, jwale ka ha re ne re le ka moo",
    "spanish": "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como "
    "están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.",
    "swedish": "Alla människor är födda fria och lika i värde och rättigheter. De är utrustade med "
    "förnuft och samvete och bör handla gentemot varandra i en anda av broderskap.",
    "tamil": "மனிதப் பிறவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்; அவர்கள் மதிப்பிலும் உரிமைகளிலும் "
    "சமமானவர்கள், அவர்கள் நியாயத்தையும் மனச்சாட்சியையும் இயற்பண்பாகப் பெற்றவர்கள். இந்த ஒரு நாள் "
    "மிகவும் நல்ல நாள் என்று அவர் மற்றும் நான்",
    "turkish": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana "
    "sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler. Bu çok daha iyi",
    "yiddish": "יעדער מענטש ווערט געבוירן פֿרײַ און גלײַך אין כּבֿוד און רעכט. יעדער ווערט באַשאָנקן מיט "
    "פֿאַרשטאַנד און געוויסן; יעדער זאָל זיך פֿירן מיט אַ צווייטן אין אַ געמיט פֿון ברודערשאַפֿט.",
}
WITHOUT_STEMS = {
    "Chinese": "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。",
    "Japanese": "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "Thai": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
    "Korean": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "Swahili": "Watu wote wamezaliwa huru, hadhi na haki zao ni sawa. Wote wamejaliwa akili na dhamiri, "
    "hivyo yapasa watendeane kindugu.",
    "Yoruba": "Gbogbo ènìyàn ni a bí ní òmìnira; iyì àti ẹ̀tọ́ kọ̀ọ̀kan sì dọ́gba. Wọ́n ní ẹ̀bùn ti "
    "làákàyè àti ti ẹ̀rí-ọkàn, ó sì yẹ kí wọn ó máa hùwà sí ara wọn gẹ́gẹ́ bí ọmọ ìyá.",
    "Ukrainian": "Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені "
    "розумом і совістю і повинні діяти у відношенні один до одного в дусі братерства.",
    "Croatian": "Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima. Ona su obdarena "
    "razumom i sviješću i trebaju jedna prema drugima postupati u duhu bratstva, prije nego što netko",
    "Hebrew": "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון",
    "Vietnamese": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_with_stems_is_found(language):
    assert detect_language([SENTENCES[language]]) == language


@pytest.mark.parametrize("name", WITHOUT_STEMS)
def test_a_language_without_stems_is_unknown(name):
    assert detect_language([WITHOUT_STEMS[name]] * 3) is None


def test_the_language_of_most_words_is_taken():
    german, english = SENTENCES["german"], SENTENCES["english"]
    assert detect_language([german, german, english]) == "german"
    assert detect_language([german, english, english]) == "english"


@pytest.mark.parametrize(
    "texts",
    [
        ["Wrong charge", "Parcel late"],
        ["cat", "dog", "emu"],
        [""],
        ["12 34"],
        [],
        ["red shoes"] * 5,
    ],
)
def test_few_plain_words_are_english(texts):
    assert detect_language(texts) == "english"


def test_plain_words_without_stop_words_are_english():
    assert (
        detect_language(["bank card charge fee", "invoice payment price refund"] * 99) == "english"
    )
    assert detect_language(["übel köln größe", "straße tür öl"] * 99) is None
    igbo = (
        "Mmadu nile ka amuru n'ohere nha anya, ya na ugwu na nkwanye ikike. Enwere ha uche na obi"
    )
    assert detect_language([igbo] * 9) is None


def test_titles_in_english_are_english():
    rows = ["steel cup with lid for tea, black", "mug and spoon of wood", "toner for printer"] * 20
    rows += ["cartridge printer paper tray cable adapter keyboard mouse screen"] * 20
    assert detect_language(rows) == "english"


def test_any_iterable_of_texts_has_a_language():
    german = ["Mein Paket ist noch nicht da", "Wo ist die Rechnung für den Kauf?"]
    assert detect_language(text for text in german) == "german"
    with pytest.raises(ValueError, match="got a single text"):
        detect_language(german[0])
    with pytest.raises(ValueError, match="is not a text but nan"):
        detect_language([float("nan"), *german])


def test_lists_are_repaired():
    assert {"dėl", "iš", "jūsų", "prieš"} <= stop_words_of("lithuanian")
    assert {"și", "şi"} <= stop_words_of("romanian")
    assert {"gde", "где", "није", "pre", "пре"} <= stop_words_of("serbian")
    assert {"qu", "aujourd", "hui"} <= stop_words_of("french")
    assert not {"netko", "нетко"} & stop_words_of("serbian")
    assert stop_words_of(None) == stop_words_of("attributes") == frozenset()


def test_a_sample_is_looked_at_at_equal_distances():
    texts = [str(n) for n in range(10 * MOST_TEXTS)]
    assert sample_texts(texts) == texts[::10]
    assert sample_texts(texts[: MOST_TEXTS + 1]) == texts[: MOST_TEXTS + 1 : 2]
    assert sample_texts(texts[:3]) == texts[:3]
    german = [SENTENCES["german"] if n % 10 == 0 else "" for n in range(10 * MOST_TEXTS)]
    assert detect_language(german) == "german"


def test_english_is_found_as_it_is_given():
    found, given = TextVectorizer().fit(MESSAGES), TextVectorizer(language="english").fit(MESSAGES)
    assert found.language_ == given.language_ == "english"
    assert found.terms_.tolist() == given.terms_.tolist()
    assert found.build_analyzer() == given.build_analyzer()


def test_what_was_found_stays():
    vectorizer = TextVectorizer().partial_fit([SENTENCES["german"]])
    vectorizer.partial_fit([SENTENCES["english"]] * 9)
    assert vectorizer.language_ == "german"
    assert vectorizer.language == "auto"
    vectorizer.language = "english"
    with pytest.raises(ValueError, match="fitted with other parameters"):
        vectorizer.partial_fit(["more"])


def test_a_model_file_keeps_what_was_found(tmp_path):
    texts = [SENTENCES["german"], "<p>Wo ist die Rechnung für das Paket?</p>"] * 3
    classifier = TextClassifier("CNB").fit(texts, ["a", "b"] * 3)
    save_model(classifier, tmp_path / "model.hb")
    loaded = load_model(tmp_path / "model.hb")
    assert (loaded.language, loaded.language_) == ("auto", "german")
    analyzer = loaded.vectorizer_.build_analyzer()
    assert analyzer.clean_html
    assert analyzer == classifier.vectorizer_.build_analyzer()
    np.testing.assert_array_equal(loaded.predict_proba(texts), classifier.predict_proba(texts))


def test_parts_have_the_language_of_the_first_texts():
    german = [SENTENCES["german"], "Wo ist die Rechnung für das Paket?"] * 3
    labels = ["a", "b"] * 3
    parts = {"none": ([], []), "one": (german[:4], labels[:4]), "two": (german[4:], labels[4:])}
    classifier = TextClassifier("CNB")
    fit_in_parts(classifier, [Part(name, parts.get, (name,)) for name in parts])
    whole = TextClassifier("CNB").fit(german, labels)
    assert classifier.language_ == whole.language_ == "german"
    assert classifier.terms_.tolist() == whole.terms_.tolist()
    np.testing.assert_allclose(classifier.predict_proba(german), whole.predict_proba(german))


def test_vocabularies_of_two_languages_cannot_be_merged():
    german, english = (Vocabulary().add([SENTENCES[each]]) for each in ("german", "english"))
    with pytest.raises(ValueError, match='What "auto" found in the texts differs'):
        german.merge(english)
    empty = Vocabulary().add([]).merge(german)
    assert empty.finish().language_ == "german"


# --- HTML -----------------------------------------------------------------------------------------


class TextOf(HTMLParser):
    """The text of a page by the parser of Python, without scripts and styles."""

    def __init__(self, page):
        super().__init__()
        self.found, self.hidden = [], 0
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in ("script", "style")

    def handle_endtag(self, tag):
        self.hidden -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.hidden:
            self.found.append(data)


PAGES = [
    "<!DOCTYPE html><html><head><title>Parcels</title><style>p {color: red}</style></head>"
    "<body class='a b'><!-- note --><p>Where is <b>my</b> parcel?<br/>Caf&eacute; &amp; bar&#33;</p>"
    "<script>if (a < b) alert('x')</script></body></html>",
    "2 < 3 and 5 > 4, <ann@example.org> wrote &lt;br&gt;",
    "<IMG SRC=x ALT='late parcels'>Late",
]


@pytest.mark.parametrize("page", PAGES[:1] + PAGES[2:])
def test_the_text_of_a_page_is_that_of_a_parser(page):
    assert remove_html(page).split() == " ".join(TextOf(page).found).split()


def test_what_is_no_tag_stays():
    assert remove_html(PAGES[1]) == "2 < 3 and 5 > 4, <ann@example.org> wrote <br>"


@given(st.text("<>!-/ab &;p=\"'\n") | st.text())
@example("<!--" * 5000)
@example("<script" * 5000)
@example("<a " * 5000)
def test_any_text_can_be_cleaned(text):
    cleaned = remove_html(text)
    assert not re.search(r"<(p|b|a)>", re.sub("&[^;]*;", "", cleaned)) or "&" in text or "<" in text
    if "<" not in text:
        assert cleaned == html.unescape(text)


@pytest.mark.parametrize(
    ("n_html", "is_cleaned"), [(0, False), (20, False), (21, True), (100, True)]
)
def test_html_is_removed_if_more_than_a_fifth_of_the_texts_have_it(n_html, is_cleaned):
    texts = ["<p>my parcel &amp; me</p>"] * n_html + ["a < b, <grin> and R&D"] * (100 - n_html)
    assert look_at(texts).clean_html is is_cleaned
    vectorizer = TextVectorizer(stop_words=False).fit(texts)
    assert vectorizer.build_analyzer().clean_html is is_cleaned
    assert ("amp" in vectorizer.terms_) == (n_html > 0 and not is_cleaned)
    assert TextVectorizer(clean_html=False).fit(texts).build_analyzer().clean_html is False


def test_an_analyzer_removes_html_before_it_looks_for_words():
    analyze = TextAnalyzer(clean_html=True)
    assert analyze("<a href='parcel'>invoices</a>caf&eacute;") == ["invoic", "café"]
    assert TextAnalyzer(stop_words=False)("<b>late</b>") == ["late"]
