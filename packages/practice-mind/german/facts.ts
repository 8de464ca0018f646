/** German sentences in which users describe themselves, and the note that each produces. */
import type { Fact, FactForm, FactWords } from '../facts.ts'
import { sentence } from '../reply.ts'
import { aboutThem, asName, toSubjectFirst, withCapitals } from './clause-grammar.ts'
import { re, toExpression } from './expression.ts'

const person = (text: string): Fact => ({ document: 'person', text })

/** Removes filler words and trailing punctuation. */
export const value = (text: string): string =>
  withCapitals(text)
    .replace(re`\b(?:namens|heißt) (\p{Ll}[\p{L}'-]*)`, (match, name: string) =>
      match.replace(name, asName(name)),
    )
    .replace(re`,? (?:übrigens|bitte|eigentlich|jetzt|halt|sorry|auch|ja|und so|weißt du)$`, '')
    .replace(/(?<![\s.,!])[\s.,!]+$/, '')
    .trim()

export const passing =
  'müde|hungrig|durstig|traurig|glücklich|froh|wütend|sauer|genervt|gestresst|krank|allein|alleine|einsam|aufgeregt|nervös|besorgt|verwirrt|fertig|bereit|da|hier|zurück|zuhause|zu hause|daheim|unterwegs|gerade|grad|so|sehr|nicht|kein|auf|im|in|am|an|bei|beim|mit|nur|noch|wieder|gut|schlecht|ok|okay|spät|wach|betrunken|schlecht gelaunt|gespannt|überfordert|erschöpft|total|echt|ziemlich|richtig|voll|etwas|ein bisschen|bisschen|sicher|enttäuscht|verliebt|raus|weg|dran|dabei|dafür|dagegen|heute|morgen|es|ich|du|doch|ja|nein|bald|kurz|immer'
const traits =
  'schüchtern|geduldig|ungeduldig|neugierig|stur|introvertiert|extrovertiert|kreativ|faul|optimistisch|pessimistisch|optimist(?:in)?|pessimist(?:in)?|ordentlich|unordentlich|chaotisch|eine nachteule|nachteule|frühaufsteher(?:in)?|ein morgenmensch|morgenmensch|perfektionist(?:in)?|lustig|sensibel|ehrgeizig|ruhig|gesprächig|vergesslich|pünktlich|ehrlich|ängstlich|großzügig|abenteuerlustig'
/** Nouns after "ich bin" that are not names. */
const roles =
  '(?:\\p{L}+(?:erin|istin|in|ist|or|eur|ent|ant|mann|frau|kraft|schwester|pfleger|wirt|arzt|ärztin|koch|köchin|kfz|loge|login|iker|ner|ler|rer|ter|ger|ker|cher|ßer|der|ier|tin))|single|mama|papa|mutter|vater|oma|opa|azubi|vegetarier|veganer|christ|muslim|jude|buddhist|atheist|deutsche[r]?|österreicher|schweizer|pole|brite|franzose|student'
const names =
  'martin|katrin|kathrin|karin|robin|jasmin|kevin|benjamin|valentin|justin|quentin|carolin|kristin|kerstin|corin|colin|erin|marvin|edwin|erwin|peter|dieter|günter|günther|walter|werner|rainer|reiner|alexander|oliver|xaver|gregor|viktor|victor|hector|igor|theodor|lukas|simon|anton|vincent|laurent|clement|amant|brigitte|dietrich|sander|parker|esther|ester|heiner|volker|holger|rüdiger|jürgen|cathrin|delphin|sabin'

/** A name after "ich bin" has a capital letter and is neither a job nor an origin. */
const isName = (text: string): boolean =>
  /^\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?$/u.test(text) &&
  (toExpression(`^(?:${names})\\b`).test(text) || !toExpression(`^(?:${roles})$`).test(text))

