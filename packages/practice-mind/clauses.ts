/** Splits the user's message into clauses with one meaning each. */
import { fixSpelling } from './spelling.ts'
import { reword } from './wording.ts'

/** Corrects common typing shortcuts, so that the patterns below need only one spelling. */
const normalizeSpelling = (text: string): string =>
  spellings.reduce(
    (result, [wrongForm, right]) => result.replace(wrongForm, right),
    text
      .normalize('NFC')
      .replace(/[’‘`´]/g, "'")
      .replace(/[“”„]/g, '"')
      .replace(/\b([ap])\.\s?m\b\.?/gi, '$1m')
      .replace(/\b(Mr|Mrs|Ms|Dr|St|Prof)\.(?=\s)/g, '$1')
      .replace(/[ \t]+/g, ' ')
      .trim(),
  )

const spellings: readonly (readonly [RegExp, string])[] = [
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

/** Max UTF-16 units per message and per clause. The rest of the message is stored but not interpreted. */
const maxMessageUnits = 20_000
const maxClauseUnits = 1000

/**
 * Removes the persona's name from the start or end of a sentence, since it is only an address. Keeps question
 * marks, which distinguish questions from statements.
 */
export const splitClauses = (text: string, name: string): readonly string[] =>
  (normalizeSpelling(text.slice(0, maxMessageUnits)).match(sentences) ?? [])
    .map((sentence) =>
      sentence
        .trim()
        .replace(/(?<![.!?])[.!]*\?[.!?]*$/, '?')
        .replace(/(?<![.!])[.!]+$/, ''),
    )
    .flatMap((sentence) => cutSentence(fixSpelling(removeAddress(sentence, name))))
    .map((clause) => reword(fixSpelling(clause.replace(leadingFillers, '').trim())))
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))
    .slice(0, 40)
    .map((clause) => clause.slice(0, maxClauseUnits))

const cutSentence = (sentence: string): readonly string[] => {
  const hello = greeting.exec(sentence)?.[0] ?? ''
  const rest = sentence.slice(hello.length)
  if (hello && rest) return [hello.replace(/(?<![\s,.!–-])[\s,.!–-]+$/, ''), ...cutSentence(rest)]
  return sentence.split(asksForTime.test(sentence) ? beforeCommand : beforeStart)
}

const removeAddress = (sentence: string, name: string): string => {
  const namePattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return (
    sentence
      .replace(
        // Linear: letters of a name, at the beginning.
        new RegExp(
          `^((?:hi|hello|hey|good (?:morning|evening|afternoon)|thanks|thank you|bye|goodbye|good night)?,?) ?${namePattern}(?=[,:!?]|$)[,:]?\\s*`,
          'i',
        ),
        '$1 ',
      )
      // Linear: letters of a name, which repeat nothing.
      .replace(new RegExp(`,? ${namePattern}(\\??)$`, 'i'), (match, mark: string, index: number) =>
        /\b(?:name is|name's|called|am|i'm|call me|are)$/i.test(sentence.slice(0, index)) ? match : mark,
      )
      .trim()
  )
}

/** Detects a question by its mark, or by its first words if the mark is missing. */
export const isQuestion = (clause: string): boolean =>
  !statement.test(clause) &&
  /\?$|^(?:what|where|when|who|whom|which|why|how)(?:'s| is| are| was| were| do| did| does| am| have| old| many| much| long| often| about)\b|^(?:what|which) \w+ (?:is|are|do|did|does|am|have)\b|^(?:do|does|did|am|is|are|have) (?:i|my|you|we|it|there)\b|^(?:can you )?(?:tell me|remember) (?:my|where|when|what|who|how)\b/i.test(
    clause,
  )

/** "Remember my plate is W-123" is a statement, although it begins like a question. */
const statement = /^(?:please )?remember (?:that )?my [^?]{1,80} (?:is|are) [^?]{1,300}$/i
