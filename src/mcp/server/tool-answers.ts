/** Answers of tools: text, JSON as text, or an error in words that a model can use. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Log } from '../../../packages/kit/log.ts'

export interface AnswerDeps {
  readonly log: Log
  /** Returns the message of an error. `own` is true for a fault of the daemon. */
  readonly explain: (error: unknown) => { readonly words: string; readonly own: boolean }
}

export const textResult = (...texts: readonly string[]): CallToolResult => ({
  content: texts.map((text) => ({ type: 'text', text })),
})

export const jsonResult = (value: unknown): CallToolResult => textResult(JSON.stringify(value))

export const errorResult = (words: string): CallToolResult => ({ ...textResult(words), isError: true })

/** Never rejects, because the library would send the message of an error unchanged. */
export const answerWith = async (
  { log, explain }: AnswerDeps,
  work: () => Promise<CallToolResult>,
): Promise<CallToolResult> => {
  try {
    return await work()
  } catch (error) {
    const { words, own: isOwnFault } = explain(error)
    if (isOwnFault) log.error({ err: error }, 'a tool failed for an MCP client')
    return errorResult(words)
  }
}
