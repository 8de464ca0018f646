/** Entry of the process that runs one model with node-llama-cpp. */
import { pathless } from '../kit/files/pathless.ts'
import { createCoreMeter } from './core-meter.ts'
import {
  type Chat,
  type ChatResponse,
  type ChatWrapper,
  type Llama,
  type LlamaLibrary,
  type LlamaModel,
  loadLlamaLibrary,
  type ResponseChunk,
  type Sequence,
} from './llama-library.ts'
import type { LoadedGpu } from './local-runtime.ts'
import { type HistoryItem, ModelOrder, type ModelReport } from './model-protocol.ts'

type Ask<Kind extends ModelOrder['type']> = Extract<ModelOrder, { readonly type: Kind }>

/** More rarely help. */
const maxThreads = 8
/** How often the number of threads is adapted. */
const meterMs = 1000
/** Max personas with a cached prompt. Each needs memory for one context. */
const maxSlots = 4
/** Smaller batches end an aborted prompt sooner. Graphics processors need larger ones. */
const batchTokens = { cpu: 128, gpu: 512 }
/** The end of a prompt is evaluated with the answer, because models may begin answers differently. */
const tailTokens = 16
/** A smaller context cannot hold the prompt of a persona. */
const minContextTokens = 2048
const maxAnswerTokens = 4096
/** Free tokens that an answer needs. */
const minAnswerTokens = 64

/** Recommended for Qwen without thinking. Answers in JSON use the most likely tokens. */
const sampling = { temperature: 0.7, topP: 0.8, topK: 20 }

/** A context with the cached prompt of one key. */
interface Slot {
  key: string
  readonly chat: Chat
  readonly sequence: Sequence
  /** Resolves when the requests so far have ended. */
  done: Promise<void>
  pending: number
  lastUse: number
}

interface Loaded extends Opened {
  readonly gpu: LoadedGpu | null
}

interface Opened {
  readonly contextTokens: number
  chat(order: Ask<'chat'>, signal: AbortSignal): Promise<void>
  embed(order: Ask<'embed'>, signal: AbortSignal): Promise<void>
}

const report = (message: ModelReport): void => void process.send?.(message, () => {})
const memoryBytes = () => process.memoryUsage.rss()

const aborts = new Map<number, AbortController>()
let loading: Promise<Loaded> | undefined

const handle = async (order: ModelOrder): Promise<void> => {
  if (order.type === 'abort') return aborts.get(order.id)?.abort()
  if (order.type === 'open') {
    loading = load(order)
    try {
      const { contextTokens, gpu } = await loading
      report({ type: 'opened', contextTokens, gpu, memoryBytes: memoryBytes() })
    } catch (error) {
      report({ type: 'unopened', ...toLoadError(error) })
    }
    return
  }
  const { id } = order
  const abort = new AbortController()
  aborts.set(id, abort)
  try {
    const readyModel = await loading
    if (order.type === 'chat') await readyModel?.chat(order, abort.signal)
    else await readyModel?.embed(order, abort.signal)
  } catch (error) {
    const refusal = error instanceof Refusal
    const message = refusal ? error.message : `The local model could not answer: ${toSentence(error)}`
    report({
      type: 'failed',
      id,
      kind: refusal ? 'refused' : 'unreachable',
      message,
      memoryBytes: memoryBytes(),
    })
  } finally {
    aborts.delete(id)
  }
}

const load = async ({
  runtime,
  gpu,
  model: modelPath,
  purpose,
  contextTokens,
}: Ask<'open'>): Promise<Loaded> => {
  const library = await loadLlamaLibrary(runtime)
  const wantedGpu = process.platform === 'darwin' ? 'auto' : gpu === 'none' ? false : gpu
  const open = (use: typeof wantedGpu) =>
    library.getLlama({
      gpu: use,
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: 'error',
      maxThreads,
    })
  // Without a driver for the graphics card, the processor computes.
  const llama = await open(wantedGpu).catch(() => open(false))
  const threads = Math.min(maxThreads, llama.cpuMathCores)
  const meter = createCoreMeter(threads)
  const adaptThreads = () => {
    // The library may wait forever if the number falls while two contexts compute.
    if (aborts.size === 1) llama.maxThreads = meter.threads()
  }
  setInterval(adaptThreads, meterMs)
  const model = await llama.loadModel({ modelPath })
  const batchSize = llama.gpu ? batchTokens.gpu : batchTokens.cpu
  const at = { library, llama, model, threads, batchSize, adaptThreads }
  const most = Math.min(contextTokens, model.trainContextSize)
  const openedModel = await (purpose === 'chat' ? openChats(at, most) : openEmbeddings(at, most))
  return { ...openedModel, gpu: llama.gpu || null }
}

