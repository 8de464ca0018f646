/** Shows the whole request and answer of a model call, without secrets. */
import * as z from 'zod'
import { Provider, Slot, Usage } from '../../../facts/fact-values.ts'
import type { Entry } from '../../../facts/persona-journal.ts'
import { redactValue, withoutWords } from '../../../packages/kit/redact.ts'
import type { Message } from '../../../packages/models/mind.ts'
import { shownUsd } from '../../../projections/usage.ts'
import { type OpenedCall, openedCalls } from '../../agents/call-bodies.ts'
import type { SentCall } from '../../agents/sent-calls.ts'
import type { Reading } from '../../persona/persona-store.ts'
import type { RouteDeps } from '../route.ts'

const values = z.record(z.string(), z.unknown())

export const CallBody = z
  .object({
    id: z.int().describe('Position of the answer in the journal.'),
    step: z.int().nullable(),
    cause: z.string(),
    organ: Slot,
    provider: Provider.nullable(),
    model: z.string(),
    sent: z
      .object({
        system: z.string(),
        messages: z.array(values).readonly(),
        tools: z.array(values).readonly().nullable().describe('Null if they are no longer stored.'),
      })
      .nullable()
      .describe('Null for calls of organs without tools: `parts` has their text, and their file is a fact.'),
    parts: z
      .array(
        z.object({
          from: z
            .int()
            .nullable()
            .describe('The fact that contains the text. Null for the daemon’s own text.'),
          sha256: z.string().nullable(),
          text: z.string().nullable(),
          gone: z.boolean().describe('No longer stored, or lost.'),
        }),
      )
      .readonly()
      .nullable()
      .describe('The parts that the call was made of, in order. Null if they were not stored.'),
    verified: z
      .boolean()
      .describe('The restored call has the hash of the original, so it is exactly the one that was sent.'),
    answer: z
      .object({ text: z.string(), calls: z.array(values).readonly() })
      .nullable()
      .describe('Null if another fact contains it.'),
    usage: Usage,
    ms: z.int(),
    tries: z.int(),
    usd: z.number().nullable(),
    dated: z.string().nullable(),
  })
  .meta({ id: 'CallBody' })

type CallBody = z.input<typeof CallBody>

/** Rejects with the reason of the signal. */
export const readCallBodies = async (
  id: string,
  reading: Reading,
  facts: readonly Entry[],
  deps: Pick<RouteDeps, 'personas' | 'models' | 'clock'>,
  signal: AbortSignal,
): Promise<readonly CallBody[]> => {
  const { personas, models, clock } = deps
  const secrets = await readSecrets(id, reading, deps)
  const bodies: CallBody[] = []
  // Only texts are replaced, so the type stays the same.
  for await (const call of openedCalls(id, reading, facts, { personas, models, zone: clock.zone }, signal))
    bodies.push(withoutWords(toBody(call), secrets) as CallBody)
  return bodies
}

const readSecrets = async (
  id: string,
  { persona: { self } }: Reading,
  { personas }: Pick<RouteDeps, 'personas'>,
): Promise<readonly string[]> => {
  const refs = [
    ...Object.values(self.organs).flatMap(({ key }) => key ?? []),
    ...self.channels.map(({ token }) => token),
  ]
  const secrets = await Promise.all(refs.map((ref) => personas.secret(id, ref)))
  return secrets.flatMap((secret) => secret || [])
}

const toBody = ({ entry, event, sent, answer }: OpenedCall): CallBody => {
  const { step, cause, organ, provider, model, usage, ms, calls: tries, price } = event
  return {
    id: entry.seq,
    step,
    cause,
    organ,
    provider,
    model,
    sent: sent && toPrompt(sent),
    parts:
      sent?.parts.map(({ from, sha256, text, gone }) => ({
        from,
        sha256,
        text: from === null ? text : maskJson(text),
        gone,
      })) ?? null,
    verified: sent?.verified ?? false,
    answer: answer && { text: answer.text, calls: answer.calls.map(maskedFields) },
    usage,
    ms,
    tries,
    usd: price && shownUsd(price.usd),
    dated: price?.dated ?? null,
  }
}

const toPrompt = ({ prompt, parts }: SentCall): CallBody['sent'] =>
  prompt && {
    system: prompt.system,
    messages: prompt.messages.map(toMessage),
    tools:
      prompt.tools.length > 0 || parts.every(({ gone }) => !gone)
        ? prompt.tools.map((tool) => ({ ...tool }))
        : null,
  }

/** Files are listed by name, without their content. */
const toMessage = (message: Message): Record<string, unknown> => {
  if (message.role === 'assistant') return { ...message, calls: message.calls.map(maskedFields) }
  if (message.role === 'tool') return { ...message, content: maskJson(message.content) }
  const { files = [], ...words } = message
  const shownFiles = files.map(({ name, mime, sha256 }) => ({ name, mime, sha256 }))
  return shownFiles.length > 0 ? { ...words, files: shownFiles } : words
}

const maskedFields = (call: object): Record<string, unknown> => ({
  ...call,
  ...(redactValue(call) as object),
})

/** Masks the secrets in JSON that a tool returned. */
const maskJson = <T extends string | null>(text: T): T => {
  if (!text || !/^[{[]/.test(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    const maskedValue = redactValue(value)
    return JSON.stringify(maskedValue) === JSON.stringify(value) ? text : (JSON.stringify(maskedValue) as T)
  } catch {
    return text
  }
}
