/**
 * Opaque data of chat completions: fields of the assistant's message and of its tool calls, returned under
 * their original names. Sources: api-docs.deepseek.com (thinking mode, tool calls), platform.moonshot.ai
 * (thinking models), openrouter.ai/docs (preserving reasoning), ai.google.dev (thought signatures, OpenAI
 * compatibility).
 */
import { type Fields, isObject } from '../../kit/is-object.ts'
import type { AssistantMessage, OpaqueForm } from './opaque.ts'

const texts = ['reasoning_content', 'reasoning'] as const
const details = 'reasoning_details'
const extraField = 'extra_content'

export const opaqueFields: OpaqueForm = {
  way: 'chat',
  readsRaw: true,

  collect: () => {
    const message: Record<string, unknown> = {}
    const extras = new Map<unknown, unknown>()
    const ids = new Map<unknown, unknown>()
    const callIds: string[] = []

    const readMessage = (delta: Fields) => {
      for (const name of texts)
        if (typeof delta[name] === 'string') message[name] = `${message[name] ?? ''}${delta[name]}`
      if (Array.isArray(delta[details]))
        message[details] = delta[details].filter(isObject).reduce(withDetail, listIn(message[details]))
      if (isObject(delta[extraField])) message[extraField] = delta[extraField]
      const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isObject) : []
      for (const [callIndex, call] of calls.entries()) {
        const index = call.index ?? callIndex
        if (call.id) ids.set(index, call.id)
        if (isObject(call[extraField])) extras.set(ids.get(index), call[extraField])
      }
    }
    const readChoice = (body: unknown, field: 'delta' | 'message') => {
      const [choice]: readonly unknown[] = isObject(body) && Array.isArray(body.choices) ? body.choices : []
      if (isObject(choice) && isObject(choice[field])) readMessage(choice[field])
    }
    return {
      part: (part) => {
        if (part.type === 'raw') readChoice(part.rawValue, 'delta')
        if (part.type === 'tool-call') callIds.push(part.toolCallId)
      },
      whole: ({ content, response }) => {
        readChoice(response?.body, 'message')
        for (const part of content) if (part.type === 'tool-call') callIds.push(part.toolCallId)
      },
      data: () =>
        Object.keys(message).length > 0 || extras.size > 0
          ? { message, calls: callIds.map((id) => extras.get(id) ?? null) }
          : undefined,
    }
  },

  attach: (message, data) => {
    if (!isObject(data) || !isObject(data.message)) return message
    const extras: readonly unknown[] = Array.isArray(data.calls) ? data.calls : []
    let call = 0
    const content = message.content.map((part) => {
      if (part.type !== 'tool-call') return part
      const extraContent = extras[call++]
      return extraContent
        ? { ...part, providerOptions: { openaiCompatible: { [extraField]: extraContent } as never } }
        : part
    })
    const fields = data.message as NonNullable<AssistantMessage['providerOptions']>[string]
    return { ...message, content, providerOptions: { ...message.providerOptions, openaiCompatible: fields } }
  },
}

const listIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : [])

/** Appends text of the same detail. An encrypted detail arrives in one piece. */
const withDetail = (list: readonly Fields[], detail: Fields): readonly Fields[] => {
  const last = list.at(-1)
  const continues =
    last !== undefined &&
    last.type === detail.type &&
    last.index === detail.index &&
    detail.type !== 'reasoning.encrypted'
  if (!continues) return [...list, detail]
  const joinedTexts = Object.fromEntries(
    Object.entries(detail).flatMap(([name, value]) => {
      if (value === null || value === undefined) return []
      const isText = (name === 'text' || name === 'summary') && typeof value === 'string'
      return [[name, isText ? `${last[name] ?? ''}${value}` : value]]
    }),
  )
  return [...list.slice(0, -1), { ...last, ...joinedTexts }]
}