const lastPlace = (text: string): string =>
  asName(
    value(text)
      .replace(re`^.*, (?:nein|sorry|ich meine|quatsch|moment),? (?:in )?`, '')
      .replace(re`(?:,? nicht (?:mehr )?(?:in )?.+| seit .+| gezogen| umgezogen)$`, ''),
  )

const allowed = (text: string, isAllowed: boolean): Fact => {
  const action = value(text)
    .replace(re`\b(?:mich|mir|uns) ?`, '')
    .replace(re`\bmein(e[nmrs]?)? `, 'ihr$1 ')
    .trim()
  return { document: 'permissions', text: `${isAllowed ? 'Erlaubt' : 'Nicht erlaubt'}: ${action}.` }
}

const inDocument =
  (document: string) =>
  (_: unknown, clause: string): Fact => ({ document, text: aboutThem(value(clause)) })

const amounts = '(?:einen?|eine|zwei|drei|vier|fünf|sechs|\\d+|keine?n?|mehrere|viele)'
const passingThings =
  '(?:idee|frage|problem|moment|minute|sekunde|termin|bitte|gefühl|witz|fehler|erinnerung|kopfschmerzen|zeit|lust|ahnung|bock|plan|hunger|durst|angst|schlechten tag|guten tag|tag|sorge|bisschen|menge)'

