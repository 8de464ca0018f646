/** English words about what the practice mind knows: asking, telling, forgetting and looking back. */
import { promise, sentence } from '../reply.ts'
import { capital } from '../wall-clock.ts'
import { asName } from './clause-grammar.ts'
import { passingPattern, value } from './facts.ts'
import { months } from './say-when.ts'

const tellMe = promise(' Tell me, and I will remember it.')

/** Matches the prefix "Do you know …". The subject of the question follows it. */
const knowPrefix =
  /^(?:do|did|can|could|would|will) you (?:please )?(?:still |even |already )?(?:know|remember|recall|tell me|say|find|look up)\b(?: again)?(?: of| about| out)? ?/i
const tellPrefix = /^(?:please )?(?:tell|show) me (?:again )?(?:about )?(?=\S)/i
const aboutPersona = /\b(?:you|your|yours|yourself)\b/i

/** Words that are too common to search for. */
const tooCommon: ReadonlySet<string> = new Set(
  `go get got make use used want need have own like love hate good best old new live work eat drink day time date today tomorrow tonight now week month year thing stuff people person way kind
  allowed permitted name called favourite much many long often ago back there sure right really idea still already currently exactly say go am pm`.split(
    /\s+/,
  ),
)
const outOfScope = /\b(?:weather|forecast|news|joke|poem|story|song|\d+ ?[-+*/x×÷=] ?\d+)\b/i

const keySynonyms: Readonly<Record<string, readonly string[]>> = {
  mum: ['mom', 'mother'],
  mom: ['mum', 'mother'],
  mother: ['mum', 'mom'],
  dad: ['father'],
  father: ['dad'],
  passcode: ['password', 'code'],
  password: ['passcode', 'pin'],
  pin: ['password', 'code'],
  phone: ['mobile', 'number'],
  wlan: ['wifi'],
  job: ['work'],
  bday: ['birthday'],
  kid: ['child', 'children', 'son', 'daughter'],
  flat: ['apartment'],
  apartment: ['flat'],
  spouse: ['wife', 'husband'],
  partner: ['wife', 'husband', 'girlfriend', 'boyfriend'],
  parked: ['park', 'parking'],
  park: ['parked', 'parking'],
}

const aboutPattern =
  /^(?:(?:so|and) )?(?:(?:what|anything|something|which things) )?(?:else )?(?:do|did|can) you (?:still |already )?(?:know|remember|recall)(?: anything| something)? (?:about|of|regarding) (?<what>[^?]{1,100})\??$/i

export const answers = {
  knowPrefix,
  tellPrefix,
  questionSubject: /^(?:my|our|the|what|where|when|who|which|how)\b/i,
  aboutPersona,
  commonWords: tooCommon,
  synonyms: keySynonyms,
  outOfScope,
  otherQuestion: /^(?:can|could|may|should|must|would|will|shall|why|how)\b/i,
  ownedByUser: /\b(?:my|our|i|me|mine|we)\b/i,
  about: aboutPattern,
  aboutUs: /\b(?:me|myself|you|yourself|us)\b/i,
  why: /^why\b/i,
  knownAbout: (subject: string) => `This I know about ${subject}:`,
  uncertain: 'I cannot answer that for certain. This I know:',
}

