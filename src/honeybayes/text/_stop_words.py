# ruff: noqa: RUF001, SIM905 (Turkish has a dotless i; words read better in lines)
"""Languages, and their words that are too frequent to be informative about the class.

The lists are those of stopwordsiso, apart from the languages that are written out here. They also
tell a language (`honeybayes.text.detect_language`), so those of languages without stems are needed
as well.
"""

import unicodedata
from functools import cache, reduce

import Stemmer
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

# fmt: off
LANGUAGE_OF_CODE = {  # ISO 639-1
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian",
    "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}
OTHER_NAMES = {  # that somebody may type
    "nb": "norwegian", "deutsch": "german", "español": "spanish", "farsi": "persian",
    "français": "french", "italiano": "italian", "nederlands": "dutch", "norsk": "norwegian",
    "polski": "polish", "português": "portuguese", "svenska": "swedish", "türkçe": "turkish",
}
# fmt: on
OTHER_STEMMERS = {"dutch_porter", "lovins", "porter"}  # of Snowball, not named after a language

# Without words that are also nouns, such as "müdür" (is it? / director) and "on" (ten).
TURKISH_STOP_WORDS = frozenset(
    """
    acaba ama ancak artık aslında ayrıca az bana bazen bazı bazıları belki ben benden beni benim
    beri bile bir biraz birbiri birçok biri birisi birkaç biz bizden bize bizi bizim böyle böylece
    bu buna bunda bundan bunlar bunları bunların bunu bunun burada buradan bütün çoğu çok çünkü da
    daha dahi de değil değildir dek diğer diğeri diğerleri diye dolayı eğer elbette en fakat falan
    filan gene gibi göre hala hâlâ hangi hangisi hani hatta hem henüz hep hepsi her herhangi herkes
    hiç hiçbir hiçbiri için iken ile ise işte kadar karşı kendi kendine kendini kendisi kendisine
    kendisini kez ki kim kimden kime kimi kimin kimse lakin lâkin mı mi mu mü mıdır midir mudur
    nasıl ne neden nedenle nedir nerede nereden nereye niçin niye o olan olarak oldu olduğu olduğunu
    olmak olsun olup olur ona onda ondan onlar onlara onlardan onları onların onu onun orada oradan
    oysa öbür önce ötürü öyle pek peki rağmen sadece sana sanki sen senden seni senin siz sizden
    size sizi sizin sonra şayet şey şeyi şeyler şimdi şöyle şu şuna şunda şundan şunlar şunları şunu
    şunun tabii tarafından tüm üzere var vardı ve veya veyahut ya yahut yalnız yalnızca yani yerine
    yine yok yoksa zaten zira
    """.split()
)

# What Serbian has instead of words of Croatian, whose list stopwordsiso has.
ONLY_CROATIAN = {"prije", "netko", "što", "nakon", "bumo", "jim", "vrlo"}
ONLY_SERBIAN = {"pre", "neko", "šta", "posle", "gde", "ovde", "uvek", "ko", "koga", "ovaj"}
CYRILLIC = {"lj": "љ", "nj": "њ", "dž": "џ"} | dict(
    zip("abvgdđežzijklmnoprstćufhcčš", "абвгдђежзијклмнопрстћуфхцчш", strict=True)
)
WRITTEN_OUT = {
    "english": ENGLISH_STOP_WORDS,
    "turkish": TURKISH_STOP_WORDS,
    "nepali": frozenset(
        """र छ छन् छु हो होइन हुन् हुने हुन्छ थियो थिए को का की मा ले लाई बाट सँग पनि यो यी त्यो ती यस त्यस
        यसको उनको उनी उनले हामी हाम्रो म मेरो तपाईं तपाईंको एक एउटा भने भन्ने भएको भएका गर्न गर्ने गरेको
        गरी गर्नु गर्नुहोस् तथा वा तर नै अनि कि पछि अघि सबै अन्य कुनै केही धेरै साथ लागि जस्तो जुन के""".split()
    ),
    "tamil": frozenset(
        """ஒரு ஓர் இந்த அந்த எந்த இது அது எது இவை அவை மற்றும் அல்லது என என்று என்ற என்பது எனவே ஆகும் ஆனால்
        உள்ள உள்ளது உள்ளன இருந்து இருந்தது இருக்கும் வேண்டும் கொண்டு கொண்ட போன்ற போது போல் மேலும் பின்னர்
        பிறகு வரை பற்றி மீது மட்டும் மிகவும் மிக பல சில எல்லாம் நான் நாம் நீ நீங்கள் உங்கள் அவர் அவன் அவள்
        அவர்கள் என் தன் தனது தான் இதன் அதன் இதில் அதில் இதை அதை இங்கு அங்கு""".split()
    ),
    "yiddish": frozenset(
        """און איז אין די דער דאָס דאס דעם פֿון פון מיט צו אַז אז ניט נישט זיך האָט האט האָבן האבן זײַן
        זיין זײַנען זיינען געווען אַ א אַן אן אויף ער זי עס מיר איר זיי איך דו וואָס וואס ווי ביי בײַ פֿאַר
        פאר נאָך נאך אויך נאָר נאר אָבער אבער אָדער אדער ווערט וועט קען ווען ווו אַלע
        אלע יעדער""".split()
    ),
}


@cache
def languages() -> list[str]:
    """Return the languages of Snowball, sorted."""
    return sorted(set(Stemmer.algorithms()) - OTHER_STEMMERS)


@cache
def stop_words_of(language: str | None) -> frozenset[str]:
    """Return the stop words of a language with stems, or of a code of ISO 639-1.

    None, an unknown language, has none.
    """
    if language is None or language in WRITTEN_OUT:
        return WRITTEN_OUT.get(str(language), frozenset())
    if language == "serbian":
        latin = " ".join(stop_words_of("hr") - ONLY_CROATIAN | ONLY_SERBIAN)
        cyrillic = reduce(lambda text, pair: text.replace(*pair), CYRILLIC.items(), latin)
        return frozenset([*latin.split(), *cyrillic.split()])
    from stopwordsiso import stopwords

    codes = {name: code for code, name in LANGUAGE_OF_CODE.items()}
    listed = " ".join(each for each in stopwords(codes.get(language, language)) if " " not in each)
    listed = unicodedata.normalize("NFC", listed.lower())
    if language == "lithuanian" and "ė" not in listed:  # read with a wrong encoding
        listed = listed.encode("cp1252").decode("cp1257")
    if language == "romanian":  # today ș and ț have a comma, and no cedilla
        listed += " " + listed.translate({ord("ş"): "ș", ord("ţ"): "ț"})
    # "aujourd'hui" is two words for an analyzer, and "z.b" is none
    return frozenset(filter(_is_word, listed.replace("'", " ").split()))


def _is_word(text: str) -> bool:
    letters_and_marks = (each.isalpha() or unicodedata.category(each)[0] == "M" for each in text)
    return text[:1].isalpha() and all(letters_and_marks)
