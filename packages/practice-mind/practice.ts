/**
 * The practice mind: small, rule-driven and deterministic, for a machine without a model. It drives the same
 * tools as a real one, and says what it is.
 */

import { yieldNow } from '../kit/flow/yielding.ts'
import type { Mind, Part, Prompt } from '../models/mind.ts'
import { clearing } from './cancel.ts'
import { goOverImport } from './go-over-import.ts'
import { goOver } from './go-over-talk.ts'
import { tellFile } from './organ-rules.ts'
import { tellDue } from './reminder-text.ts'
import { say, vary, type Wish } from './reply.ts'
import { tellResults } from './results.ts'
import { type Heard, type Situation, situationOf, wordsIn } from './situation.ts'
import { notice, speakFirst, standIn } from './small-talk.ts'
import { unpromised } from './strip-promises.ts'
import { replyTo } from './understand.ts'

export const createPractice = (): Mind => ({
  async *think(prompt, signal): AsyncGenerator<Part> {
    const { words, wishes, nextCall } = await answerTo(prompt, signal)
    for (const text of words.match(/^\s+|\S+\s*/g) ?? []) {
      await yieldNow(signal)
      yield { type: 'words', text }
    }
    for (const [n, { name, input }] of wishes.entries())
      yield { type: 'call', call: { id: `call-${nextCall + n}`, name, input } }
    yield { type: 'end', usage: { input: null, output: null } }
  },
})

interface Answer {
  readonly words: string
  readonly wishes: readonly Wish[]
  readonly nextCall: number
}

const answerTo = async ({ data, tools }: Prompt, signal: AbortSignal): Promise<Answer> => {
  const asked = data()
  switch (asked.kind) {
    case 'consolidation':
      return { words: await goOver(asked, signal), wishes: [], nextCall: 1 }
    case 'import':
      return { words: await goOverImport(asked, signal), wishes: [], nextCall: 1 }
    case 'turn':
    case 'question': {
      const situation = situationOf(asked, new Set(tools.map(({ name }) => name)))
      return { ...answer(situation), nextCall: situation.nextCall }
    }
  }
}

const answer = (situation: Situation): Omit<Answer, 'nextCall'> => {
  const going = clearing(situation)
  if (going && going.next.length > 0) return { words: '', wishes: going.next }
  const files = situation.files.map(tellFile).filter(Boolean)
  const replies = [
    ...tellResults(situation).map(say),
    ...files.map(say),
    ...situation.heard.flatMap((heard) => replyToHeard(heard, situation)),
  ]
  const wishes = replies.flatMap((reply) => reply.wishes)
  const heavy = replies.filter(({ words, light }) => words && !light)
  const told = wishes.length > 0 || heavy.length > 2 ? heavy : replies
  const words = [...new Set(told.map((reply) => reply.words).filter(Boolean))]
  const empty = situation.passedOn ? [passedOn] : ['I am here.', 'Yes?', 'I am listening.']
  const spoken = joined(words.length === 0 && wishes.length === 0 ? [vary(situation, empty)] : words)
  return { words: introduced(unpromised(spoken, situation), situation), wishes: unique(wishes) }
}

const replyToHeard = (heard: Heard, situation: Situation) => {
  if (heard.by === 'quiet') return [say(speakFirst(situation))]
  return heard.by === 'calendar' ? [say(tellDue(heard.due, situation))] : replyTo(wordsIn(heard), situation)
}

const passedOn =
  'Thank you, I have read what you passed on. Tell me in your own words if I shall do something with it.'

/** A list ends its paragraph. */
const joined = (words: readonly string[]): string =>
  words.reduce(
    (text, more) =>
      text ? `${text}${text.includes('\n- ') || more.includes('\n- ') ? '\n\n' : ' '}${more}` : more,
    '',
  )

/** What it is must be said early, and again when it has dropped out of the talk and of what it carries. */
const introduced = (words: string, { spoken, carried }: Situation): string =>
  !words ||
  words.includes(standIn) ||
  spoken.some((said) => said.includes(standIn)) ||
  carried.includes('stand-in')
    ? words
    : `${words}\n\n${notice}`

/** The same wish twice is one; of two about one thing the later counts. */
const unique = (wishes: readonly Wish[]): readonly Wish[] => {
  const key = ({ name, input }: Wish) =>
    name === 'remember' && input.op !== 'keep' ? `${name} ${input.id}` : JSON.stringify([name, input])
  return [...new Map(wishes.map((wish) => [key(wish), wish])).values()]
}
