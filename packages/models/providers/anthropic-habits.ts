/**
 * Reduces answers of Anthropic's protocol to text, thinking and calls of the persona's tools. Unknown blocks,
 * deltas and events are dropped instead of ending the answer, as Anthropic asks of its clients
 * (docs.claude.com, "Streaming messages": unknown events must be handled gracefully).
 */
import { type Fields, isObject } from '../../kit/is-object.ts'
import type { Fetch } from '../../kit/network/network.ts'
import { errorIn } from './error-in-answer.ts'
import { dataIn, type Mender, parse, toEvent, withMended } from './mended-answers.ts'

export const withAnthropicHabits = (fetch: Fetch): Fetch =>
  withMended(fetch, { createStream: createMender, whole: mend })

/** Returns a block in the library's format, or undefined if a talk does not need it. */
const mendBlock = (block: unknown): Fields | undefined => {
  if (!isObject(block)) return undefined
  const { type, id, name, input, data, thinking, signature } = block
  switch (type) {
    case 'text':
      return { type, text: toText(block.text) }
    case 'thinking':
      return { type, thinking: toText(thinking), signature: toText(signature) }
    case 'redacted_thinking':
      return typeof data === 'string' ? { type, data } : undefined
    case 'tool_use':
      return { type, id: toText(id), name: toText(name), input: isObject(input) ? input : {} }
    default:
      return undefined
  }
}

const deltas: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
}

const mendDelta = (delta: unknown): Fields | undefined => {
  if (!isObject(delta)) return undefined
  const type = String(delta.type)
  const field = deltas[type]
  return field === undefined ? undefined : { type, [field]: toText(delta[field]) }
}

const counts = ['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']

/** Sets missing token counts to 0, because the library requires them. */
const mendUsage = (usage: unknown, ...requiredCounts: readonly string[]): Fields => {
  const usageFields = isObject(usage) ? usage : {}
  const knownCounts = counts.filter((name) => typeof usageFields[name] === 'number')
  return Object.fromEntries(
    [...new Set([...knownCounts, ...requiredCounts])].map((name) => [
      name,
      knownCounts.includes(name) ? usageFields[name] : 0,
    ]),
  )
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

const createMender = (): Mender => {
  const ignoredBlocks = new Set<unknown>()
  let hasBegun = false
  let reason: unknown = null
  let hasContent = false
  let hasCalls = false
  let hasEnded = false

  const startBlock = (event: Fields): Fields | undefined => {
    const content_block = mendBlock(event.content_block)
    if (!content_block) {
      ignoredBlocks.add(event.index)
      return undefined
    }
    ignoredBlocks.delete(event.index)
    hasContent ||= content_block.type === 'text'
    hasCalls ||= content_block.type === 'tool_use'
    return { type: event.type, index: event.index, content_block }
  }
  const finish = (): Fields => {
    reason ??= hasCalls ? 'tool_use' : 'end_turn'
    return {
      type: 'message_delta',
      delta: { stop_reason: reason },
      usage: mendUsage(undefined, 'output_tokens'),
    }
  }
  /** Returns the event in the library's format, or undefined to drop it. */
  const mendEvent = (event: Fields): Fields | undefined => {
    const { type, index } = event
    switch (type) {
      case 'message_start': {
        hasBegun = true
        const { id, model, usage } = isObject(event.message) ? event.message : {}
        return { type, message: { id, model, role: 'assistant', usage: mendUsage(usage, 'input_tokens') } }
      }
      case 'content_block_start':
        return startBlock(event)
      case 'content_block_delta': {
        const delta = ignoredBlocks.has(index) ? undefined : mendDelta(event.delta)
        return delta && { type, index, delta }
      }
      case 'content_block_stop':
        return ignoredBlocks.has(index) ? undefined : { type, index }
      case 'message_delta': {
        const { stop_reason, stop_details } = isObject(event.delta) ? event.delta : {}
        reason = stop_reason ?? reason
        return {
          type,
          delta: { stop_reason: reason, ...mendDetails(stop_details) },
          usage: mendUsage(event.usage, 'output_tokens'),
        }
      }
      case 'message_stop':
        hasEnded = true
        return { type }
      default:
        return undefined
    }
  }
  const line = (text: string): string => {
    const data = dataIn(text)
    if (data === null || data.trim() === '[DONE]') return text
    const event = parse(data)
    if (!isObject(event)) return data.startsWith('{') ? text : ':'
    const error = errorIn(event)
    if (error !== undefined) {
      hasEnded = true
      return text
    }
    // Some gateways omit the stop reason.
    const lacksReason = event.type === 'message_stop' && reason === null && (hasContent || hasCalls)
    const mendedEvent = mendEvent(event)
    if (!mendedEvent) return ':'
    return `${lacksReason ? `${toEvent(finish()).trim()}\n\n` : ''}data: ${JSON.stringify(mendedEvent)}`
  }
  /** An answer with a stop reason is complete, even if its last event is missing. */
  const end = (): string => {
    if (!hasBegun || hasEnded || reason === null) return ''
    hasEnded = true
    return toEvent({ type: 'message_stop' })
  }
  return { line, end }
}

const mend = (json: string): string => {
  const answer = parse(json)
  if (!isObject(answer) || !Array.isArray(answer.content)) return json
  const { id, model, stop_reason, stop_details, content, usage } = answer
  return JSON.stringify({
    type: 'message',
    id,
    model,
    role: 'assistant',
    stop_reason,
    ...mendDetails(stop_details),
    content: content.flatMap((block) => mendBlock(block) ?? []),
    usage: mendUsage(usage, 'input_tokens', 'output_tokens'),
  })
}

/** Keeps the explanation of a refusal. */
const mendDetails = (details: unknown): Fields => {
  if (!isObject(details) || typeof details.type !== 'string') return {}
  const { type, category, explanation } = details
  return {
    stop_details: {
      type,
      ...(typeof category === 'string' && { category }),
      ...(typeof explanation === 'string' && { explanation }),
    },
  }
}
