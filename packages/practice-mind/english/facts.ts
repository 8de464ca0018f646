/** Patterns of sentences in which users describe themselves, and the statement that each pattern produces. */
import type { Fact, FactForm, FactWords } from '../facts.ts'
import { sentence } from '../reply.ts'
import { aboutThem, asName, withCapitals } from './clause-grammar.ts'

const correction =
  /^(?:(?:no|nope|nah|actually|sorry|wait|correction|wrong|not quite|oops|i mean|i meant|that(?:'s| is| was) (?:wrong|not right|not true|not correct|incorrect|false|a mistake)|you(?:'re| are) wrong|you got (?:that|it) wrong|not any ?more|my mistake)\b[\s,.:;!–-]*)+/i
const preamble =
  /^(?:(?:please |can you |could you |i want you to )*(?:remember|note|keep in mind|don't forget|do not forget|know|save|memori[sz]e|write down)(?: this| for me)?(?: that|:|,)? |(?:i think|i guess|did you know|you know|let me tell you)(?: that)? )/i

const person = (text: string): Fact => ({ document: 'person', text })
/** Removes filler words and trailing punctuation. */
export const value = (text: string): string =>
  withCapitals(text)
    .replace(/\b(?:actually|really in fact|in fact) /gi, '')
    .replace(/\b(named|called) (\p{Ll}[\p{L}'-]*)/gu, (_, word, name) => `${word} ${asName(name)}`)
    .replace(
      /,? (?:please|by the way|btw|though|actually|you know|now|too|as well|sorry|these days|instead|originally)$/i,
      '',
    )
    .replace(/(?<![\s.,!])[\s.,!]+$/, '')
    .trim()

export const passingPattern =
  'tired|hungry|thirsty|sad|happy|glad|angry|upset|bored|sick|ill|cold|hot|busy|sorry|fine|well|good|ok|okay|great|back|home|here|late|ready|sure|done|lost|alone|lonely|stressed|excited|worried|nervous|exhausted|sleepy|confused|afraid|scared|in|on|at|not|so|very|just|going|trying|looking|thinking|feeling|wondering|getting|doing|having|about|sitting|waiting|being|really|too|kind|a bit|a little|having|off|up|down|awake|drunk|free|all|still|only'
const traits =
  'shy|patient|impatient|curious|stubborn|introverted|extroverted|an introvert|an extrovert|creative|lazy|optimistic|pessimistic|an optimist|a pessimist|organi[sz]ed|disorgani[sz]ed|messy|a night owl|an early bird|a morning person|a perfectionist|funny|sensitive|ambitious|quiet|talkative|forgetful|punctual|honest|easy-?going|anxious|calm|competitive|generous|adventurous'
const notNames = new RegExp(
  `^(?:${passingPattern}|${traits}|(?:your|the|an?|my|from|into|married|single|divorced|vegetarian|vegan|pregnant|retired|allergic|\\d+)\\b.*)\\b`,
  'i',
)
const namePattern = /^[\p{L}][\p{L}'’-]*(?: (?:\p{Lu}[\p{L}'’-]*\.?|de|van|von|der|da|la)){0,3}$/u

const forms: readonly FactForm[] = [
  [
    /^(?:my (?:full |first |real )?name(?:'s| is|(?= isn't))(?: actually)?|i(?:'m| am) (?:called|named)|(?:they|people|my friends) call me) (?<x>.+)$/i,
    ({ x = '' }) => nameFact(x),
  ],
  [
    /^(?:you (?:can|may) |please |just )*call me (?<x>.+)$/i,
    ({ x = '' }) =>
      /^(?:back|later|at|on|in|when|if|tomorrow|today|tonight|now|soon|again)\b/i.test(x)
        ? undefined
        : calledFact(x),
  ],
  [
    /^i(?:'m| am)(?: actually)? (?<x>\d{1,3})(?: years?(?: old)?| now)?$/i,
    ({ x }) => person(`They are ${x} years old.`),
  ],
  [
    /^i(?:'m| am) (?:originally )?from (?<x>.+)$/i,
    ({ x = '' }) => person(`They come from ${asName(value(x))}.`),
  ],
  [
    /^(?:i|we)(?:'m| am|'re| are)?(?: (?:currently|now|still|actually|just))* (?:live|living|reside|stay|staying) (?<how>in|at|near|on|with|outside|close to) (?<x>.+)$/i,
    ({ how, x = '' }) => person(`They live ${how} ${place(x)}.`),
  ],
  [
    /^(?:i|we)(?:'ve| have)?(?: (?:just|recently|actually))* moved (?:from .+? )?to (?<x>.+)$/is,
    ({ x = '' }) => person(`They live in ${place(x)}.`),
  ],
  [/^(?:i was|i'm|i am) born (?:on )(?<x>.+)$/i, ({ x = '' }) => person(`They were born on ${value(x)}.`)],
  [
    /^i (?:don't|do not) live (?:in|at) .+?,? (?:but )?(?:in|at) (?<x>.+)$/is,
    ({ x = '' }) => person(`They live in ${place(x)}.`),
  ],

  [
    /^(?:you (?:(?:may|can|could|must|should) (?:not|never|no longer)|mustn't|can't|cannot|shouldn't|(?:are|have) (?:not|never|no longer|no) (?:allowed|permitted|permission) to|(?:aren't|'re not) (?:allowed|permitted) to|don't have (?:my )?permission to|do not have (?:my )?permission to)|you're (?:not|never|no longer) (?:allowed|permitted) to|(?:please )?never|i (?:don't|do not|never) (?:allow|permit|want) you to|i forbid you to)(?: ever)? (?<x>.+)$/i,
    ({ x = '' }) =>
      /^mind$/i.test(x) ? undefined : { document: 'permissions', text: `Not allowed: ${inner(x)}.` },
  ],
  [
    /^you(?:'re| are) (?:allowed|permitted|welcome)(?: always| also)? to (?<x>.+)$/i,
    ({ x = '' }) => ({ document: 'permissions', text: `Allowed: ${inner(x)}.` }),
  ],
  [
    /^you (?:may|can|could|have my permission to)(?: always| also)? (?<x>.+)$/i,
    ({ x = '' }) => ({ document: 'permissions', text: `Allowed: ${inner(x)}.` }),
  ],
  [
    /^i (?:allow|permit) you to (?<x>.+)$/i,
    ({ x = '' }) => ({ document: 'permissions', text: `Allowed: ${inner(x)}.` }),
  ],
  [
    /^(?:please )?(?:try to )?(?<x>(?:be|sound|act|talk|speak|answer|write|reply|use|keep (?:it|your)|stay)\b.+)$/i,
    ({ x = '' }) => trait(x),
  ],
  [
    /^(?:i(?:'d| would)? (?:want|like|love|prefer)|it would be nice if) you(?: to| could| would)? (?<x>(?:be|sound|act|talk|speak|answer|write|reply|use|keep|stay)\b.+)$/i,
    ({ x = '' }) => trait(x),
  ],
  [
    /^(?:you should|can you|could you) (?:please )?(?:try to )?(?<x>be (?:more|less|a bit|a little) .+?)\??$/i,
    ({ x = '' }) => trait(x),
  ],
  [
    /^(?:please )?(?:don't|do not) (?<x>(?:call|write|ask|tell|talk|mention|wake|disturb|send|use|say|speak|message)\b.+)$/i,
    ({ x = '' }) => ({ document: 'permissions', text: `Not allowed: ${inner(x)}.` }),
  ],
  [/^(?:please )?(?<x>stop being .+)$/i, ({ x = '' }) => trait(x)],
  [/^(?:please )?(?:don't|do not) (?<x>be so .+)$/i, ({ x = '' }) => trait(`don't ${x}`)],

  [
    /^i(?:'d| would)?(?: really| always)? (?:want to|like to|love to|wish|hope to|hope that|hope i|dream of|plan to|am dreaming of|'m dreaming of|have always wanted to)\b(?! (?:know|ask|see|hear|tell|talk|say|thank|add|plan|remind|schedule|cancel)\b).+$/i,
    toWish,
  ],
  [/^i (?:want|wish for|would like) (?!(?:you|to know|to ask|a reminder|help|it|that|this)\b).+$/i, toWish],
  [/^i(?:'m| am) (?:learning|saving up|training) (?:to|for)\b.+$/i, toWish],
  [/^my (?:biggest |greatest |secret )?(?:dream|wish|goal|hope|plan) (?:is|'s) .+$/i, toWish],

  [
    /^i(?:'m| am)?(?: (?:really|often|still|always))* (?:struggl(?:e|ing) (?:with|to)|having (?:trouble|a hard time|difficult(?:y|ies))|have (?:trouble|a hard time|difficult(?:y|ies)|problems)|suffer(?:ing)? from|(?:am )?(?:afraid|scared|terrified) of|worr(?:y|ied) about|find it (?:hard|difficult)|(?:can't|cannot) (?:sleep|concentrate|focus|relax|stop)|(?:get|feel) (?:anxious|nervous|stressed|lonely|overwhelmed) (?:about|when|in|with|at))\b.*$/i,
    toStruggle,
  ],

  [
    new RegExp(
      `^i(?:'m| am)(?: (?:quite|very|rather|pretty|really|a bit|more of))* (?:${traits})(?: person)?$`,
      'i',
    ),
    (_, clause) => ({ document: 'traits', text: aboutThem(clause) }),
  ],
  [
    /^i (?:work|study|play|speak|drive|own|collect|eat|drink|cook|run|swim|paint|write|teach|read|practise|practice|do|go|wake|get up|prefer|used to|grew up|was born|never eat|never drink|volunteer|run|ride|sing|dance|garden)\b.+$/i,
    (_, clause) => toSteadyFact(clause),
  ],
  [
    /^i (?:don't|do not|never|can't|cannot) (?:like|eat|drink|speak|drive|work|smoke|swim|cook|have|own|stand|enjoy|love|tolerate)\b.*$/i,
    (_, clause) => person(aboutThem(value(clause))),
  ],
  [
    /^i(?: (?:really|absolutely|also|just))* (?:like|love|enjoy|hate|dislike|detest|adore|prefer)\b(?! (?:you|it|that|this|to be called|them|talking to you|your)\b).+$/i,
    (_, clause) => person(aboutThem(value(clause))),
  ],
  [
    /^(?:i|we)(?:'ve| have)?(?: got| have)? (?:have |got )?(?=an? |one |two |three |four |five |six |\d+ |no |some )(?!(?:an? )?(?:question|moment|minute|second|problem|headache|cold|idea|feeling|request|fever|look|bit|lot|few|little|good|bad|great|nice|reminder|joke|favou?r)\b)(?<x>.+)$/i,
    (_, clause) =>
      /^(?:i|we)(?:'ve| have| got| have got)\b/i.test(clause) ? person(aboutThem(value(clause))) : undefined,
  ],
  [
    /^i(?:'m| am) (?:married|single|divorced|engaged|retired|vegetarian|vegan|allergic|left-handed|right-handed|pregnant|an? (?!bit\b|little\b|lot\b)|the (?:mother|father|owner|oldest|youngest)\b).*$/i,
    (_, clause) => person(aboutThem(value(clause))),
  ],
  [
    /^i(?:'m| am) (?<x>.+)$/i,
    ({ x = '' }) =>
      !notNames.test(x) && /^\p{Lu}/u.test(x) && namePattern.test(value(x)) ? identity(value(x)) : undefined,
  ],

  [
    /^(?:my|our) (?:best |old |new |late |little |big |younger |older |elder )?[\p{L}' -]{2,50}? (?:is|are|was|were|has|have|had|lives?|works?|likes?|loves?|hates?|wants?|died|plays?|studies|moved|comes?|got|speaks?|can|can't|owns?)\b.+$/iu,
    (_, clause) =>
      /^(?:my|our) (?:day|question|point|head|problem|mood|god|bad|name is not|name isn't)\b/i.test(clause)
        ? undefined
        : person(aboutThem(value(clause))),
  ],
  [
    /^(?:my|our) [\p{L} -]{2,40}'s (?!birthday\b|name\b)[\p{L}\d].+$/iu,
    (_, clause) => (/'s [\p{L}]+ (?:is|are)\b/iu.test(clause) ? person(aboutThem(value(clause))) : undefined),
  ],
  [/^we (?:have|live|are|got|own|were|like|love)\b.+$/i, (_, clause) => person(aboutThem(value(clause)))],
]

const nameFact = (x: string): Fact | undefined => {
  const name = value(x)
    .replace(/^(?:not|isn't) .*?(?:,? but |[,:;–-] ?)(?:it(?:'s| is) |my name(?:'s| is) |i(?:'m| am) )?/i, '')
    .replace(/,.*$/s, '')
    .replace(/ (?:and|but) .*$/is, '')
  return name && name.length <= 60 && !/^(?:not|isn't)\b/i.test(name)
    ? person(`Their name is ${asName(name)}.`)
    : undefined
}
const calledFact = (x: string): Fact | undefined => {
  const name = value(x).replace(/,.*$/s, '')
  return name.split(' ').length <= 3 ? person(`They want to be called ${asName(name)}.`) : undefined
}
/**
 * Distinguishes "I'm Anna" from "I'm German". Most nationalities and faiths have one of these endings; names
 * rarely do.
 */
const identity = (x: string): Fact =>
  person(
    /(?:ese|ish|ch|man|ian|can|ean|ist|im|ew)$/.test(x) &&
      !/^(?:Ian|Adrian|Brian|Christian|Julian|Norman|Kim|Tim|Jim|Herman|Lillian|Vivian|Gillian|Sebastian|Fabian|Dorian|Killian|Damian|Andrew|Matthew|Drew|Zach)$/.test(
        x,
      )
      ? `They are ${x}.`
      : `Their name is ${x}.`,
  )
const place = (x: string): string => {
  // If several places are named ("then to …", "no, in …"), the last one counts.
  const lastPlace = value(x)
    .replace(/^.*(?:,| and)(?: and)? then (?:to |in )?/i, '')
    .replace(/^.*, (?:no|sorry|i mean|i meant|wait|actually|rather),? (?:in |to |it's )?/i, '')
    .replace(/,? not (?:in )?.+$/is, '')
    .replace(
      / (?:last|this) (?:year|month|week|spring|summer|autumn|fall|winter)$| (?:recently|yesterday|in \d{4})$| \w{1,10} (?:years?|months?|weeks?|days?) ago$/i,
      '',
    )
  return lastPlace.split(' ').length <= 3 && !/\b(?:a|an|the|my|small|big)\b/.test(lastPlace)
    ? asName(lastPlace)
    : aboutThem(lastPlace)
        .replace(/\.$/, '')
        .replace(/^./, (first) => (/^(?:a|an|the|my)\b/i.test(lastPlace) ? first.toLowerCase() : first))
}
/** In a permission, "you" is the persona and "they" is the user. */
const inner = (x: string) =>
  aboutThem(value(x))
    .replace(/\.$/, '')
    .replace(/^./, (first) => first.toLowerCase())
const trait = (x: string): Fact => ({ document: 'persona-trait', text: sentence(inner(x)) })
function toWish(_: unknown, clause: string): Fact {
  return { document: 'wishes', text: aboutThem(value(clause)) }
}
function toStruggle(_: unknown, clause: string): Fact {
  return { document: 'struggles', text: aboutThem(value(clause)) }
}
const toSteadyFact = (clause: string): Fact | undefined =>
  /\b(?:yesterday|today|tomorrow|tonight|right now|this (?:morning|week|evening)|last \w+|not know|n't know|understand|think so)\b/i.test(
    clause,
  ) || /^i do(?:n't)?(?: not)?$/i.test(clause)
    ? undefined
    : person(aboutThem(value(clause)))

const notePattern =
  /^(?:please |can you |could you )*(?:remember|note|keep in mind|memori[sz]e|write down|save)(?: this| for me)?(?: that|:|,)? (?<x>.{3,})$/i

export const factWords: FactWords = {
  forms,
  reorder: (clause) => clause,
  preamble,
  readNote: (clause) => {
    const content = notePattern.exec(clause)?.groups?.x
    return content && !/^(?:me|that|this|it|when|what|my|where|to)\b.{0,12}$/i.test(content)
      ? aboutThem(value(content))
      : undefined
  },
  correction,
  correctionStart: /^(?:it's|it is|it should be|i meant(?: to say)?|i said) (?=(?:my|i)\b)/i,
}
