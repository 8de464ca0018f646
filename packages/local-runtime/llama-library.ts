/**
 * The parts of node-llama-cpp 3.21.1 that are used. It is not a dependency of the daemon, so it has no types
 * here. Source: the `.d.ts` files in `dist/` of an installed runtime.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { HistoryItem, ToolForm } from './model-protocol.ts'

type Token = number

export interface LlamaLibrary {
  getLlama(options: {
    /** False: no graphics processor. */
    readonly gpu: false | 'auto' | 'cuda' | 'vulkan'
    readonly build: 'never'
    readonly skipDownload: true
    readonly progressLogs: false
    readonly logLevel: 'error'
    readonly maxThreads: number
  }): Promise<Llama>
  resolveChatWrapper(model: LlamaModel, options: object): ChatWrapper
  readonly LlamaChat: new (options: {
    readonly contextSequence: Sequence
    readonly chatWrapper: ChatWrapper
  }) => Chat
}

export interface Llama {
  readonly gpu: false | 'metal' | 'cuda' | 'vulkan'
  /** Cores that are useful for computation. */
  readonly cpuMathCores: number
  maxThreads: number
  loadModel(options: { readonly modelPath: string }): Promise<LlamaModel>
  createGrammarForJsonSchema(schema: object): Promise<Grammar>
}

type Grammar = object

export interface LlamaModel {
  readonly trainContextSize: number
  readonly tokenizer: unknown
  createContext(options: {
    readonly contextSize: number | { readonly min: number; readonly max: number }
    readonly threads: number
    readonly batchSize: number
  }): Promise<Context>
  createEmbeddingContext(options: {
    readonly contextSize: { readonly max: number }
    readonly threads: number
  }): Promise<EmbeddingContext>
  tokenize(text: string): readonly Token[]
}

interface Context {
  readonly contextSize: number
  getSequence(): Sequence
}

interface EmbeddingContext {
  getEmbeddingFor(input: readonly Token[]): Promise<{ readonly vector: readonly number[] }>
}

export interface Sequence {
  readonly nextTokenIndex: number
  /** True for models whose state cannot be cut to a prefix. */
  readonly needsCheckpoints: boolean
  readonly tokenMeter: { readonly usedOutputTokens: number }
  /** Removes the tokens that differ from the given ones. */
  adaptStateToTokens(tokens: readonly Token[], allowShift: boolean): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>
  takeCheckpoint(): Promise<void>
  clearHistory(): Promise<void>
}

export interface ChatWrapper {
  generateContextState(options: {
    readonly chatHistory: readonly HistoryItem[]
    readonly availableFunctions?: Readonly<Record<string, ToolForm>>
  }): { readonly contextText: { tokenize(tokenizer: unknown): readonly Token[] } }
}

export interface Chat {
  generateResponse(history: readonly HistoryItem[], options: object): Promise<ChatResponse>
}

export interface ChatResponse {
  readonly response: string
  readonly functionCalls?: readonly { readonly functionName: string; readonly params: unknown }[]
  readonly metadata: { readonly stopReason: string }
}

/** Passed to `onResponseChunk`. `segment`: text that is not part of the answer, such as thinking. */
export interface ResponseChunk {
  readonly type?: 'segment'
  readonly text: string
}

/** `runtime`: folder with `node_modules`. */
export const loadLlamaLibrary = async (runtime: string): Promise<LlamaLibrary> => {
  const file = join(runtime, 'node_modules', 'node-llama-cpp', 'dist', 'index.js')
  return (await import(pathToFileURL(file).href)) as LlamaLibrary
}
