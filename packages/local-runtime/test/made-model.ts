/**
 * Makes a small GGUF model whose next token depends on the last one only, so that its answers are certain.
 * Format: github.com/ggml-org/ggml/blob/master/docs/gguf.md, version 3.
 */

interface Made {
  /** The first token of each answer. `call` begins a tool call in ChatML syntax of node-llama-cpp. */
  readonly answersWith: 'words' | 'call'
  /** Default: 64. Larger models are slower. */
  readonly width?: number
  /** Default: 2. */
  readonly layers?: number
  /** Default: 4096 tokens. */
  readonly context?: number
}

const specials = ['<unk>', '<s>', '</s>', '<|im_start|>', '<|im_end|>'] as const
const wholeWords = ['||call: ', 'Hello', ' there', ' friend'] as const
const asciiTexts = Array.from({ length: 95 }, (_, n) => (n === 0 ? '▁' : String.fromCharCode(32 + n)))
const byteTexts = Array.from(
  { length: 256 },
  (_, n) => `<0x${n.toString(16).toUpperCase().padStart(2, '0')}>`,
)
const texts: readonly string[] = [...specials, ...byteTexts, ...asciiTexts, ...wholeWords.map(toPiece)]

function toPiece(text: string): string {
  return text.replaceAll(' ', '▁')
}

/** Source of the numbers: `llama_token_type` in llama.h. */
const tokenTypes = texts.map((_, id) => {
  if (id === 0) return 2
  if (id < specials.length) return 3
  return id < specials.length + 256 ? 6 : 1
})

const getTokenId = (text: string): number => texts.indexOf(toPiece(text))
const newline = getTokenId('<0x0A>')

/** Each row: a token, and the tokens that may follow it, the most likely one first. */
const successors = (answersWith: Made['answersWith']): readonly (readonly [number, readonly number[]])[] => [
  [newline, [getTokenId(answersWith === 'call' ? '||call: ' : 'Hello'), getTokenId('{')]],
  [getTokenId('Hello'), [getTokenId(' there')]],
  [getTokenId(' there'), [getTokenId(' friend')]],
  [getTokenId(' friend'), [getTokenId('<|im_end|>')]],
  [getTokenId('}'), [getTokenId(')'), newline, getTokenId('<|im_end|>')]],
  [getTokenId(')'), [getTokenId('<|im_end|>')]],
  [getTokenId(':'), [getTokenId('"'), getTokenId('1')]],
  [getTokenId('"'), [getTokenId('a'), getTokenId(':'), getTokenId('}'), getTokenId(']'), getTokenId(',')]],
  [getTokenId('a'), [getTokenId('"')]],
  [getTokenId('1'), [getTokenId('}'), getTokenId(',')]],
]

/** Tokens that are likely if none of the successors is allowed, the most likely one first. */
const commonTokens = ['"', '}', ']', ',', ':', '{', 'n', 'u', 'l', 't', 'r', 'e', '1']

