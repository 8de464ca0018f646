/**
 * Setup for the tests of Ear, Mouth and Imagination: a real network and stand-ins that are closed after each
 * test.
 */
import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Provider } from '../../facts/fact-values.ts'
import { type CallBounds, createNetwork, type Network } from '../../packages/kit/network/network.ts'
import { MindError, type Shown } from '../../packages/models/mind.ts'
import { createEar } from '../../packages/models/providers/ear.ts'
import { createImagination } from '../../packages/models/providers/imagination.ts'
import { createMouth } from '../../packages/models/providers/mouth.ts'
import type { At } from '../../packages/models/providers/read-address.ts'
import { createGemini } from '../stand-ins/gemini.ts'
import { createOpenAi, type OpenAiOptions } from '../stand-ins/openai.ts'
import type { StandInOptions } from '../stand-ins/provider.ts'

export const key = 'sk-right-key'
const quick: CallBounds = { firstByte: 20_000, silence: 20_000, whole: 20_000, size: 1024 * 1024 }
/** Shared by all test files of this process and never closed, because it keeps no process alive. */
export const network = createNetwork({ env: {}, limits: { local: quick, remote: quick } })

export type Open = { close(): Promise<void> }[]
export const closeAfter = async <T extends { close(): Promise<void> }>(
  open: Open,
  work: Promise<T>,
): Promise<T> => {
  const closable = await work
  open.push(closable)
  return closable
}
export const openAi = (open: Open, options: OpenAiOptions = {}) => closeAfter(open, createOpenAi(options))
export const gemini = (open: Open, options: StandInOptions = {}) => closeAfter(open, createGemini(options))

export const createOrganAsk = (
  url: string,
  model: string,
  provider: Provider | null = 'openai',
  changes: Partial<At> = {},
): At => ({
  provider,
  model,
  url,
  apiKey: key,
  network,
  now: () => 0,
  ...changes,
})

/** Returns a network that maps one address to another. */
export const leading = (source: string, target: string): Network => ({
  ...network,
  local: (input, init) => network.local(String(input).replace(source, target), init),
})

export const clip = (mime: string, bytes: Uint8Array, name = 'voice'): Shown => ({
  name,
  mime,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  bytes: async () => bytes,
})

export const neverAborts = new AbortController().signal
export const hear = (endpoint: At, recording: Shown) => createEar(endpoint).hear(recording, neverAborts)
export const speak = (endpoint: At, text: string) => createMouth(endpoint).speak(text, neverAborts)
export const draw = (endpoint: At, wish = 'a bridge in fog') =>
  createImagination(endpoint).draw(wish, neverAborts)

/** Returns the MindError that `work` rejects with. Its message must not contain the key. */
export const trouble = async (work: Promise<unknown>): Promise<MindError> => {
  try {
    await work
  } catch (error) {
    assert.instance(error, MindError)
    assert.not.ok((error as MindError).message.includes(key), 'the error message contains the key')
    return error as MindError
  }
  return assert.unreachable('it did not fail') as never
}

export const tokens = { input: null, output: null, cached: null, made: null }
