/**
 * Ids for the tool calls of an answer. Not every model sends ids, and they must be unique within a prompt.
 */
import type { Prompt } from './mind.ts'

/** Returns a function that returns ids unused in this prompt. */
export const createCallIds = (prompt: Prompt): (() => string) => {
  const previousCalls = prompt.messages.flatMap((message) =>
    message.role === 'assistant' ? message.calls : [],
  )
  let last = Math.max(0, ...previousCalls.map(({ id }) => Number(/^call-(\d+)$/.exec(id)?.[1] ?? 0)))
  return () => `call-${++last}`
}

/** Passes invalid JSON on unchanged, because the tool's own error explains it best to the model. */
export const toInput = (rawArguments: unknown): unknown => {
  if (typeof rawArguments !== 'string') return rawArguments ?? {}
  try {
    return JSON.parse(rawArguments || '{}')
  } catch {
    return rawArguments
  }
}
