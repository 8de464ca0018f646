import type { SpellingWords } from '../spelling.ts'

/** Misspellings that are not German words and have only one correction, at any position. */
const corrections: ReadonlyMap<string, string> = new Map(
  `erinere erinnere|errinere erinnere|errinnere erinnere|erinnnere erinnere|erriner erinnere|errinner erinnere|erinder erinnere|eriner erinnere|errinerung Erinnerung|erinerung Erinnerung
  errinnerung Erinnerung|mroge morgen|mrogen morgen|morgn morgen|üebrmorgen übermorgen|übermorgn übermorgen|ühr uhr|gebrutstag Geburtstag|geburstag Geburtstag|geburtsag Geburtstag|gebutstag Geburtstag
  schwster Schwester|schwesster Schwester|brduer Bruder|hiese heiße|heise heiße|hesse heiße|wonhe wohne|whone wohne|wohn wohne|vergis vergiss|vergess vergiss|donerstag Donnerstag|donnerstg Donnerstag
  mitwoch Mittwoch|mittwoh Mittwoch|samstg Samstag|dienstg Dienstag|alergisch allergisch|allergich allergisch|vegetarirer Vegetarier|velleicht vielleicht|vieleicht vielleicht|geplannt geplant
  weis weiß|weisst weißt|wiso wieso|imemr immer|liblings lieblings|adrese Adresse|pasword Passwort|passwrot Passwort|zanarzt Zahnarzt|zahnartz Zahnarzt`
    .split(/[|\n]\s*/)
    .map((pair) => pair.split(' ') as [string, string]),
)

const ruleWords =
  'heiße wohne arbeite erinnere vergiss lösche geburtstag passwort schwester bruder mutter vater freundin allergisch geplant termin kalender gesagt erzählt'.split(
    ' ',
  )
const timeWords =
  'morgen übermorgen heute abend montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz april august september oktober november dezember minuten stunden wochen'.split(
    ' ',
  )

/** German words that differ from those by one error but are correct. */
const similarWords =
  `erzähl erzähle erzählen vergisst heiß heize heiser heißen reiße wohnen wohnt wohner lohne ohne bohne arbeiten arbeitet arbeiter arbeit erinnern erinnert löschen löscht geburtstage geburtstags passworte schwestern brüder bruders
  brüter butter mütter muttern futter kutter väter vaters kater rater freundinnen freunden termine termins germin kalenders gesagte sagt erzählte morgens sorgen borgen abends abende montags freitags minute stunde
  stunder woche wachen kochen juli juni rat rate planet geplante geplanter`.split(/\s+/)

export const spellingWords: SpellingWords = {
  corrections,
  ruleWords,
  timeWords,
  knownWords: new Set([...ruleWords, ...timeWords, ...similarWords]),
  contentPrefixes: new Set(
    'ist sind war in am aus als heißt heiße namens auf mag liebe hasse habe hat möchte will brauche mich über für an nach'.split(
      ' ',
    ),
  ),
  that: 'dass',
  asksForTime: /erinner|wecker|weck|termin|kalender|treffen|geplant/i,
  questionStart: /^(?:was|wo|wann|wer|wie|welche\w*|weißt|kennst|hast|bin|habe)(?![\p{L}])/iu,
  guessed: /^meine? (\p{L}{3,20}) (?:ist|heißt|sind)(?![\p{L}])/iu,
  guessable: 'name geburtstag adresse bruder schwester mutter vater freundin passwort termin'.split(' '),
}
