/** Tests whether a model can do what a persona needs: talk, call a tool, answer in JSON. */
import { isObject } from '../kit/is-object.ts'
import { type Fault, type Mind, MindError, type Part, type Prompt } from './mind.ts'

/** Null: not tested, because an earlier step failed. */
export interface Proof {
  readonly talks: boolean
  readonly usesTools: boolean | null
  readonly answersJson: boolean | null
  /** Generated tokens per second, null if unknown. */
  readonly tokensPerSecond: number | null
  /** Why the first failed step failed: one sentence, null if all succeeded. */
  readonly reason: string | null
  /** The cause of the reason, if it is known. */
  readonly fault?: Fault
}

/** Rejects only with the signal's reason. `now`: a monotonic clock in ms. */
export const proveMind = async (
  mind: Mind,
  signal: AbortSignal,
  now: () => number = () => performance.now(),
): Promise<Proof> => {
  const talk = await ask(mind, talkPrompt, signal, now)
  const talks = talk.words.trim() !== ''
  const { tokensPerSecond } = talk
  if (!talks) {
    const reason = talk.error ?? 'The model answered without a word.'
    return {
      talks,
      usesTools: null,
      answersJson: null,
      tokensPerSecond,
      reason,
      ...optionalFault(talk.fault),
    }
  }
  const call = await ask(mind, toolPrompt, signal, now)
  const usesTools = call.calls.some(
    ({ name, input }) => name === 'note' && isObject(input) && typeof input.word === 'string',
  )
  const json = await ask(mind, jsonPrompt, signal, now)
  const answersJson = isAnswer(json.words)
  const reasons = [
    ...(usesTools ? [] : [call.error ?? 'The model did not use the tool that it was told to use.']),
    ...(answersJson ? [] : [json.error ?? 'The model did not answer in the requested JSON form.']),
  ]
  const fault = (usesTools ? null : call.fault) ?? (answersJson ? null : json.fault)
  return {
    talks,
    usesTools,
    answersJson,
    tokensPerSecond,
    reason: reasons[0] ?? null,
    ...optionalFault(fault),
  }
}

const optionalFault = (fault: Fault | null) => (fault === null ? {} : { fault })

const tool = {
  name: 'note',
  description: 'Writes a word down, so that it can be read later.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string' } },
    required: ['word'],
    additionalProperties: false,
  },
}

const toPrompt = (words: string, overrides: Partial<Prompt> = {}): Prompt => ({
  system: 'You are a helpful assistant. You do exactly what the user asks for.',
  messages: [{ role: 'user', content: words }],
  tools: [],
  data: () => ({ kind: 'question', words }),
  ...overrides,
})

const talkPrompt = toPrompt('Name the seven days of the week.')
const toolPrompt = toPrompt('Use the tool "note" to write down the word "apple".', { tools: [tool] })
const jsonPrompt = toPrompt('Answer as a JSON object with the field "colour": the colour of the sky.', {
  form: {
    name: 'answer',
    schema: {
      type: 'object',
      properties: { colour: { type: 'string' } },
      required: ['colour'],
      additionalProperties: false,
    },
  },
})

interface Answer {
  readonly words: string
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
  readonly tokensPerSecond: number | null
  readonly error: string | null
  readonly fault: Fault | null
}

const ask = async (mind: Mind, prompt: Prompt, signal: AbortSignal, now: () => number): Promise<Answer> => {
  let words = ''
  const calls: Extract<Part, { readonly type: 'call' }>['call'][] = []
  let firstAt: number | undefined
  let output: number | null = null
  let error: string | null = null
  let fault: Fault | null = null
  try {
    for await (const part of mind.think(prompt, signal)) {
      if (part.type === 'again') words = ''
      if (part.type === 'words') {
        words += part.text
        firstAt ??= now()
      }
      if (part.type === 'call') calls.push(part.call)
      if (part.type === 'end') output = part.usage.output
    }
  } catch (cause) {
    signal.throwIfAborted()
    error = cause instanceof MindError ? cause.message : 'The model failed for an unknown reason.'
    fault = cause instanceof MindError ? cause.fault : null
  }
  const seconds = firstAt === undefined ? 0 : (now() - firstAt) / 1000
  // The first token comes before the measured time.
  const isMeasurable = output !== null && output > 1 && seconds > 0
  return { words, calls, tokensPerSecond: isMeasurable ? ((output ?? 1) - 1) / seconds : null, error, fault }
}

/** Accepts text around the object, as the consolidation does. */
const isAnswer = (words: string): boolean => {
  try {
    const value: unknown = JSON.parse(words.slice(words.indexOf('{'), words.lastIndexOf('}') + 1))
    return isObject(value) && typeof value.colour === 'string'
  } catch {
    return false
  }
}
