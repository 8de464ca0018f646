/**
 * The practice mind: a small, deterministic model made of rules, for machines without a real model. It uses
 * the same tools as a real model and says that it is a stand-in.
 */

import { yieldNow } from '../kit/flow/yielding.ts'
import type { Mind, Part, Prompt, ToolSpec } from '../models/mind.ts'
import { clearPlans } from './cancel.ts'
import { consolidate } from './consolidation.ts'
import { introducesItself, mentionsStandIn } from './day.ts'
import { goOverImport } from './go-over-import.ts'
import { writeByItself } from './initiative.ts'
import { summarizeMail } from './mail.ts'
import { tellFile } from './organ-rules.ts'
import { settlePromises } from './promises.ts'
import { formatReminder } from './reminder-text.ts'
import { say, vary, type Wish } from './reply.ts'
import { tellResults } from './results.ts'
import { getSituation, type Heard, languageOfTalk, type Situation, toRecord, wordsIn } from './situation.ts'
import { speakFirst } from './small-talk.ts'
import { replyTo } from './understand.ts'
import { wordsOf } from './words.ts'

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
  const request = data()
  switch (request.kind) {
    case 'consolidation':
      return { words: await consolidate(request, signal), wishes: [], nextCall: 1 }
    case 'import':
      return { words: await goOverImport(request, signal), wishes: [], nextCall: 1 }
    case 'initiative':
      return { words: writeByItself(request), wishes: [], nextCall: 1 }
    case 'mail':
      return { words: summarizeMail(request), wishes: [], nextCall: 1 }
    case 'turn':
    case 'question': {
      const situation = getSituation(request, new Set(tools.flatMap(listNames)))
      return { ...answer(situation), nextCall: situation.nextCall }
    }
  }
}

/** Returns the name of a tool and those of its operations. */
const listNames = ({ name, parameters }: ToolSpec): readonly string[] => {
  const op = toRecord(toRecord(parameters.properties)?.op)
  return [name, ...(Array.isArray(op?.enum) ? op.enum.map((option) => `${name} ${option}`) : [])]
}

const answer = (situation: Situation): Omit<Answer, 'nextCall'> => {
  const cancellation = clearPlans(situation)
  if (cancellation && cancellation.next.length > 0) return { words: '', wishes: cancellation.next }
  const files = situation.files.map((file) => tellFile(file, situation)).filter(Boolean)
  const replies = [
    ...tellResults(situation).map(say),
    ...files.map(say),
    ...situation.heard.flatMap((message) => replyToMessages(message, situation)),
  ]
  const wishes = replies.flatMap((reply) => reply.wishes)
  const important = replies.filter(({ words, light }) => words && !light)
  const chosenReplies = wishes.length > 0 || important.length > 2 ? important : replies
  const words = [...new Set(chosenReplies.map((reply) => reply.words).filter(Boolean))]
  const { odd } = wordsOf(situation)
  const fallbacks = situation.passedOn ? [odd.passedOn] : odd.nothingHeard
  const text = joinReplies(words.length === 0 && wishes.length === 0 ? [vary(situation, fallbacks)] : words)
  const honest = settlePromises(text, situation)
  const isSolemn = replies.some(({ solemn }) => solemn)
  return { words: isSolemn ? honest : addNotice(honest, situation), wishes: unique(wishes) }
}

const replyToMessages = (message: Heard, situation: Situation) => {
  if (message.by === 'quiet') return [say(speakFirst(situation))]
  return message.by === 'calendar'
    ? [say(formatReminder(message.due, situation))]
    : replyTo(wordsIn(message), { ...situation, language: getLanguage(message, situation) })
}

const getLanguage = (message: Heard, { talk, carried }: Situation) =>
  languageOfTalk(talk.slice(0, talk.findIndex((utterance) => utterance === message) + 1), carried)

/** A list is followed by a blank line. */
const joinReplies = (words: readonly string[]): string =>
  words.reduce(
    (text, reply) =>
      text ? `${text}${text.includes('\n- ') || reply.includes('\n- ') ? '\n\n' : ' '}${reply}` : reply,
    '',
  )

/** Adds the notice about the stand-in unless the conversation or the carried context already contains it. */
const addNotice = (words: string, situation: Situation): string =>
  !words || mentionsStandIn(situation.carried) || [words, ...situation.spoken].some(introducesItself)
    ? words
    : `${words}\n\n${wordsOf(situation).notice}`

/** Removes duplicate wishes. Of two changes to the same statement the later one counts. */
const unique = (wishes: readonly Wish[]): readonly Wish[] => {
  const key = ({ name, input }: Wish) =>
    name === 'remember' && input.op !== 'keep' ? `${name} ${input.id}` : JSON.stringify([name, input])
  return [...new Map(wishes.map((wish) => [key(wish), wish])).values()]
}
