import type { SpellingWords } from '../spelling.ts'

/** Misspellings that are not English words and have only one correction, at any position. */
const corrections: ReadonlyMap<string, string> = new Map(
  `teh the|hte the|thier their|adn and|taht that|tath that|thta that|waht what|wat what|whta what|wut what|wehre where|whre where|wher where|wich which|wiht with|hwo how|becuase because
  becasue because|rember remember|remeber remember|remmeber remember|rememeber remember|remembr remember|rimind remind|remaind remind|tommorow tomorrow|tommorrow tomorrow|tomorow tomorrow
  tomorro tomorrow|tmrw tomorrow|tmrrw tomorrow|tmr tomorrow|2moro tomorrow|2morrow tomorrow|wensday wednesday|wedensday wednesday|wendsday wednesday|thrusday thursday|freind friend|recieve receive
  favrite favourite|favorit favorite|favourit favourite|brithday birthday|bday birthday|b-day birthday|apointment appointment|appoinment appointment|appt appointment|mintues minutes|mins minutes
  calender calendar|pasword password|passwrod password|passwort password|adress address|alergic allergic|vegeterian vegetarian|vegitarian vegetarian|definately definitely`
    .split(/[|\n]\s*/)
    .map((pair) => pair.split(' ') as [string, string]),
)

/** Words that rules look for before the user's own content: "my name is", "I live in". */
const ruleWords =
  'name live work like love hate have remind remember forget delete cancel birthday born called what where when which know about password number sister brother mother father husband daughter friend favourite favorite address allergic planned reminder appointment meeting calendar moved'.split(
    ' ',
  )
/** Words of time. They may come first or last in a clause. */
const timeWords =
  'tomorrow today tonight morning afternoon evening monday tuesday wednesday thursday friday saturday sunday january february april august september october november december minute minutes hours weeks months'.split(
    ' ',
  )

/** English words that differ from those by one error but are correct. */
const similarWords: ReadonlySet<string> = new Set(
  `names named lie lied lies lived liver lives liven wok works worked liked liken likes loved lover loves clove hat hated hates hater haven haves halve reminds remand rewind rebind remembers
  forgets forge forgot forged forger deleted deletes deplete cancer cancels canceled birthdays borne bone bon caller calls culled calmed wheat were wheres whence hen then known knows abut abouts
  passwords numbers numbed sisters sifter bother brothers broth mothers other feather farther fathers fatter husbands daughters friends fried fiend favourites favorites addresses planed planner planted
  reminders remainder appointments meetings melting meting calendars mooed movie mover moves mused moped toady todays mourning mornings evenings mondays fridays sundays sundry sundae minuets ours hour
  move whats whens sitter callee bjorn reminded deleter weeks week month moth moths months minute minutes horus mouths`.split(
    /\s+/,
  ),
)
const knownWords: ReadonlySet<string> = new Set([...ruleWords, ...timeWords, ...similarWords])

/**
 * After one of these words the user's own content follows: a name, a place or a task. It is not corrected.
 */
const contentPrefixes: ReadonlySet<string> = new Set(
  'is are was were in at as to from called named on like likes love loves hate hates have has want need prefer me about for'.split(
    ' ',
  ),
)
const asksForTime = /\b(?:remind|reminder|alarm|timer|schedule|appointment|meeting|calendar|planned|wake)\b/i
const questionStart = /^(?:tell me|what|where|when|who|which|how|do|does|did|is|are|am)\b/i

const guessable =
  'name birthday address brother sister mother father husband daughter friend favourite password number appointment'.split(
    ' ',
  )

export const spellingWords: SpellingWords = {
  corrections,
  ruleWords,
  timeWords,
  knownWords,
  contentPrefixes,
  that: 'that',
  asksForTime,
  questionStart,
  guessed: /^my ([a-z]{3,20}) (?:is|are)\b/i,
  guessable,
}
