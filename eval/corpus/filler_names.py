"""Who, where and what does the Board's other paperwork talk about? Names and codes the golden set lacks."""

import random
from collections.abc import Callable, Mapping

from eval.corpus.filler_grammar import Slot


def parts(text: str) -> Slot:
    """The parts of a text between `;`, as a slot."""
    return tuple(" ".join(part.split()) for part in text.split(";"))


SITES = parts("""
    Osterby; Hallvik; Steinvåg; Rognøy; Torskeid; Breivoll; Myrland; Ulvøy; Kråkneset; Grindholm; Hamnes;
    Veslefjord; Nausthaug; Kaldbekk; Eidsfoss; Rundhamn; Tjeldvær; Innerdal; Smalvika; Gåsholmen; Bukkøy;
    Seljeneset; Hjortevatn; Fagerbu
""")

PEOPLE = parts("""
    Gro Kvamme; Stian Bakkerud; Helga Nordahl; Terje Røsvik; Anita Fossum; Knut Sandberget; Vigdis Ramberg;
    Eivind Tofte; Hilde Sørbotn; Rolf Gjerde; Magnhild Urdal; Petter Lie-Hansen; Astrid Kolstad;
    Randi Opsahl; Jostein Vik-Larsen; Bente Hovland; Trygve Aasen; Yngvild Sandnes; Morten Egge;
    Kari Blindheim; Njål Furuset; Siri Gjøvik; Harald Mong; Elin Storrøsten; Geir Tømmerås; Wenche Lauvås;
    Odd Rekdal; Turid Eidem; Leiv Bergset; Sverre Hegdal
""")

SLOTS: Mapping[str, Slot] = {
    "elsewhere": SITES,
    "colleague": PEOPLE,
    "reader": PEOPLE,
    **{
        name: parts(text)
        for name, text in {
            "month": """January; February; March; April; May; June; July; August; September; October;
                November; December""",
            "day": "Monday; Tuesday; Wednesday; Thursday; Friday; Saturday; Sunday",
            "date": "{1..28} {month}",
            "tag": "{1..28}",
            "clock": "0{5..9}:{10..59}; {10..23}:{10..59}; {10..23}:{10..59}",
            "few": "two; three; four; five; six; seven",
            "nth": "second; third; fourth; fifth; sixth",
            "quay": """the timber quay; the coal quay; the south quay; the old stone quay; the cannery quay;
                the market quay; the lower landing; the herring quay; the gravel berth; the mail landing""",
            "tug": "the tug Jerv; the tug Hubro; the tug Tiur; the tug Trofast; the hired tug Bulder",
            "boat": "the pilot boat Vipe; the pilot boat Tjeld; the workboat Oter; the launch Rype",
            "ship": """the coaster Anneke Bos; the bulk carrier Ostwind; the feed carrier Polar Hestia;
                the reefer Merete; the gravel ship Storegga; the timber ship Baltic Rowan; the trawler Ramoen;
                the cement carrier Pallas; the small tanker Thun Vega; the cruise ship Aurelia;
                the well boat Sjarken; the coaster Fri Linde""",
            "firm": """Hamnes Mek; Fjordtek; Nilsen og Moe; Bergset Electric; Rustfri Service; Kystrør;
                Vestby Hydraulics; Polar Instrument; Tønne og Sønner; Sjøteknikk""",
            "crew": """the day shift; the evening shift; the crew at the landing; the network crew;
                the engineer on duty; the officer of the watch; two fitters; an apprentice and a fitter;
                the caretaker; the relief crew""",
            "weather": """in sleet; in a fresh breeze from the south-west; in thick fog; after a week of rain;
                in dry cold; on a calm morning; in heavy snow; during the first night frost;
                in a swell from the west; by lamplight""",
            "pump": "pump {1..4}; the booster pump; the standby pump; the raw water pump; the drain pump",
            "street": """Bakkeveien; Nedre Brygge; Skoleveien; Sagveien; Granliveien; Fyrveien; Mølleveien;
                Kaivegen; Elvestien; Øvre Torg; Prestebakken; Naustveien""",
            "money": "{3..98},{100..990} kr; {400..990} kr; {1..9},{100..990} kr",
        }.items()
    },
}

CODES: Mapping[str, Callable[[random.Random], str]] = {
    "sec": lambda draw: f"SEC-{draw.randint(201, 289)}",
    "light": lambda draw: f"NL-{draw.randint(601, 689)}",
    "course": lambda draw: f"TR-{draw.randint(701, 789)}",
    "price": lambda draw: f"WT-{draw.randint(801, 889)}",
    "method": lambda draw: f"LM-{draw.randint(51, 79)}",
    "box": lambda draw: f"NB-{draw.randint(7001, 7899)}",
    "sample": lambda draw: f"WQ-{draw.randint(2009, 2018)}-{draw.randint(4000, 4999)}",
    "permit": lambda draw: f"PTW-{draw.choice('KMNR')}{draw.randint(61, 89)}",
    "gauge": lambda draw: f"TG-{draw.randint(7001, 7899)}",
    "item": lambda draw: f"QS-{draw.randint(401, 489)}",
    "asset": lambda draw: f"{draw.choice(('KR', 'HB', 'VX'))}-{draw.randint(1000, 9999)}",
    "order": lambda draw: f"WO-{draw.randint(30100, 39900)}",
    "form": lambda draw: f"H{draw.randint(31, 58)}",
    "fault": lambda draw: f"F-{draw.randint(401, 489)}",
}
