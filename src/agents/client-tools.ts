/**
 * Tools of API clients. The model calls them, the request ends, and the client runs them and sends their
 * results with its next request. The persona's own calls before that are remembered meanwhile.
 */
import * as z from 'zod'
import type { Answer, Call } from '../../facts/fact-values.ts'
import type { ToolSpec } from '../../packages/models/mind.ts'
import { parseInput } from '../mind/prompt/lenient-json.ts'
import type { TurnStep } from '../mind/prompt/talk-items.ts'
import { findName } from '../mind/prompt/tool-names.ts'
import { describeInputError } from '../mind/tools/input-schema.ts'
import type { Tool } from '../mind/tools/tool.ts'
import type { OpenSteps } from './open-steps.ts'

/**
 * `choice`: `none` forbids the tools, `required` demands a call of one of them, a name a call of that one.
 * `parallel`: whether one answer may contain several calls.
 */
export interface ClientTools {
  readonly specs: readonly ToolSpec[]
  readonly choice: 'auto' | 'none' | 'required' | { readonly name: string }
  readonly parallel: boolean
}

/** A call that the client has to run. `arguments`: JSON, or the model's text if it is not JSON. */
export interface ClientCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export interface OfferedTools {
  readonly specs: readonly ToolSpec[]
  /** The own tools that the model may call. */
  readonly own: readonly Tool[]
  readonly toolChoice?: 'required'
  /** The names of the client's tools that the model may call. */
  readonly clientNames: readonly string[]
}

/**
 * Adds the tools of the client. Its tools keep their names, so an own tool with the same name is left out. If
 * a call is demanded, only the client's tools are offered.
 */
export const offerTools = (
  ownTools: readonly Tool[],
  unlisted: readonly Tool[],
  client: ClientTools | undefined,
): OfferedTools => {
  const choice = client?.choice ?? 'none'
  if (!client || choice === 'none')
    return { specs: ownTools.map(({ spec }) => spec), own: [...ownTools, ...unlisted], clientNames: [] }
  const offeredSpecs =
    typeof choice === 'string' ? client.specs : client.specs.filter(({ name }) => name === choice.name)
  const clientNames = offeredSpecs.map(({ name }) => name)
  if (choice !== 'auto') return { specs: offeredSpecs, own: [], toolChoice: 'required', clientNames }
  const isFree = ({ spec }: Tool) => findName(spec.name, clientNames) === undefined
  const freeTools = ownTools.filter(isFree)
  return {
    specs: [...freeTools.map(({ spec }) => spec), ...offeredSpecs],
    own: [...freeTools, ...unlisted.filter(isFree)],
    clientNames,
  }
}

/** Prepares the calls of the client's tools in an answer. */
export const createCallCheck = (
  tools: ClientTools | undefined,
  addResult: (call: Call, output: unknown) => void,
) => {
  let hasReturned = false
  return {
    /** Returns the answer with the exact names of the client's tools, and without calls beyond the first. */
    fit: (answer: Answer, { clientNames }: OfferedTools): Answer => {
      let clientCallCount = 0
      return {
        ...answer,
        calls: answer.calls.flatMap((call) => {
          const clientCall = toClientCall(call, clientNames)
          if (clientCall) clientCallCount++
          return clientCall && clientCallCount > 1 && !tools?.parallel ? [] : (clientCall ?? call)
        }),
      }
    },
    /**
     * Returns calls to the model if the user has to agree to their input first, and, once per request, calls
     * that do not match their schema.
     */
    check: (
      { calls }: Answer,
      { specs, clientNames }: OfferedTools,
      needsAgreement: (input: unknown) => boolean,
    ): void => {
      const clientCalls = calls.filter(({ name }) => clientNames.includes(name))
      const agreements = clientCalls.map((call) => (needsAgreement(call.input) ? askFirst : null))
      const inputErrors = hasReturned ? [] : clientCalls.map((call) => findInputError(call, specs))
      hasReturned ||= inputErrors.some((error) => error !== null)
      const errors = clientCalls.map((_, n) => agreements[n] ?? inputErrors[n] ?? null)
      if (errors.every((error) => error === null)) return
      for (const [n, call] of clientCalls.entries()) addResult(call, { error: errors[n] ?? notSent })
    },
  }
}

const askFirst =
  'This was not sent: it contains something from the memory, and text of others is in the talk. Tell the user what exactly would be sent, and ask. Call it again after they agree.'
const notSent = 'This was not sent, because another call beside it was wrong. Call it again.'

/**
 * Returns the calls of the last step that the client has to run, and remembers the steps until it returns
 * their results.
 */
export const handOver = (
  steps: readonly TurnStep[],
  { clientNames }: OfferedTools,
  { openSteps, newId }: { readonly openSteps: OpenSteps; readonly newId: () => string },
): readonly ClientCall[] => {
  const last = steps.at(-1)
  const openCalls = last ? listOpenCalls(last).filter(({ name }) => clientNames.includes(name)) : []
  if (openCalls.length === 0) return []
  const ids = new Map(openCalls.map(({ id }) => [id, `call_${newId()}${newId()}`]))
  openSteps.keep({ steps, calls: ids })
  return openCalls.map(({ id, name, input }) => ({
    id: ids.get(id) ?? id,
    name,
    arguments: toArguments(input),
  }))
}

/** Returns the calls of a step that have no result. */
export const listOpenCalls = ({ answer, results }: TurnStep): readonly Call[] =>
  answer.calls.filter(({ id }) => !results.some(({ call }) => call === id))

/** Returns the call with the exact name of the client's tool, or null if it calls none. */
const toClientCall = (call: Call, clientNames: readonly string[]): Call | null => {
  const name = findName(call.name, clientNames)
  return name === undefined ? null : { ...call, name, input: parseInput(call.input) }
}

/** Returns what is wrong with the input of a call, in one sentence for the model, or null. */
const findInputError = ({ name, input }: Call, specs: readonly ToolSpec[]): string | null => {
  const schema = specs.find((spec) => spec.name === name)?.parameters ?? {}
  try {
    const { error } = z.fromJSONSchema(schema).safeParse(input)
    return error ? describeInputError(error, schema, input) : null
  } catch {
    // zod does not know every schema. The client checks its input itself.
    return null
  }
}

const toArguments = (input: unknown): string =>
  typeof input === 'string' ? input : JSON.stringify(input ?? {})