const forms: readonly FactForm[] = [
  [
    re`^(?:mein (?:voller |richtiger )?name (?:ist|lautet)|ich hei(?:ß|ss)e|(?:man nennt|alle nennen|meine freunde nennen) mich) (?<x>.+)$`,
    ({ x = '' }) => {
      const name = value(x)
        .replace(re`^nicht .*?,? (?:sondern|ich hei(?:ß|ss)e) `, '')
        .replace(/,.*$/s, '')
        .replace(re` und .*$`, '')
      return name && name.length <= 60 && !re`^nicht\b`.test(name)
        ? person(`Heißt ${asName(name)}.`)
        : undefined
    },
  ],
  [
    re`^(?:bitte )?nenn(?:e)? mich(?: bitte| einfach)* (?<x>[\p{L}' -]{2,40})$|^du (?:kannst|darfst) mich (?<y>[\p{L}' -]{2,40}) nennen$`,
    ({ x, y }) => person(`Möchte ${asName(value(x ?? y ?? ''))} genannt werden.`),
  ],
  [
    re`^ich bin (?:jetzt |schon |gerade )?(?<x>\d{1,3})(?: jahre(?: alt)?| jahre jung)?$`,
    ({ x }) => person(`Ist ${x} Jahre alt.`),
  ],
  [
    re`^ich (?:komme|stamme)(?: ursprünglich| eigentlich)? aus (?<x>.+)$`,
    ({ x = '' }) => person(`Kommt aus ${lastPlace(x)}.`),
  ],
  [
    re`^(?:ich|wir) (?:wohnen?|leben?)(?: (?:jetzt|zurzeit|momentan|gerade|aktuell|inzwischen|seit \S+(?: \S+)?)){0,2} (?<how>in|bei|am|an|auf|mit|nahe|außerhalb von|im|zur) (?<x>.+)$`,
    ({ how, x = '' }) => {
      const text = lastPlace(x)
      return person(aboutThem(`ich wohne ${how} ${text}`))
    },
  ],
  [
    re`^(?:ich bin|wir sind)(?: (?:gerade|jetzt|kürzlich|neulich|vor kurzem|letzte\w* \w+))* (?:von .+? )?nach (?<x>.+?) (?:um)?gezogen$`,
    ({ x = '' }) => person(`Wohnt in ${lastPlace(x)}.`),
  ],
  [
    re`^(?:ich bin am|ich wurde am) (?<x>.+?) geboren$|^ich (?:habe|hab) am (?<y>.+?) geburtstag$|^mein geburtstag ist(?: am| der)? (?<z>.+)$`,
    ({ x, y, z }) => person(`Hat am ${value(x ?? y ?? z ?? '')} Geburtstag.`),
  ],

  [
    re`^du darfst (?:(?<no>nicht|nie|niemals|auf keinen fall|nicht mehr) )?(?:mich |mir )?(?:(?<never>nicht|nie|niemals|nicht mehr) )?(?<x>.+)$`,
    ({ no, never, x = '' }) => allowed(x, !no && !never),
  ],
  [re`^ich erlaube dir,? (?<x>.+)$`, ({ x = '' }) => allowed(x, true)],
  [
    re`^ich (?:verbiete dir,?|möchte nicht, dass du|will nicht, dass du) (?<x>.+)$`,
    ({ x = '' }) => allowed(x, false),
  ],
  [
    re`^(?:bitte )?(?<x>(?:sei|antworte|antwort|fass dich|bleib|sprich|rede|duze|sieze|benutz|verwende)\b.+)$`,
    ({ x = '' }) => ({
      document: 'persona-trait',
      text: sentence(value(x).replace(re`\bbitte ?`, '').replace(re`\bmein(e[nmrs]?)?\b`, 'ihr$1')),
    }),
  ],

  [
    re`^ich (?:möchte|will|würde)(?: (?:gerne?|mal|unbedingt|irgendwann|so gerne?|eigentlich|schon immer))*(?! (?:dich|dir|dass|wissen|fragen|mit dir|reden|einen termin|eine erinnerung|hilfe|das|es|sterben|nicht mehr)\b) .+$`,
    inDocument('wishes'),
  ],
  [
    re`^ich (?:träume davon|wünsche mir|hoffe,?|lerne gerade|spare (?:auf|für)|trainiere für)\b.+$`,
    inDocument('wishes'),
  ],
  [re`^mein (?:größter |grösster |geheimer )?(?:traum|wunsch|ziel) ist .+$`, inDocument('wishes')],
  [
    re`^ich (?:(?:habe|hab) (?:große |immer |oft )?(?:angst vor|probleme mit|schwierigkeiten mit|mühe mit)|tue mich schwer mit|leide (?:unter|an)|fürchte mich vor|kann (?:nachts |oft |abends )?nicht (?:gut )?(?:schlafen|einschlafen|abschalten))\b.*$`,
    inDocument('struggles'),
  ],
  [
    toExpression(`^ich bin (?:(?:sehr|ziemlich|eher|recht|total|echt|ein|eine) )*(?:${traits})$`),
    inDocument('traits'),
  ],
  [
    re`^ich (?:mag|liebe|hasse|bevorzuge|vertrage|verabscheue)(?! (?:dich|dir|es|das|mein leben|mich|alles|alle|euch)\b)\b.+$`,
    (_, clause) => person(aboutThem(value(clause))),
  ],
  [
    re`^ich (?:arbeite|studiere|unterrichte|esse|trinke|spiele|spreche|lerne|koche|laufe|schwimme|fahre|lese|male|singe|tanze|sammle|sammel|besitze|rauche|trage|höre|gehe|jogge|reite|klettere|schreibe|interessiere mich|stehe auf|engagiere mich|trainiere|stehe)\b.+$`,
    (_, clause) =>
      re`\b(?:gerade|grad|heute|gestern|morgen|eben|jetzt|gleich|nachher|später|letzte\w*|weg|los|schlafen|ins bett|nach hause|dann|dir|dich)\b`.test(
        clause,
      )
        ? undefined
        : person(aboutThem(value(clause))),
  ],
  [
    re`^(?:ich (?:habe?|hab)|wir haben)(?: (?:auch|noch|zurzeit|übrigens|schon))* ${amounts} (?!(?:\p{L}+e[nrs]? )?${passingThings}\b)(?<x>.+)$`,
    (_, clause) =>
      re`\b(?:ge\p{Ll}+(?:t|en)|(?:be|ver|er|ent|zer)\p{Ll}+(?:t|en)|\p{Ll}+iert)$`.test(clause) &&
      !re`\b(?:namens|heißt|alt)\b`.test(clause)
        ? undefined
        : person(aboutThem(value(clause))),
  ],
  [
    re`^ich bin (?:verheiratet|ledig|single|geschieden|verwitwet|verlobt|schwanger|vegetarisch|vegetarierin?|veganerin?|vegan|allergisch|linkshänder(?:in)?|rentner(?:in)?|arbeitslos|selbstständig|selbständig|laktoseintolerant|glutenintolerant|diabetiker(?:in)?|ein|eine|der|die|das)\b.*$`,
    (_, clause) =>
      re`^ich bin (?:ein|eine) (?:bisschen|wenig)\b`.test(clause)
        ? undefined
        : person(aboutThem(value(clause))),
  ],
  [
    re`^ich bin(?: (?:die|der|übrigens|von beruf))? (?<x>\p{L}+(?:[ -]\p{L}+)?)$`,
    ({ x = '' }) => {
      if (toExpression(`^(?:${passing})\\b`).test(x) || !/^\p{Lu}/u.test(x)) return undefined
      return person(isName(x) ? `Heißt ${x}.` : `Ist ${x}.`)
    },
  ],
  [
    re`^(?:mein|meine|unser|unsere) (?!(?:tag|woche|kopf|laune|frage|problem|leben|gott|güte|herz|meinung)\b)(?:[\p{L}'-]+ ){1,4}?(?:ist|sind|war|heißt|heisst|heißen|hat|haben|wohnt|wohnen|lebt|leben|arbeitet|mag|mögen|liebt|hasst|studiert|spielt|spricht|kommt|kann|steht|liegt|lautet|fährt|isst|trinkt)\b .+$`,
    (_, clause) => person(aboutThem(value(clause))),
  ],
]