interface At {
  readonly library: LlamaLibrary
  readonly llama: Llama
  readonly model: LlamaModel
  readonly threads: number
  readonly batchSize: number
  /** Sets the number of threads to the cores that are free now. */
  adaptThreads(): void
}

// --- chat

const openChats = async (at: At, most: number): Promise<Opened> => {
  const { library, llama, model, threads, batchSize, adaptThreads } = at
  const wrapper = library.resolveChatWrapper(model, {
    customWrapperSettings: { qwen: { thoughts: 'discourage' } },
    warningLogs: false,
  })
  const slots: Slot[] = []
  let useCount = 0

  const openSlot = async (key: string, size: number | { min: number; max: number }): Promise<number> => {
    // A context never uses more threads than are set now.
    llama.maxThreads = threads
    const context = await model.createContext({ contextSize: size, threads, batchSize })
    const sequence = context.getSequence()
    const chat = new library.LlamaChat({ contextSequence: sequence, chatWrapper: wrapper })
    slots.push({ key, chat, sequence, done: Promise.resolve(), pending: 0, lastUse: 0 })
    return context.contextSize
  }
  // All contexts have the size of the first one, so that the daemon can rely on it.
  const size = await openSlot('', { min: Math.min(minContextTokens, most), max: most })
  const contextTokens = Math.min(size, most)

  /** Opens one slot at a time, because each looks at the free memory. */
  let opening: Promise<unknown> = Promise.resolve()
  const findSlot = (key: string): Promise<Slot> => {
    const findSlot = opening.then(async () => {
      const ownSlot = slots.find((slot) => slot.key === key) ?? slots.find((slot) => slot.lastUse === 0)
      if (ownSlot) return ownSlot
      // Without memory for another context, one is shared.
      if (slots.length < maxSlots) await openSlot(key, size).catch(() => undefined)
      return slots.find((slot) => slot.key === key) ?? leastUsed()
    })
    const reservedSlot = findSlot.then((slot) => {
      slot.key = key
      slot.pending++
      slot.lastUse = ++useCount
      return slot
    })
    opening = reservedSlot.catch(() => undefined)
    return reservedSlot
  }
  const leastUsed = (): Slot =>
    slots.reduce((bestSlot, slot) =>
      slot.pending < bestSlot.pending ||
      (slot.pending === bestSlot.pending && slot.lastUse < bestSlot.lastUse)
        ? slot
        : bestSlot,
    )

  const chat = async (order: Ask<'chat'>, signal: AbortSignal): Promise<void> => {
    const slot = await findSlot(order.key)
    const work = slot.done.then(() => (signal.aborted ? undefined : answer(slot, order, signal)))
    slot.done = work.then(noop, noop)
    await work.finally(() => {
      slot.pending--
    })
  }

  const answer = async (
    { chat: llamaChat, sequence }: Slot,
    { id, history, tools, schema, maxTokens }: Ask<'chat'>,
    signal: AbortSignal,
  ): Promise<void> => {
    adaptThreads()
    const prompt = tokenizePrompt(wrapper, model, history, tools)
    const freeTokens = contextTokens - prompt.length
    if (freeTokens < minAnswerTokens) throw new Refusal(tooLong(prompt.length, contextTokens))
    const cachedTokens = await evaluatePrompt(sequence, prompt, batchSize, signal, () =>
      report({ type: 'pulse', id }),
    )
    if (signal.aborted) return
    const outputBefore = sequence.tokenMeter.usedOutputTokens
    const grammar = schema ? await llama.createGrammarForJsonSchema(schema) : undefined
    const answerTokens = Math.min(freeTokens, maxAnswerTokens, maxTokens ?? maxAnswerTokens)
    const hasTools = Object.keys(tools).length > 0
    const response = await llamaChat.generateResponse(history, {
      ...(grammar ? { grammar, temperature: 0 } : sampling),
      ...(!grammar && hasTools && { functions: tools }),
      repeatPenalty: false,
      maxTokens: answerTokens,
      budgets: { thoughtTokens: Math.ceil(answerTokens / 4) },
      signal,
      stopOnAbortSignal: true,
      onResponseChunk: ({ type, text }: ResponseChunk) => {
        if (signal.aborted) return
        report(type === undefined && text !== '' ? { type: 'words', id, text } : { type: 'pulse', id })
      },
      onFunctionCallParamsChunk: () => report({ type: 'pulse', id }),
    })
    reportEnd(id, response, {
      input: prompt.length,
      cached: cachedTokens,
      output: sequence.tokenMeter.usedOutputTokens - outputBefore,
    })
  }

  const embed = async () => {
    throw new Refusal('This process of the local model answers only chats.')
  }
  return { contextTokens, chat, embed }
}

