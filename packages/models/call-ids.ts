/** Ids for the calls of an answer: not every model gives one, and they must differ within a prompt. */
import type { Prompt } from './mind.ts'

/** The first of them is free in this prompt, and so are all that follow. */
export const createCallIds = (prompt: Prompt): (() => string) => {
  const before = prompt.messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []))
  let last = Math.max(0, ...before.map(({ id }) => Number(/^call-(\d+)$/.exec(id)?.[1] ?? 0)))
  return () => `call-${++last}`
}

/** Arguments that are no JSON are handed on as they are: the tool's own refusal tells the model best. */
export const toInput = (given: unknown): unknown => {
  if (typeof given !== 'string') return given ?? {}
  try {
    return JSON.parse(given || '{}')
  } catch {
    return given
  }
}
