"""What do the Board's papers in German, Norwegian and French say of the same things?"""

from eval.corpus.filler_genres import Genre
from eval.corpus.filler_grammar import topic

PLAIN = Genre(("{heading}, {site}", "{site}: {heading}", "{heading} ({site}, {tag}.)"), (), ())

GERMAN = topic(
    "Filter und Spülung; Pumpen und Gebläse; Proben; Trübung; Störung; Chlor und Dosierung; Rundgang",
    """
    Der Filter in {site} wurde am {tag}. nach {18..95} Stunden [gespült|abgeschaltet|geöffnet].
    Die Spülung dauerte {9..29} Minuten, davon {2..6} nur mit Luft, und {person} sah Sand in der Rinne.
    Das Gebläse [lief heiß|zog falsche Luft|wurde von {firm} geholt] und steht seit dem {tag}. still.
    Die Trübung lag in {site} bei {0,04..0,90} NTU, in {elsewhere} etwas höher.
    Eine Pumpe in {elsewhere} [verlor Wasser|schaltete zu spät|brummte], meldet {colleague}.
    Die Störung {fault} wurde um {clock} Uhr quittiert und kam nach {2..50} Minuten wieder.
    Chlor am letzten Hydranten von {site}: {0,02..0,40} mg/l, gemessen von {person} am {tag}.
    Die Dosierpumpe gab {3..30} Prozent zu wenig, weil [ein Ventil hing|Luft im Schlauch war].
    {firm} lieferte {2..19} Tonnen Sand, davon {2..9} Säcke nass, und schickte die Rechnung nach {elsewhere}.
    Probe {sample} blieb {2..9} Stunden auf dem Kai stehen und wurde verworfen.
    {colleague} hat am {tag}. die Klappe mit der Hand geschlossen, denn der Antrieb war vereist.
    Das Rohwasser aus dem See bei {site} hatte {4..16} Grad und die Farbe von schwachem Tee.
    Der Rundgang um {clock} Uhr ergab nichts, außer dass {person} den Schlüssel vergessen hatte.
    Im Schlammbecken von {elsewhere} standen {20..190} cm, als {person} am {tag}. nachsah.
    Das Notstromaggregat sprang am {tag}. erst beim dritten Versuch an; {firm} prüft die Batterie.
    Wegen Hochwassers war {site} vom {tag}. an {2..9} Tage nur mit dem Boot zu erreichen.
    """,
)

NORWEGIAN = topic(
    "Vannledning; Kai og fendere; Vakt og ferie; Lekkasje; Måleravlesing; Fra kaia; Ferge og strøm",
    """
    Ledningen i {street} på {site} sprakk den {tag}. og ble tettet klokka {clock}.
    {person} hadde vakt alene i {2..9} døgn, fordi {colleague} var på ferie.
    Fergen til {elsewhere} ble innstilt, og {9..60} biler sto igjen på kaia.
    Fenderen ytterst på {site} henger i én kjetting, skriver {colleague} den {tag}.
    {firm} skiftet pumpa for {money} og tok den gamle med til {elsewhere}.
    Måleren i {street} viste {100..900} m³, men hytta har stått tom, mener eieren.
    Overtiden i {site} kom på {12..190} timer etter uværet den {tag}.
    Vannet på {site} var brunt i {10..70} minutter etter spylingen, og {person} fikk mange telefoner.
    {colleague} fant {2..9} kasser med lønnslister i naustet og vil kaste dem.
    Prøven {sample} luktet av jord, ellers var alt i orden på {elsewhere}.
    Fyrlykta {light} var mørk til {colleague} rodde ut den {tag}.
    Sluket i {street} gikk tett {2..9} ganger, og {firm} ble hentet med båt.
    Kranen sto fra den {tag}. til den {tag}. fordi en bryter manglet.
    Regningen til {person} ble sendt til {elsewhere} ved en feil, og purringen også.
    """,
)

FRENCH = topic(
    "Branchements; Fuite; Relevé de compteur; Visite; Travaux dans la rue; Analyse; Quai et navire",
    """
    Une fuite a été trouvée à {site}, {street}, le {tag} du mois, par {person}.
    L'entreprise {firm} a remplacé {2..40} mètres de tuyau et en a laissé {2..9} dans le fossé.
    Le branchement de la maison voisine est en [plomb|fer|cuivre], selon {colleague}, qui l'a gratté.
    Le premier litre contenait {2..19} µg de plomb, le dernier beaucoup moins ({sample}).
    Le compteur s'est arrêté à {100..900} m³ et le locataire l'ignore, note {person}.
    La rue est restée ouverte {2..9} jours, car {firm} attendait une pièce d'{elsewhere}.
    Un courrier reçu à {site} demande si l'eau convient aux [poissons|confitures|bébés].
    {colleague} est passé à {clock} et n'a trouvé que le chien.
    Le robinet de {street} donne {1,0..3,9} bars, ce que {person} juge suffisant.
    L'analyse {sample} est arrivée d'{elsewhere} avec {2..9} jours de retard.
    La facture de {money} a été envoyée deux fois à la même veuve de {street}.
    Le navire a pris {12..90} m³ d'eau douce à {site} avant de repartir vers {elsewhere}.
    Le réservoir de {site} a été vidé puis brossé sous l'œil de {colleague}.
    """,
)