const reportEnd = (
  id: number,
  { functionCalls = [], metadata }: ChatResponse,
  usage: { readonly input: number; readonly cached: number; readonly output: number },
): void => {
  for (const { functionName: name, params } of functionCalls)
    report({ type: 'call', id, name, input: params ?? {} })
  report({ type: 'end', id, ...usage, cut: metadata.stopReason === 'maxTokens', memoryBytes: memoryBytes() })
}

const tokenizePrompt = (
  wrapper: ChatWrapper,
  model: LlamaModel,
  history: readonly HistoryItem[],
  tools: Ask<'chat'>['tools'],
): readonly number[] => {
  const isModelLast = history.at(-1)?.type === 'model'
  const { contextText } = wrapper.generateContextState({
    chatHistory: isModelLast ? history : [...history, { type: 'model', response: [] }],
    ...(Object.keys(tools).length > 0 && { availableFunctions: tools }),
  })
  return contextText.tokenize(model.tokenizer)
}

/**
 * Evaluates the part of a prompt that is not cached, in batches, so that an abort ends it after at most one.
 * Returns the number of cached tokens.
 */
const evaluatePrompt = async (
  sequence: Sequence,
  prompt: readonly number[],
  batchSize: number,
  signal: AbortSignal,
  onBatch: () => void,
): Promise<number> => {
  const head = prompt.slice(0, Math.max(1, prompt.length - tailTokens))
  await sequence.adaptStateToTokens(prompt.slice(0, -1), false)
  const cachedTokens = sequence.nextTokenIndex
  for (let position = cachedTokens; position < head.length && !signal.aborted; position += batchSize) {
    await sequence.evaluateWithoutGeneratingNewTokens(head.slice(position, position + batchSize))
    onBatch()
  }
  if (cachedTokens < head.length && !signal.aborted && sequence.needsCheckpoints)
    await sequence.takeCheckpoint()
  return cachedTokens
}

const tooLong = (prompt: number, context: number) =>
  `The prompt has ${prompt} tokens, but the context of the local model has ${context}. Shorten it, or choose a larger context size (DAIMON_CONTEXT) if memory allows.`

// --- embeddings

const openEmbeddings = async ({ model, threads, adaptThreads }: At, most: number): Promise<Opened> => {
  const context = await model.createEmbeddingContext({ contextSize: { max: most }, threads })
  const embed = async ({ id, texts }: Ask<'embed'>, signal: AbortSignal): Promise<void> => {
    adaptThreads()
    const vectors: number[][] = []
    let tokens = 0
    for (const text of texts) {
      if (signal.aborted) return
      // One place is left for a token at each end, which some models add.
      const input = model.tokenize(text).slice(0, most - 2)
      tokens += input.length
      vectors.push([...(await context.getEmbeddingFor(input)).vector])
    }
    report({ type: 'vectors', id, vectors, tokens, memoryBytes: memoryBytes() })
  }
  const chat = async () => {
    throw new Refusal('This process of the local model answers only embeddings.')
  }
  return { contextTokens: most, chat, embed }
}

// --- errors

/** The message can be shown to a user. The cause is the prompt. */
class Refusal extends Error {
  override readonly name = 'Refusal'
}

const toLoadError = (error: unknown) => {
  if (error instanceof Error && error.constructor.name === 'InsufficientMemoryError')
    return {
      kind: 'unreachable' as const,
      message:
        'There is not enough free memory for the local model. Close other programs, or choose a smaller model.',
    }
  return {
    kind: 'barred' as const,
    message: `The file of the local model cannot be loaded: ${toSentence(error)} It is damaged, or of an unsupported kind. Download it again, or choose another model.`,
  }
}

/** Returns one sentence without paths, max 200 characters. */
const toSentence = (error: unknown): string => {
  const text = error instanceof Error ? error.message : 'unknown error'
  const line = pathless(text.split('\n')[0] ?? '')
    .replace(/\p{C}/gu, '')
    .slice(0, 200)
    .trim()
  return line.endsWith('.') ? line : `${line}.`
}

const noop = () => undefined

// The daemon has ended. `process.exit` would wait for computations.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// Ctrl-C reaches every process of the terminal. This one ends when its daemon does.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, noop)
process.on('message', (message) => void handle(ModelOrder.parse(message)))
