/** What a tool answers: words or JSON as text, and what went wrong in words that a model can act on. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Log } from '../../../packages/kit/log.ts'

export interface AnswerDeps {
  readonly log: Log
  /** What an error is told as; `own` where it is a fault of the daemon. */
  readonly explain: (error: unknown) => { readonly words: string; readonly own: boolean }
}

export const said = (...texts: readonly string[]): CallToolResult => ({
  content: texts.map((text) => ({ type: 'text', text })),
})

export const told = (value: unknown): CallToolResult => said(JSON.stringify(value))

export const failed = (words: string): CallToolResult => ({ ...said(words), isError: true })

/** Never rejects: the library would tell an error as it stands. */
export const answered = async (
  { log, explain }: AnswerDeps,
  work: () => Promise<CallToolResult>,
): Promise<CallToolResult> => {
  try {
    return await work()
  } catch (error) {
    const { words, own } = explain(error)
    if (own) log.error({ err: error }, 'a tool that an MCP client called failed')
    return failed(words)
  }
}
