/** Rules that use other organs: draw, speak aloud, ask the Teacher and look or read again. */
import type { FileNote } from '../models/prompt-data.ts'
import { excerpt, type Rule, say, wish } from './reply.ts'
import type { Situation } from './situation.ts'
import { wordsOf } from './words.ts'

interface Action {
  readonly tool: string
  /** Returns undefined if there is nothing to act on. */
  readonly input: (subject: string, situation: Situation) => Readonly<Record<string, unknown>> | undefined
}

const actions: Readonly<Record<'draw' | 'speak' | 'ask' | 'look' | 'listen' | 'read', Action>> = {
  draw: { tool: 'draw', input: (subject) => ({ wish: subject }) },
  speak: {
    tool: 'speak',
    input: (subject, situation) => ({ text: unquote(subject) ?? lastWords(subject, situation) }),
  },
  ask: { tool: 'ask_teacher', input: (subject) => ({ question: subject }) },
  look: {
    tool: 'look_again',
    input: (question, situation) => {
      const file = getLatestFile(situation)
      return file && { ...file, question: question || wordsOf(situation).organs.whatIsInIt }
    },
  },
  listen: { tool: 'look_again', input: (_, situation) => getLatestFile(situation) },
  read: { tool: 'read_document', input: (_, situation) => getLatestFile(situation) },
}

export const useOrgan: Rule = (clause, situation) => {
  const { organs, requestPrefix } = wordsOf(situation)
  const request = clause.replace(requestPrefix, '').replace(/(?<![.!?])[.!?]+$/, '')
  for (const [name, form] of organs.forms) {
    const match = form.exec(request)
    if (!match) continue
    const { tool, input } = actions[name]
    const toolInput = input(match[1]?.trim() ?? '', situation)
    if (toolInput && !situation.tools.has(tool)) return sayWhatIsMissing(tool, situation)
    if (toolInput) return wish({ name: tool, input: toolInput })
  }
  return undefined
}

/** A tool is only offered if its organ exists. Programs, which cannot change memories, never get it. */
const sayWhatIsMissing = (tool: string, situation: Situation) => {
  const { organs, attempts } = wordsOf(situation)
  const organ = Object.entries(organs.missing).find(([name]) => name === tool)?.[1]
  return organ && situation.tools.has('remember')
    ? say(organs.tellMissing(attempts[tool] ?? tool, organ))
    : undefined
}

/** Returns the latest file of the conversation. */
const getLatestFile = ({ talk }: Situation): { readonly file: string } | undefined => {
  const file = talk.flatMap((utterance) => ('files' in utterance ? utterance.files : [])).at(-1)?.file
  return file === undefined ? undefined : { file }
}

const unquote = (text: string): string | undefined => /^[“"'„](.+)[”"'“]$/.exec(text)?.[1]

/** In "Say that aloud", "that" is the persona's last message. */
const lastWords = (text: string, situation: Situation): string =>
  wordsOf(situation).organs.that.test(text) ? (situation.spoken.at(-1) ?? text) : text

/**
 * Returns an empty string for a file without a description. The user already has the service's own message
 * about it.
 */
export const tellFile = ({ name, perceived }: FileNote, situation: Situation): string =>
  perceived ? wordsOf(situation).organs.tellFile(name, perceived.by, excerpt(perceived.text)) : ''
