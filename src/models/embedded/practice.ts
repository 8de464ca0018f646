/** The practice mind: small, rule-driven and deterministic, for a machine without a model. It drives the same tools as a real one, and says what it is. */
import type { Mind, Part } from '../mind.ts'
import { cancel, move } from './cancel.ts'
import { clausesOf } from './clauses.ts'
import { continuedFrom } from './continued.ts'
import { tellDue } from './due.ts'
import { isCorrection, uncorrected } from './fact-forms.ts'
import { tell } from './facts.ts'
import { tellFile } from './files.ts'
import { forget, lookUp, tellAll } from './knowledge.ts'
import { foreignLanguage } from './languages.ts'
import { useOrgan } from './organs.ts'
import { appoint, listPlans, remind, whenPlanned } from './plans.ts'
import { recall } from './recall.ts'
import { chat, type Reply, type Rule, say, vary, type Wish } from './reply.ts'
import { tellResults } from './results.ts'
import { readSituation, type Situation } from './situation.ts'
import { acknowledge, notice, standIn, talk } from './small-talk.ts'

export const createPractice = (): Mind => ({
  async *think(prompt, signal): AsyncGenerator<Part> {
    const situation = readSituation(prompt)
    const { words, wishes } = answer(situation)
    for (const text of words.match(/\s*\S+\s*$|\s*\S+/g) ?? []) {
      // Lets a signal come through between two words.
      await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
      yield { type: 'words', text }
    }
    for (const [n, { name, input }] of wishes.entries()) yield { type: 'call', call: { id: `call-${situation.nextCall + n}`, name, input } }
    yield { type: 'end', usage: { input: null, output: null } }
  },
})

const rules: readonly Rule[] = [
  cancel,
  move,
  useOrgan,
  listPlans,
  remind,
  appoint,
  recall,
  forget,
  tellAll,
  talkFirst,
  whenPlanned,
  lookUp,
  tell,
  talk,
]

/** Kind words and what she cannot come before facts only where they are certain: "I am tired" is no statement to keep. */
function talkFirst(clause: string, situation: Situation): Reply | undefined {
  return /^(?:i\b|i'm\b|my\b|we\b|you (?:may|can|could|must|should)\b|no\b|actually\b)/i.test(clause) &&
    !/^i(?:'m| am| feel| have to go| must go| need to go| hate you| (?:really |do )?(?:love|like|adore) (?:you|talking))\b/i.test(clause)
    ? undefined
    : talk(clause, situation)
}

const answer = (situation: Situation): { readonly words: string; readonly wishes: readonly Wish[] } => {
  const files = situation.files.map(tellFile).filter(Boolean)
  const replies = [...tellResults(situation).map(say), ...files.map(say), ...situation.heard.flatMap((heard) => replyTo(heard, situation))]
  const wishes = replies.flatMap((reply) => reply.wishes)
  const heavy = replies.filter(({ words, light }) => words && !light)
  const told = wishes.length > 0 || heavy.length > 2 ? heavy : replies
  const words = [...new Set(told.map((reply) => reply.words).filter(Boolean))]
  const spoken = joined(words.length === 0 && wishes.length === 0 ? [vary(situation, ['I am here.', 'Yes?', 'I am listening.'])] : words)
  return { words: introduced(spoken, situation), wishes: unique(wishes) }
}

/** A list ends its paragraph. */
const joined = (words: readonly string[]): string =>
  words.reduce((text, more) => (text ? `${text}${text.includes('\n- ') || more.includes('\n- ') ? '\n\n' : ' '}${more}` : more), '')

/** What she is must be said early, and again when it has dropped out of the talk. */
const introduced = (words: string, { spoken }: Situation): string =>
  !words || words.includes(standIn) || spoken.some((said) => said.includes(standIn)) ? words : `${words}\n\n${notice}`

/** The same wish twice is one; of two about one thing the later counts. */
const unique = (wishes: readonly Wish[]): readonly Wish[] => {
  const key = ({ name, input }: Wish) =>
    name === 'remember' && input.op !== 'keep' ? `${name} ${input.id}` : JSON.stringify([name, input])
  return [...new Map(wishes.map((wish) => [key(wish), wish])).values()]
}

const replyTo = (heard: string, situation: Situation): readonly Reply[] => {
  if (heard.startsWith('[due]')) return [say(tellDue(heard, situation))]
  if (!/[\p{L}\p{N}]/u.test(heard))
    return [
      say(
        /\p{Extended_Pictographic}/u.test(heard)
          ? vary(situation, ['I see. Words I understand better than pictures, though.', 'That looks friendly.'])
          : wordless(situation),
      ),
    ]
  const language = foreignLanguage(heard.slice(0, 1500))
  if (language)
    return [
      say(
        `That looks like ${language}. I am sorry, I do not speak it: I understand only simple English. A real mind, given under settings, may speak it.`,
      ),
    ]
  if (heard.length > 1500)
    return [
      say(
        'That is long, longer than I can follow. It is kept in our conversation all the same. Tell me in a sentence or two what I should remember.',
      ),
    ]

  const continued = continuedFrom(heard, situation.messages)
  const clauses = clausesOf(continued ?? heard, situation.name)
  const replies = clauses.map((clause, n) => {
    // "That's wrong. I live in Porto.": the first only announces the second.
    if (isCorrection(clause) && !uncorrected(clause).replace(/\?$/, '') && n < clauses.length - 1) return say('')
    for (const rule of rules) {
      const reply = rule(clause, situation)
      if (reply) return reply
    }
    return undefined
  })
  const made = replies.filter((reply) => reply !== undefined).filter(({ words, wishes }) => words || wishes.length > 0)
  if (made.length > 0) return made
  // Only her name was called.
  return clauses.length > 0
    ? [say(acknowledge(clauses.at(-1) ?? heard, situation))]
    : [chat(vary(situation, ['Yes, I am here.', 'I am listening.']))]
}

const wordless = (situation: Situation) =>
  vary(situation, ['I do not know what to make of that. Tell me in words.', 'I see no words in that. What would you like to say?'])