const notePattern = re`^(?:bitte |kannst du |könntest du )*(?:merke?n? dir|merke?|notiere?|behalte|schreib(?:e)? (?:dir )?auf|vergiss nicht)(?: bitte| mal)*(?:,|:)? ?(?<x>.{3,}?)(?: merken)?$`

const subordinateClause = toExpression(
  String.raw`^dass (?<subject>ich|wir|(?:(?:der|die|das|den|ein|eine|mein|meine|unser|unsere) )?(?:\p{Ll}+e[rsn]? )?\p{Lu}[\p{L}-]*)(?<rest>.*) (?<verb>\p{Ll}+)$`,
  'u',
)
/** "dass der Schlüssel unter der Matte liegt" → "der Schlüssel liegt unter der Matte". */
const toMainClause = (text: string): string => {
  const { subject, rest, verb } = subordinateClause.exec(text)?.groups ?? {}
  return subject ? `${subject} ${verb}${rest}` : text.replace(/^dass /, '')
}

export const factWords: FactWords = {
  forms,
  reorder: toSubjectFirst,
  preamble: re`^(?:(?:bitte )*(?:merk(?:e)? dir|notier(?:e)?(?: dir)?|vergiss nicht|denk(?:e)? daran)(?: bitte| mal)*,?:? (?=ich|mein|unser|wir)|(?:ich glaube|weißt du|übrigens|du|also|ach ja),? (?=ich\b|mein|wir\b|unser))`,
  readNote: (clause) => {
    const content = notePattern.exec(clause)?.groups?.x
    if (content === undefined || re`^(?:das|dies|es|mich|mir|was|wo|wann)\b.{0,12}$`.test(content))
      return undefined
    return aboutThem(value(toMainClause(content)))
  },
  correction: re`^(?:(?:nein|nee|nö|doch|quatsch|falsch|moment|warte|sorry|entschuldigung|ach|stimmt nicht|das stimmt nicht|das ist falsch|das ist nicht richtig|nicht ganz|ich meine|ich meinte|eigentlich|nicht mehr)\b[\s,.:;!–-]*)+`,
  correctionStart: re`^(?:es (?:ist|heißt)|ich meinte|ich sagte) (?=(?:mein|ich)\b)`,
}