const listQuestion =
  /^(?:so )?(?:(?:what|which things?|tell me what|how much) (?:do |did |have |all )?(?:you |do you )?(?:already |still |actually |really |all )?(?:know|learned|learnt|remember(?:ed)?|kept|noted|stored)(?: so far)?(?: about me| of me| about us)?(?: so far| now| already)?|what(?:'s| is) in your memory(?: about me)?|(?:do|did) you (?:know|remember)(?: anything| something| things)? (?:about )?me|(?:can you )?(?:tell me|say)(?: something| everything| anything| all)?(?: that)?(?: you know)? about (?:me|myself)|who am i|describe me|show (?:me )?(?:your|what) (?:memory|memories|you (?:know|remember)).*)\??$/i

const questionPrefix =
  /^(?:and |so )?(?:(?:what |where |when |who )?(?:do|can|did) you (?:still |even |already )?(?:know|remember|recall|tell me|have)(?: of| about)?)\b/i

const subjectQuestions: readonly (readonly [RegExp, readonly string[], string])[] = [
  [
    /\bmy (?:full |first )?name\b(?!.{0,80}'s)|\bwhat (?:am i called|do you call me|should you call me)\b|\bwho i am\b/i,
    ['name', 'called'],
    'I do not know your name yet. What shall I call you?',
  ],
  [
    /\bwhere (?:do i|i|am i|is my home)\b.{0,80}\bliv(?:e|ing)\b|\bwhere (?:is|'s) my home\b|\bmy (?:address|home ?town|city)\b|\bwhere i live\b/i,
    ['home'],
    `I do not know where you live yet.${tellMe}`,
  ],
  [/\bwhere (?:am i|i am|do i come) from\b/i, ['origin', 'home'], 'I do not know where you come from yet.'],
  [/\bhow old (?:am i|i am)\b|\bmy age\b/i, ['age', 'birthday'], 'I do not know how old you are yet.'],
  [
    /\bmy birthday\b|\bwhen (?:was i|i was) born\b/i,
    ['birthday', 'their birthday'],
    `I do not know your birthday yet.${tellMe}`,
  ],
  [
    /\bmy (?:job|work|profession|occupation)\b|\bwhat (?:do i do|i do)\b(?! (?:today|tomorrow))|\bwhere (?:do i|i) work\b|\bwork as\b/i,
    ['work', 'their job', 'is a'],
    'I do not know what you do for a living yet.',
  ],
]

const kinds: readonly (readonly [RegExp, string | RegExp, string])[] = [
  [
    /\bwhat (?:do i|i|things do i|stuff do i)(?: really)? (?:like|love|enjoy)\b/i,
    /^They (?:really |also )?(?:like|love|enjoy|adore|prefer)\b/,
    'I do not know what you like yet.',
  ],
  [
    /\bwhat (?:do i|i)(?: really)? (?:hate|dislike|not like)\b|\bwhat don't i like\b/i,
    /^They (?:really )?(?:hate|dislike|don't like|can't stand)\b/,
    'I do not know what you dislike yet.',
  ],
  [
    /\bmy (?:wishes|dreams?|goals?)\b|\bwhat (?:do i|i) (?:want|wish|dream|hope)\b/i,
    'wishes',
    'I do not know your wishes yet.',
  ],
  [
    /\bmy (?:struggles|problems|worries|fears)\b|\bwhat (?:do i|am i|i) (?:struggle|struggling|afraid|worried)\b/i,
    'struggles',
    'I do not know of anything you struggle with.',
  ],
  [
    /\bwhat (?:may|can|are) you (?:do|allowed)\b.{0,80}\bpermission|\bwhat (?:are you allowed|may you)\b|\b(?:my|your) permissions\b/i,
    'permissions',
    'You have not given me any permission of its own yet.',
  ],
]

const synonyms: Readonly<Record<string, string>> = {
  born: 'birthday',
  live: 'live',
  living: 'live',
  job: 'work',
  called: 'name',
  named: 'name',
}

const forgetPattern =
  /^(?:(?:please|can you|could you|would you|i want you to|i'd like you to|you (?:can|should|may)) )*(?:forget|erase|wipe|delete|remove|drop|unlearn|(?:don't|do not|stop) remember(?:ing)?)\b(?: about| from your memory)?\s*(?<what>.*?)(?: from your memory| again| please)?\??$/is
const allOfIt =
  /^(?:everything|all|it all|all of it|all (?:that )?you know|whatever you know)(?: (?:that )?(?:you (?:know|remember|have)|i (?:said|told you)))?(?: about me| of me)?$/i
export const confirmationHint = 'If you are sure, say “Yes, forget everything”.'

export const knownTexts = {
  listQuestion,
  nothing: `I know nothing about you yet.${promise(' Tell me something, such as your name or where you live, and I will remember it.')}`,
  listHead: 'Here is what I know about you:',
  questionPrefix,
  subjectQuestions,
  kinds,
  synonyms,
  my: 'my',
  aboutUser: /\b(?:my|i|me|mine)\b/i,
  notAboutUser: /\b(?:you|your|should|can|could|will)\b/i,
  owner: /\b(?:my|our) ([\p{L}-]+)/iu,
  unknown: `I do not know that yet.${tellMe}`,
}

export const forget = {
  pattern: forgetPattern,
  allOfIt,
  confirmationHint,
  wouldBeAll: 'That would be all I know about you.',
  confirms: /^(?:yes\b.*|(?:please )?forget (?:everything|it all|all of it).*)$/i,
  declines: /^(?:no|nope|nah|rather not|don't|better not)\b/i,
  declined: 'Then I keep what I know.',
  cannot: 'I have no way to forget anything here.',
  nothingKnown: 'I know nothing about you that I could forget.',
  that: /^(?:it|that|this)?$/i,
  aboutWhat: 'All right. If I should forget something I know, tell me what it is about.',
  notFound: 'I find nothing about that in what I know, so there is nothing to forget.',
  lastStatement:
    /^(?:it|that|this|what i (?:just )?(?:said|told you)|the last (?:thing|one)|that again|about (?:it|that))?$/i,
  conjunction: /^(?:that |the fact that )/i,
}

export const recall = {
  pattern:
    /^(?:(?:do you (?:still )?(?:remember|know|recall)|can you (?:remember|recall|find|tell me)|tell me|remember|please find|find)(?: again)? )?(?:what|when|where|anything|something|whether|if|did|have|had|how often)? ?(?:else )?(?:have|had|did|do)? ?(?:i|we|you)(?: ever| once| just| last)? ?(?:(?:say|said|tell|told|mention|mentioned|talk|talked|speak|spoke|spoken|write|wrote|written|discuss|discussed|chat|chatted)(?: to)?(?: you| me)?)(?: anything| something)?(?: (?:about|of|on|regarding|concerning)| to you about)? ?(?<what>.*?)\??$/i,
  start: /^(?:what|when|did|have|do you|can you|tell me|remember|find|please find|how)\b/i,
  /** Clauses that look like a request to look back, but are none. */
  reported: /^(?:you|i) (?:said|say)\b|^(?:do|can|could) you (?:speak|talk|write)\b/i,
  cannot: 'I have no way to look back here, so I cannot tell you what was said.',
  articles: /^(?:my|the|a|an|our|that|about)\s+/i,
  times: /\b(?:yesterday|today|before|earlier|last (?:week|month|year|time)|recently)\b/gi,
  aboutWhat: 'About what? Tell me a word of it, and I will look for it.',
}

const endingWords =
  /\b(?:no longer|not .{0,80}\b(?:any ?more|any longer)|n't .{0,80}\b(?:any ?more|any longer))\b/i
const isPassing = new RegExp(`^i am (?:${passingPattern})\\b`, 'i')
const endingSuffix = /,? (?:any ?more|any longer|now|these days)$/i

/** Returns the clause without its negation. Returns undefined if it has none. */
const removeNegation = (clause: string): string | undefined => {
  const text = clause.replace(endingSuffix, '')
  const bareText = text
    .replace(/\bi(?:'m| am) (?:no longer|not) (?:an? )?/i, 'I am ')
    .replace(/\b(is|are|was|were)(?:n't| not| no longer)\b/i, '$1')
    .replace(/\b(i|we) (?:no longer|don't|do not|never) /i, '$1 ')
    .replace(/\b(my .{1,80}?) (?:no longer|doesn't|does not) /i, '$1 ')
  return bareText === text ? undefined : bareText
}

const getVerb = (text: string): string | undefined => {
  const [, subject, verb = ''] = /^(They|Their\b)(?: really| also| often| still)* ?(\w+)?/.exec(text) ?? []
  return subject === 'They' ? (verbSynonyms[verb] ?? verb) : subject
}
const verbSynonyms: Readonly<Record<string, string>> = {
  own: 'have',
  love: 'like',
  enjoy: 'like',
  adore: 'like',
  work: 'are',
}

const listStatement =
  /^(They(?: really| also| often)* (?:like|love|enjoy|adore|hate|dislike|prefer|play|speak|eat|drink|have|own|collect|are allergic to|are afraid of|are|want)(?: to)?) (.+?)\.?$/i

export const ended = {
  words: endingWords,
  isPassing,
  start: /^(?:i\b|we\b|my\b|our\b)/i,
  removeNegation,
  name: /^(?:[Mm]y name is|[Ii] am) (\p{Lu}[\p{L}' -]*)$/u,
  notKnown: 'I had not kept that, so there is nothing to put right.',
  negation: /^(?:They|Their)\b.*(?:\b(?:not|no|never|no longer)\b|n't\b)/i,
  getVerb,
  listStatement,
}

const subjects: readonly (readonly [RegExp, string])[] = [
  [
    /^their (?:full |first |real )?name is\b|^the (?:person|user)(?:'s name is| is (?:called|named))\b/,
    'name',
  ],
  [/^they want to be called\b/, 'called'],
  [/^(?:they|the person|the user|\w+) lives? (?:in|at|near|on|with)\b|^they (?:have )?moved to\b/, 'home'],
  [/^they (?:come|are) from\b/, 'origin'],
  [/^they are \d+ years? old\b/, 'age'],
  [/^(?:they were born on|their birthday is)\b/, 'birthday'],
  [/^they work (?:as|at|for|in)\b|^their job is\b/, 'work'],
  [/^they are an? (?:nurse|\w+(?:er|or|ist|ian|ant|man|woman|chef|cook|ect|nt|ess|smith))\b/, 'is a'],
  [
    /^they (?:really |do not |don't |no longer )*(?:like|love|enjoy|adore|hate|dislike|detest|can't stand|cannot stand)(?: to)? (.+?)(?: any ?more)?$/,
    'likes *',
  ],
  [
    /^they (?:don't |no longer )?(?:have|own|have got) (?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|some|no|any) (?:\w+ )?(\w+?)(?:,? (?:called|named|who|that|and|with|whose|any ?more)\b.*)?$/,
    'has *',
  ],
  [/^their (.+?) is (?:called|named)\b/, 'their * name'],
  [/^their (.+?) (?:is|are|was)\b/, 'their *'],
  [/^(?:not )?allowed: (.+)$/, 'allowed *'],
]

const names = months.join('|')
const namedDays = new RegExp(
  `\\b(?:(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${names})|(${names}) (\\d{1,2})(?:st|nd|rd|th)?)\\b`,
  'gi',
)

/** "No, it's fine" corrects nothing. */
const noValue =
  /^(?:thanks?|thank you|please|way|problem|worries|need|more|fine|ok|okay|good|nice|great|bad|true|wrong|right|not|all|just|only|too|very|so|really|me|you|him|her|nothing|never|that|this|the|an?|i|we|he|she|they|what|why|how|cold|hot|late|early|enough|sorry|sure|yes|no|but|and|if|because|raining|over|done|for|about|hard|easy|one|idea|don't|do|can|let|at|in|on|by|to|with|from|tomorrow|today|tonight|noon|\d+:\d+)\b/i

/** Returns the days of a year that the text names. */
const listDays = (text: string) =>
  [...text.matchAll(namedDays)].map(([, dayBefore, month = '', monthName = month, dayAfter = dayBefore]) => ({
    month: months.indexOf(monthName.toLowerCase()) + 1,
    day: Number(dayAfter),
    text: `${Number(dayAfter)} ${capital(monthName.toLowerCase())}`,
  }))

export const factTexts = {
  knownAlready: 'That I know already.',
  cannotKeep: (words: string) =>
    `I hear you: ${words}. But I have no way to remember here, so I cannot keep it.`,
  noSuchDay: (day: string) => `There is no ${day}. Which day do you mean?`,
  listDays,
  subjects,
  nameInStatement: /(?:called|name is) (.+?)\.?$/s,
  toNameStatement: (name: string) => `Their name is ${name}`,
  /** The beginning of a message that may correct the last statement. */
  correctingStart: /^(?:it's|it is|not) /i,
  correctValue:
    /^(?:it's |it is |it should be |not .{1,80}?, (?:but )?|not .{1,80}? but )?(?<x>[^,?]+?)(?:, not .+)?$/is,
  /** The text before the value, the word before it, and the value. */
  valueInStatement: /^(.*?\b(is|are|in|called|on|as|at)) (.*)$/s,
  toValue: (text: string, isLowercase: boolean) => (isLowercase ? value(text) : asName(value(text))),
  noValue,
  alwaysNeeded:
    /\b(?:wife|husband|partner|sons?|daughters?|child(?:ren)?|kids?|mothers?|fathers?|brothers?|sisters?|baby|allerg(?:y|ies|ic)|diabet(?:es|ic)|asthma|epilepsy|pregnant|intolerant)\b/i,
  denial: /\b(?:not|never|no|no longer|cannot|hates?|dislikes?|detests?)\b|n't\b/i,
}

export const changes = {
  mayMeanKnown:
    /\b(?:no|nope|nah|not|actually|sorry|wait|correction|wrong|oops|mean|meant|it's|it is|forget|erase|wipe|delete|remove|drop|unlearn|stop|don't|yes)\b/i,
  forgetWords: /\b(?:forget|erase|wipe|delete|remove|drop|unlearn)\b/i,
}

export const keptWords = {
  statement: (words: string) => `They said: “${words}”.`,
  quotation: /^They said: “(.+)”\.$/,
  told: (words: string) => `I kept your words: “${words}”.`,
  askAgain: (guess: string) => `If you meant your ${guess}, tell me once more.`,
}

export const lists = {
  add: /^(?:please |can you |could you )?(?:add|put|write|note|include) (?<what>.{1,200}) (?:to|on|onto|in|into) (?:my|the|our) (?<name>[\p{L} -]{0,30}list)(?: please)?\??$/iu,
  remove:
    /^(?:please |can you |could you )?(?:remove|delete|take|cross|strike|scratch|drop) (?<what>.{1,200}?) (?:off|from|out of) (?:my|the|our) (?<name>[\p{L} -]{0,30}list)(?: please)?\??$/iu,
  empty:
    /^(?:please |can you |could you )?(?:clear|empty|delete|erase|forget) (?:my|the|our) (?<name>[\p{L} -]{0,30}list)(?: please)?\??$/iu,
  show: /^(?:what(?:'s| is| do i have)? on|show(?: me)?|read(?: me)?|tell me|what is in|what's in) (?:my|the|our) (?<name>[\p{L} -]{0,30}list)(?: please)?\??$|^(?:my )?(?<bare>(?:shopping|grocery|to-?do|packing|wish|reading) list)\??$/iu,
  toName: (name: string) => name.toLowerCase(),
  statement: /^On their [\p{L} -]{1,35}: /u,
  statementHead: (name: string) => `On their ${name}`,
  contents: (name: string, items: string) => `On your ${name}: ${items}.`,
  unknown: (name: string) => `Nothing is on your ${name} yet. “Add … to my ${name}” begins it.`,
  isEmpty: (name: string) => `There is nothing on your ${name}.`,
  notOnList: (name: string, items: string) => `That is not on your ${name}: ${items}.`,
  alreadyOnList: (name: string) => `That is on your ${name} already.`,
  full: (name: string, max: number) =>
    `Your ${name} is full: I keep one of ${max} characters at most. Take something off it first.`,
}

const toFirstPerson = (text: string): string =>
  sentence(
    text
      .replace(/\byou are\b|\byou're\b/gi, 'I am')
      .replace(/\byou were\b/gi, 'I was')
      .replace(/\byourself\b/gi, 'myself')
      .replace(/\byours\b/gi, 'mine')
      .replace(/\byour\b/gi, 'my')
      .replace(/\b(to|for|with|about|at|of|than|from|on|by) you\b|\byou(?=[.,;!?]|$)/gi, (_, preposition) =>
        preposition ? `${preposition} me` : 'me',
      )
      .replace(/\byou\b/gi, 'I'),
  )

const tasteQuestion =
  /^(?:(?:so|and) )?(?:what (?:else |things )?do you (?:really )?(?:like|love|enjoy|care about)(?: (?:most|best|doing|to do))?|what are you (?:interested in|into)|what(?:'s| is| are) your (?:hobby|hobbies|interests?|tastes?))\??$/i
const dislikeQuestion =
  /^(?:(?:so|and) )?what (?:do you (?:really )?(?:hate|dislike|not like)|don't you like)\??$/i
const tastes = /\b(?:like|love|enjoy|adore|prefer|care about|fond of|favou?rite)\b/i
const dislikes = /\b(?:hate|dislike|detest|(?:don't|do not|cannot|can't) (?:like|stand|bear))\b/i
const subjectQuestion =
  /^(?:(?:so|and) )?(?:do you (?:really )?(?:like|love|enjoy|hate|dislike|prefer)|are you fond of|what(?:'s| is) your favou?rite) (?<what>[^?]{1,60})\??$/i

export const character = {
  aboutPersona: /^(?:you|your|i|my)\b/i,
  introduction: /^I am\b/,
  toFirstPerson,
  tasteQuestion,
  dislikeQuestion,
  tastes,
  dislikes,
  subjectQuestion,
}
