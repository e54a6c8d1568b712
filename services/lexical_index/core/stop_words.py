"""Which English words say nothing about what a passage is about? As the tokenizer writes them."""

_ARTICLES_AND_POINTERS = (
    "a an the this that these those such same other another each every both either neither"
)
_PRONOUNS = (
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she "
    "her hers herself it its itself they them their theirs themselves one ones "
    "someone something anyone anything"
)
_AUXILIARIES = (
    "am is are was were be been being do does did doing done have has had having will would shall should can "
    "could may might must ought cannot"
)
_PREPOSITIONS = (
    "of in on at by for with about against between into through during to from up down over under out off as "
    "upon within without toward towards onto than via per"
)
_CONJUNCTIONS_AND_ADVERBS = (
    "and or but nor so if then else because while until although though whether not no only just too very "
    "also again further once here there now ever yet"
)
_QUESTION_WORDS = "what which who whom whose when where why how"
_QUANTITIES = "all any some few more most much many own"
# Not "id" and "ill" (I'd, I'll): those are words with a meaning.
_CONTRACTIONS = (
    "im ive youre youve youd youll hes shes its weve theyre theyve theyll isnt arent wasnt "
    "werent dont doesnt didnt hasnt havent hadnt wont wouldnt shouldnt couldnt cant mustnt lets thats "
    "whats whos theres"
)

ENGLISH = frozenset(
    " ".join(
        (
            _ARTICLES_AND_POINTERS,
            _PRONOUNS,
            _AUXILIARIES,
            _PREPOSITIONS,
            _CONJUNCTIONS_AND_ADVERBS,
            _QUESTION_WORDS,
            _QUANTITIES,
            _CONTRACTIONS,
        )
    ).split()
)
