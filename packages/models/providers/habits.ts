/**
 * Repairs answers of servers that deviate from OpenAI's protocol, chunk by chunk, so that a complete answer
 * is neither lost nor requested again.
 */
import { type Fields, isObject } from '../../kit/is-object.ts'
import type { Fetch } from '../../kit/network/network.ts'
import { errorIn } from './error-in-answer.ts'
import { dataIn, type Mender, parse, toEvent, withMended } from './mended-answers.ts'

/** The habits of one model at one address. */
export const withHabits = (fetch: Fetch): Fetch => {
  // A server that sent an end mark once is expected to always send it.
  const habits: Habits = { marksEnds: false }
  return withMended(fetch, { createStream: () => createMender(habits), whole: mend })
}

interface Habits {
  marksEnds: boolean
}

interface Call {
  readonly index: number
  readonly id: string | null
  arguments: string
}

const createMender = (habits: Habits): Mender => {
  const calls: Call[] = []
  let hasContent = false
  let isFinished = false
  let hasReasonField = false

  const findCall = ({ index, id, function: callFunction }: Fields): Call => {
    const name = isObject(callFunction) ? callFunction.name : undefined
    const existingCall =
      typeof index === 'number'
        ? calls.find((call) => call.index === index)
        : typeof id === 'string' && id !== ''
          ? calls.find((call) => call.id === id)
          : name
            ? undefined
            : calls.at(-1)
    if (existingCall) return existingCall
    const callIndex = typeof index === 'number' ? index : calls.length
    const call = {
      index: callIndex,
      id: typeof id === 'string' && id !== '' ? id : `call_${callIndex}`,
      arguments: '',
    }
    calls.push(call)
    return call
  }
  const mendCall = (call: Fields): Fields => {
    const existingCall = findCall(call)
    const callFunction = withText(isObject(call.function) ? call.function : {})
    const isFirst = existingCall.arguments === '' && Boolean(callFunction.name)
    existingCall.arguments += String(callFunction.arguments ?? '')
    return {
      ...call,
      index: existingCall.index,
      ...(isFirst && { id: existingCall.id }),
      function: callFunction,
    }
  }
  const mendChoice = (choice: Fields): Fields => {
    const reason = typeof choice.finish_reason === 'string' ? choice.finish_reason || null : null
    if (reason !== null) {
      isFinished = true
      habits.marksEnds = true
    }
    if ('finish_reason' in choice) hasReasonField = true
    const { delta: rawDelta, message } = choice
    // Some servers send the whole message as their only event.
    const wholeMessage = isObject(message) && !hasContent && calls.length === 0 ? message : {}
    const delta = withRefusal(isObject(rawDelta) ? rawDelta : wholeMessage)
    if (delta.content) hasContent = true
    const toolCalls = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isObject).map(mendCall) : []
    const { tool_calls: _, role: __, ...plain } = delta
    const mendedDelta = toolCalls.length > 0 ? { ...plain, tool_calls: toolCalls } : plain
    return { ...choice, finish_reason: reason, delta: mendedDelta }
  }
  const chunk = (rawChunk: Fields): Fields => {
    const error = errorIn(rawChunk)
    if (error !== undefined) {
      isFinished = true
      return { error: typeof error === 'string' ? { message: error } : error }
    }
    const { error: _, ...plain } = rawChunk
    const choices = Array.isArray(rawChunk.choices) ? rawChunk.choices.filter(isObject) : []
    return { ...plain, choices: choices.map(mendChoice) }
  }
  /** Adds a missing finish reason, unless an incomplete call shows that the answer is incomplete. */
  const finish = (): string => {
    const isWhole = calls.every((call) => parse(call.arguments || '{}') !== undefined)
    if (isFinished || !isWhole || !(hasContent || calls.length > 0)) return ''
    isFinished = true
    return toEvent({
      choices: [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    })
  }
  const line = (text: string): string => {
    const data = dataIn(text)
    if (data === null) return text
    if (data.trim() === '[DONE]') {
      habits.marksEnds = true
      return `${finish()}${text}`
    }
    const rawChunk = parse(data)
    if (isObject(rawChunk)) return `data: ${JSON.stringify(chunk(rawChunk))}`
    // A keep-alive in place of a chunk.
    return data.startsWith('{') ? text : ':'
  }
  /**
   * Without an end mark, the answer is complete if the server sends finish reasons and one has arrived, or
   * sends none and the transfer ended properly. From a server that sends end marks, it was cut off.
   */
  const end = (isFramed: boolean): string =>
    !hasReasonField || (isFramed && !habits.marksEnds) ? finish() : ''
  return { line, end }
}

const withText = (callFunction: Fields): Fields =>
  isObject(callFunction.arguments)
    ? { ...callFunction, arguments: JSON.stringify(callFunction.arguments) }
    : callFunction

/** Uses a refusal, which has a field of its own, as the text. */
const withRefusal = (message: Fields): Fields =>
  typeof message.refusal === 'string' && message.refusal !== '' && !message.content
    ? { ...message, content: message.refusal }
    : message

/** Only uses refusals as the text. For a library that ignores them. */
export const withRefusalText = (fetch: Fetch): Fetch => {
  const mendWhole = (json: string): string =>
    hasRefusal.test(json) ? mendMessages(json, 'message', withRefusal) : json
  const line = (text: string): string => {
    const data = hasRefusal.test(text) ? dataIn(text) : null
    return data === null ? text : `data: ${mendMessages(data, 'delta', withRefusal)}`
  }
  return withMended(fetch, { createStream: () => ({ line, end: () => '' }), whole: mendWhole })
}
const hasRefusal = /"refusal"\s*:\s*"/

/** Converts call arguments from objects to text, and uses a refusal as the text, in a complete answer. */
const mend = (json: string): string =>
  hasRefusal.test(json) || /"arguments"\s*:\s*\{/.test(json)
    ? mendMessages(json, 'message', (message) => withRefusal(withTextArguments(message)))
    : json

const withTextArguments = (message: Fields): Fields =>
  Array.isArray(message.tool_calls)
    ? {
        ...message,
        tool_calls: message.tool_calls
          .filter(isObject)
          .map((call) => ({ ...call, function: withText(isObject(call.function) ? call.function : {}) })),
      }
    : message

/** Replaces the messages of an answer. Returns other JSON unchanged. */
const mendMessages = (
  json: string,
  field: 'message' | 'delta',
  mendMessage: (message: Fields) => Fields,
): string => {
  const answer = parse(json)
  if (!isObject(answer) || !Array.isArray(answer.choices)) return json
  const choices = answer.choices
    .filter(isObject)
    .map((choice) => ({ ...choice, [field]: mendMessage(isObject(choice[field]) ? choice[field] : {}) }))
  return JSON.stringify({ ...answer, choices })
}
