# ruff: noqa: RUF001, SIM905 (Turkish has a dotless i; words read better in lines)
"""Words that are too frequent to be informative about the class, by language."""

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

# Without words that are also nouns, such as "müdür" (is it? / director) and "on" (ten).
TURKISH_STOP_WORDS = frozenset(
    """
    acaba ama ancak artık aslında ayrıca az
    bana bazen bazı bazıları belki ben benden beni benim beri bile bir biraz birbiri birçok biri
    birisi birkaç biz bizden bize bizi bizim böyle böylece bu buna bunda bundan bunlar bunları
    bunların bunu bunun burada buradan bütün
    çoğu çok çünkü
    da daha dahi de değil değildir dek diğer diğeri diğerleri diye dolayı
    eğer elbette en
    fakat falan filan
    gene gibi göre
    hala hâlâ hangi hangisi hani hatta hem henüz hep hepsi her herhangi herkes hiç hiçbir hiçbiri
    için iken ile ise işte
    kadar karşı kendi kendine kendini kendisi kendisine kendisini kez ki kim kimden kime kimi kimin
    kimse
    lakin lâkin
    mı mi mu mü mıdır midir mudur
    nasıl ne neden nedenle nedir nerede nereden nereye niçin niye
    o olan olarak oldu olduğu olduğunu olmak olsun olup olur ona onda ondan onlar onlara onlardan
    onları onların onu onun orada oradan oysa öbür önce ötürü öyle
    pek peki
    rağmen
    sadece sana sanki sen senden seni senin siz sizden size sizi sizin sonra
    şayet şey şeyi şeyler şimdi şöyle şu şuna şunda şundan şunlar şunları şunu şunun
    tabii tarafından tüm
    üzere
    var vardı ve veya veyahut
    ya yahut yalnız yalnızca yani yerine yine yok yoksa
    zaten zira
    """.split()
)

STOP_WORDS = {"english": ENGLISH_STOP_WORDS, "turkish": TURKISH_STOP_WORDS}