/** Returns the bytes of the file, about 0.5 MB by default. */
export const makeModel = ({ answersWith, width = 64, layers = 2, context = 4096 }: Made): Buffer => {
  const [heads, keyHeads, hiddenSize] = [4, 2, width * 2]
  const keyWidth = (width / heads) * keyHeads
  const random = createRandom(7)
  const fill = (count: number, scale: number) =>
    Float32Array.from({ length: count }, () => (random() - 0.5) * scale)
  const zeros = (count: number) => new Float32Array(count)
  const createOnes = (count: number) => new Float32Array(count).fill(1)

  // Dimension 0 is the same in all tokens, so it holds how common a token is. The others identify the token.
  const embedding = fill(texts.length * width, 2)
  for (let id = 0; id < texts.length; id++) embedding[id * width] = 1
  const output = zeros(texts.length * width)
  const prefer = (id: number, afterId: number, weight: number) => {
    for (let n = 1; n < width; n++)
      output[id * width + n] = (output[id * width + n] ?? 0) + weight * (embedding[afterId * width + n] ?? 0)
  }
  for (const [afterId, next] of successors(answersWith))
    for (const [rank, id] of next.entries()) prefer(id, afterId, 4 - rank)
  for (const [rank, text] of commonTokens.entries()) output[getTokenId(text) * width] = 20 - rank

  const tensors: (readonly [string, readonly number[], Float32Array])[] = [
    ['token_embd.weight', [width, texts.length], embedding],
    ['output_norm.weight', [width], createOnes(width)],
    ['output.weight', [width, texts.length], output],
  ]
  for (let n = 0; n < layers; n++)
    tensors.push(
      [`blk.${n}.attn_norm.weight`, [width], createOnes(width)],
      [`blk.${n}.attn_q.weight`, [width, width], fill(width * width, 0.2)],
      [`blk.${n}.attn_k.weight`, [width, keyWidth], fill(width * keyWidth, 0.2)],
      [`blk.${n}.attn_v.weight`, [width, keyWidth], fill(width * keyWidth, 0.2)],
      // Zeros: the layers are computed, and have no effect.
      [`blk.${n}.attn_output.weight`, [width, width], zeros(width * width)],
      [`blk.${n}.ffn_norm.weight`, [width], createOnes(width)],
      [`blk.${n}.ffn_gate.weight`, [width, hiddenSize], fill(width * hiddenSize, 0.2)],
      [`blk.${n}.ffn_up.weight`, [width, hiddenSize], fill(width * hiddenSize, 0.2)],
      [`blk.${n}.ffn_down.weight`, [hiddenSize, width], zeros(hiddenSize * width)],
    )

  const metadata: readonly Buffer[] = [
    entry('general.architecture', string('llama')),
    entry('general.name', string('test')),
    entry('general.alignment', uint32(alignment)),
    entry('llama.context_length', uint32(context)),
    entry('llama.embedding_length', uint32(width)),
    entry('llama.block_count', uint32(layers)),
    entry('llama.feed_forward_length', uint32(hiddenSize)),
    entry('llama.attention.head_count', uint32(heads)),
    entry('llama.attention.head_count_kv', uint32(keyHeads)),
    entry('llama.attention.layer_norm_rms_epsilon', float32(1e-5)),
    entry('llama.rope.dimension_count', uint32(width / heads)),
    entry('llama.vocab_size', uint32(texts.length)),
    entry('tokenizer.ggml.model', string('llama')),
    entry('tokenizer.ggml.tokens', list(texts.map(string))),
    entry('tokenizer.ggml.scores', list(texts.map((text) => float32(text.length > 1 ? -10 : -1)))),
    entry('tokenizer.ggml.token_type', list(tokenTypes.map(int32))),
    entry('tokenizer.ggml.bos_token_id', uint32(1)),
    entry('tokenizer.ggml.eos_token_id', uint32(getTokenId('<|im_end|>'))),
    entry('tokenizer.ggml.unknown_token_id', uint32(0)),
    entry('tokenizer.ggml.add_bos_token', { type: 7, bytes: Buffer.from([0]) }),
    entry('tokenizer.ggml.add_space_prefix', { type: 7, bytes: Buffer.from([0]) }),
    entry('tokenizer.chat_template', string(template)),
  ]
  let offset = 0
  const headers = tensors.map(([name, dimensions, data]) => {
    const header = Buffer.concat([
      string(name).bytes,
      uint32(dimensions.length).bytes,
      ...dimensions.map(uint64),
      uint32(0).bytes,
      uint64(offset),
    ])
    offset += align(data.byteLength)
    return header
  })
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(3).bytes,
    uint64(tensors.length),
    uint64(metadata.length),
    ...metadata,
    ...headers,
  ])
  const bodies = tensors.map(([, , data]) => pad(Buffer.from(data.buffer)))
  return Buffer.concat([pad(head), ...bodies])
}

const template = `{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}`

// --- the format

interface Value {
  readonly type: number
  readonly bytes: Buffer
}

const alignment = 32
const align = (bytes: number) => Math.ceil(bytes / alignment) * alignment
const pad = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(align(bytes.length) - bytes.length)])

const uint32 = (value: number): Value => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return { type: 4, bytes }
}
const int32 = (value: number): Value => ({ type: 5, bytes: uint32(value).bytes })
const float32 = (value: number): Value => {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return { type: 6, bytes }
}
const uint64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
const string = (text: string): Value => {
  const bytes = Buffer.from(text)
  return { type: 8, bytes: Buffer.concat([uint64(bytes.length), bytes]) }
}
const list = (values: readonly Value[]): Value => ({
  type: 9,
  bytes: Buffer.concat([
    uint32(values[0]?.type ?? 0).bytes,
    uint64(values.length),
    ...values.map(({ bytes }) => bytes),
  ]),
})
const entry = (key: string, { type, bytes }: Value): Buffer =>
  Buffer.concat([string(key).bytes, uint32(type).bytes, bytes])

/** mulberry32: the same numbers in each run. */
const createRandom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}
