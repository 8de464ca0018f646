/** Prepares a local model for an organ: pulls it if it is missing, and for a chat generates one word. */

import type { Network } from '../../kit/network/network.ts'
import { firstPrompt } from '../first-prompt.ts'
import type { Progress } from '../models.ts'
import type { Descriptions } from './descriptions.ts'
import { type LocalSettings, toLoadFields } from './local-settings.ts'
import { hasModel, unlessAbsent } from './model-list.ts'
import { refusesTools, toTool } from './ollama-mind.ts'
import { isStatus, type Runtime, RuntimeError } from './runtime.ts'

export interface Preparing {
  readonly runtime: Runtime
  readonly network: Network
  readonly descriptions: Pick<Descriptions, 'describe' | 'takesNoTools'>
  readonly settings: LocalSettings
  readonly model: string
  readonly progress: (p: Progress) => void
  readonly signal: AbortSignal | undefined
}

const report = (
  { model, progress }: Preparing,
  status: string,
  completedBytes: number | null = null,
  total: number | null = null,
) => progress({ model, status, completed: completedBytes, total })

export const prepareChat = async (preparation: Preparing): Promise<void> => {
  const { runtime, network, model, signal } = preparation
  const presence = await hasModel(runtime, network, model, signal)
  const pullError = presence === false ? await pull(preparation) : undefined
  report(preparation, 'waking the model')
  try {
    await oneWord(preparation)
  } catch (error) {
    // The runtime does not report its models, but the chat has reported that this one is missing.
    if (presence !== 'unknown' || !isStatus(error, 404)) throw pullError ?? error
    if (await pull(preparation)) throw (await isOllama(preparation)) ? error : stranger(runtime)
    await oneWord(preparation)
  }
}

/**
 * For models that listen, speak or draw. They may be served by other software than Ollama, so a server
 * without Ollama's routes is not checked further.
 */
export const prepareBeside = async (preparation: Preparing): Promise<void> => {
  const { runtime, network, model, signal } = preparation
  if (!(await isOllama(preparation)) || (await hasModel(runtime, network, model, signal)) !== false) return
  const pullError = await pull(preparation)
  if (pullError) throw pullError
}

const isOllama = async ({ runtime, network, signal }: Preparing): Promise<boolean> => {
  const lines = await unlessAbsent(
    runtime.all({ method: 'GET', path: '/api/version', fetch: network.local, signal }),
  )
  return lines?.some((line) => typeof line.version === 'string') ?? false
}

const stranger = ({ at }: Runtime) =>
  new RuntimeError(
    'refused',
    `The server at ${at} does not speak Ollama's protocol. If it speaks OpenAI's, choose the provider openai with this address; else check the address, or start Ollama there with \`ollama serve\`.`,
    null,
    { fault: 'address_wrong' },
  )

/**
 * Returns the error if the runtime refuses, because a model that cannot be pulled may still be able to chat.
 */
const pull = async (preparation: Preparing): Promise<RuntimeError | undefined> => {
  const { runtime, network, model, signal } = preparation
  const layers = new Map<unknown, { completed: number; total: number }>()
  const sum = (field: 'completed' | 'total') =>
    [...layers.values()].reduce((all, layer) => all + layer[field], 0)
  report(preparation, 'pulling')
  try {
    for await (const line of runtime.lines({
      path: '/api/pull',
      body: { model, stream: true },
      fetch: network.download,
      signal,
    })) {
      if (typeof line.total === 'number')
        layers.set(line.digest, { total: line.total, completed: Number(line.completed ?? 0) })
      report(
        preparation,
        String(line.status ?? 'pulling'),
        ...(layers.size > 0 ? [sum('completed'), sum('total')] : []),
      )
    }
    return undefined
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.status === null) throw error
    const sentence = `The model "${model}" could not be pulled. ${error.message} Check its name, or try \`ollama pull ${model}\`.`
    return new RuntimeError('refused', sentence, error.status, {
      fault: error.fault ?? 'model_unknown',
    })
  }
}

/** Sends a request like a turn: streamed, with a tool and the same context size. */
const oneWord = async (preparation: Preparing): Promise<void> => {
  const { runtime, network, descriptions, settings, model, signal } = preparation
  const { system, messages, tools } = firstPrompt
  const { context } = await descriptions.describe(runtime, model, signal ?? new AbortController().signal)
  const { options, ...load } = toLoadFields(settings, context)
  const body = {
    ...load,
    model,
    messages: [{ role: 'system', content: system }, ...messages],
    stream: true,
    options: { ...options, num_predict: 4 },
  }
  const ask = (options: object) =>
    runtime.all({ path: '/api/chat', body: { ...body, ...options }, fetch: network.local, signal, model })
  const lines = await ask({ tools: tools.map(toTool) }).catch((error: unknown) => {
    if (!refusesTools(error)) throw error
    descriptions.takesNoTools(runtime, model)
    return ask({})
  })
  if (!lines.some((line) => line.message || line.done)) throw stranger(runtime)
}
