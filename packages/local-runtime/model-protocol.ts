/** Messages between the daemon and the process that runs one model. Both sides validate received messages. */
import * as z from 'zod'
import { gpus } from './installed-runtime.ts'

const Text = z.string()
const Count = z.int().min(0)

/** A part of a model's turn: its words, and its tool calls with their results. */
const Said = z.union([
  Text,
  z.strictObject({ type: z.literal('functionCall'), name: Text, params: z.unknown(), result: z.unknown() }),
])

/** As in `ChatHistoryItem` of node-llama-cpp. */
export const HistoryItem = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('system'), text: Text }),
  z.strictObject({ type: z.literal('user'), text: Text }),
  z.strictObject({ type: z.literal('model'), response: z.array(Said).readonly() }),
])
export type HistoryItem = z.infer<typeof HistoryItem>

const ToolForm = z.strictObject({ description: Text, params: z.record(Text, z.unknown()) })
export type ToolForm = z.infer<typeof ToolForm>

/** `id` numbers a request. `key` chooses the cached sequence. */
export const ModelOrder = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('open'),
    /** Folder with `node_modules`. */
    runtime: Text,
    gpu: z.enum(gpus),
    model: Text,
    purpose: z.enum(['chat', 'embedding']),
    /** Wanted context size in tokens. */
    contextTokens: Count,
  }),
  z.strictObject({
    type: z.literal('chat'),
    id: Count,
    key: Text,
    history: z.array(HistoryItem).readonly(),
    tools: z.record(Text, ToolForm),
    /** Schema of a JSON answer, as node-llama-cpp accepts it. */
    schema: z.record(Text, z.unknown()).nullable(),
    /** Max tokens of the answer. Null: the limit of the process. */
    maxTokens: Count.nullable(),
  }),
  z.strictObject({ type: z.literal('embed'), id: Count, texts: z.array(Text).readonly() }),
  z.strictObject({ type: z.literal('abort'), id: Count }),
])
export type ModelOrder = z.infer<typeof ModelOrder>

const Failure = { kind: z.enum(['unreachable', 'barred', 'refused']), message: Text }

/** Null: the processor computes. */
const LoadedGpu = z.enum(['metal', 'cuda', 'vulkan']).nullable()

export const ModelReport = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('opened'), contextTokens: Count, gpu: LoadedGpu, memoryBytes: Count }),
  /** The model cannot be loaded. The process ends. */
  z.strictObject({ type: z.literal('unopened'), ...Failure }),
  z.strictObject({ type: z.literal('words'), id: Count, text: Text }),
  z.strictObject({ type: z.literal('pulse'), id: Count }),
  z.strictObject({ type: z.literal('call'), id: Count, name: Text, input: z.unknown() }),
  z.strictObject({
    type: z.literal('end'),
    id: Count,
    input: Count,
    cached: Count,
    output: Count,
    cut: z.boolean(),
    memoryBytes: Count,
  }),
  z.strictObject({
    type: z.literal('vectors'),
    id: Count,
    vectors: z.array(z.array(z.number())),
    tokens: Count,
    memoryBytes: Count,
  }),
  z.strictObject({ type: z.literal('failed'), id: Count, ...Failure, memoryBytes: Count }),
])
export type ModelReport = z.infer<typeof ModelReport>

/** A report of one request. */
export type Reply = Extract<ModelReport, { readonly id: number }>
