/** English words that separate clauses, and forms of questions. */
import type { ClauseWords } from '../clauses.ts'
import { spellingWords } from './spelling.ts'
import { wordings } from './wording.ts'

const spellings: readonly (readonly [RegExp, string])[] = [
  [/\b([ap])\.\s?m\b\.?/gi, '$1m'],
  [/\b(Mr|Mrs|Ms|Dr|St|Prof)\.(?=\s)/g, '$1'],
  [
    /\b(what|where|when|who|how|that|there|here|it)s\b(?= (?:my|your|the|a|an|is|on|up|not|wrong|right|planned|it|up|coming|me|i|in|his|her|their|our)\b)/gi,
    "$1's",
  ],
  [/\b(?:i)m\b/gi, "I'm"],
  [/\b(?:i)ve\b/gi, "I've"],
  [/\bid (?=like|love|rather)/gi, "I'd "],
  [/\b(do|does|did|is|was|are|were|ca|wo|could|would|should|have|has|must)nt\b/gi, "$1n't"],
  [/\bcan not\b/gi, 'cannot'],
  [/\bpls\b|\bplz\b/gi, 'please'],
  [/\bu\b(?! ?\.)/g, 'you'],
  [/\bur\b/g, 'your'],
  [/\bgonna\b/gi, 'going to'],
  [/\bwanna\b/gi, 'want to'],
  [/\btho\b/gi, 'though'],
]

const clauseStarts =
  "(?:(?:now )?i(?:'m|'ve|'d|'ll)?|(?:my|our) [a-z' ]{2,40}? (?:is|are|was|has|have|lives?|works?|likes?|loves?)|remind me|forget|cancel|delete|what(?:'s)?|where(?:'s)?|when(?:'s)?|who(?:'s)?|how|call me|you (?:can|may|should|must)|tell me|please|do you|can you|could you|don't)\\b"
const commands =
  "(?:remind me|forget|cancel|delete|what(?:'s| is| did| do)|where|who|how|tell me|do you|can you|call me)\\b"
const beforeCommand = new RegExp(`,? and (?:also )?(?=${commands})|, (?=${commands})`, 'i')
const beforeStart = new RegExp(`(?:,|:|,? and(?: also| that)?|,? but|,? also) (?=${clauseStarts})`, 'i')
const asksForTime = /\b(?:remind|reminder|schedule|appointment|calendar)\b/i

const leadingFillers =
  /^(?:(?:well|so|and|also|oh|ok|okay|but|then|plus|hey|yes|yeah|right|btw|by the way|anyway|first|second|third|finally|just so you know|fyi|you should know(?: that)?|one more thing|in fact|of course|please|now(?= i\b))\b[,:]?\s+)+/i
const greeting =
  /^(?:(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening|day)|greetings)(?: there| again| you)?\b[\s,.!–-]*)+/i

/** A full stop ends a sentence if a gap follows, unless it is between a number and a lowercase letter. */
// Linear: the longest run is taken, and nothing after it can fail.
const sentences = /(?:[^.!?\n;]|\.(?=[^\s.!?])|(?<=\d)\.(?= [a-z]))+[.!?]*/g

export const clauses: ClauseWords = {
  spellings,
  wordings,
  correction: spellingWords,
  sentences,
  leadingFillers,
  greeting,
  beforeCommand,
  beforeStart,
  asksForTime,
  beforeName: 'hi|hello|hey|good (?:morning|evening|afternoon)|thanks|thank you|bye|goodbye|good night',
  introducesName: /\b(?:name is|name's|called|am|i'm|call me|are)$/i,
}

/** Detects a question by its mark, or by its first words if the mark is missing. */
export const isQuestion = (clause: string): boolean =>
  !statement.test(clause) &&
  /\?$|^(?:what|where|when|who|whom|which|why|how)(?:'s| is| are| was| were| do| did| does| am| have| old| many| much| long| often| about)\b|^(?:what|which) \w+ (?:is|are|do|did|does|am|have)\b|^(?:do|does|did|am|is|are|have) (?:i|my|you|we|it|there)\b|^(?:can you )?(?:tell me|remember) (?:my|where|when|what|who|how)\b/i.test(
    clause,
  )

/** "Remember my plate is W-123" is a statement, although it begins like a question. */
const statement = /^(?:please )?remember (?:that )?my [^?]{1,80} (?:is|are) [^?]{1,300}$/i
