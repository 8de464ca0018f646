/**
 * Opaque data of protocols whose answers are a list of blocks (Anthropic's messages, OpenAI's responses):
 * reasoning with its signature or encrypted content, and its position between text and calls.
 */
import * as z from 'zod'
import type { ChatAnswer, ChatPart } from './chat-model.ts'
import type { AssistantMessage, Collector, OpaqueForm, Way } from './opaque.ts'

type Metadata = ChatAnswer['providerMetadata']
type Part = AssistantMessage['content'][number]

const options = z.record(z.string(), z.unknown()).optional()
/** Text and calls are stored in the answer, so only their length and order are repeated here. */
const Block = z.union([
  z.strictObject({ reasoning: z.string(), options }),
  z.strictObject({ words: z.int(), options }),
  z.strictObject({ call: z.literal(true), options }),
])
type Block = z.infer<typeof Block>
const Blocks = z.array(Block)

export const opaqueBlocks = (way: Way): OpaqueForm => ({
  way,
  readsRaw: false,
  collect: createCollector,
  attach: (message, data) => {
    const blocks = Blocks.safeParse(data)
    return blocks.success ? { ...message, content: arrange(message.content, blocks.data) } : message
  },
})

const createCollector = (): Collector => {
  const open = new Map<string, { text: string; metadata: Metadata; readonly kind: 'reasoning' | 'words' }>()
  const order: (() => Block)[] = []

  const beginBlock = (kind: 'reasoning' | 'words', id: string, metadata: Metadata, text = '') => {
    const block = { kind, text, metadata }
    open.set(`${kind} ${id}`, block)
    order.push(() =>
      kind === 'reasoning'
        ? { reasoning: block.text, ...toOptions(block.metadata) }
        : { words: block.text.length, ...toOptions(block.metadata) },
    )
  }
  const add = (kind: 'reasoning' | 'words', id: string, metadata: Metadata, delta = '') => {
    const block = open.get(`${kind} ${id}`)
    if (!block) return
    block.text += delta
    block.metadata = merge(block.metadata, metadata)
  }
  const readCall = (metadata: Metadata) => order.push(() => ({ call: true, ...toOptions(metadata) }))

  return {
    part: (part: ChatPart) => {
      if (part.type === 'reasoning-start') beginBlock('reasoning', part.id, part.providerMetadata)
      if (part.type === 'reasoning-delta') add('reasoning', part.id, part.providerMetadata, part.delta)
      if (part.type === 'reasoning-end') add('reasoning', part.id, part.providerMetadata)
      if (part.type === 'text-start') beginBlock('words', part.id, part.providerMetadata)
      if (part.type === 'text-delta') add('words', part.id, part.providerMetadata, part.delta)
      if (part.type === 'text-end') add('words', part.id, part.providerMetadata)
      if (part.type === 'tool-call' && !part.providerExecuted) readCall(part.providerMetadata)
    },
    whole: ({ content }) => {
      for (const [index, part] of content.entries()) {
        if (part.type === 'reasoning') beginBlock('reasoning', `${index}`, part.providerMetadata, part.text)
        if (part.type === 'text') beginBlock('words', `${index}`, part.providerMetadata, part.text)
        if (part.type === 'tool-call' && !part.providerExecuted) readCall(part.providerMetadata)
      }
    },
    data: () => {
      const blocks = order.map((block) => block())
      return blocks.some((block) => 'reasoning' in block) ? blocks : undefined
    },
  }
}

const toOptions = (metadata: Metadata): Pick<Block, 'options'> => (metadata ? { options: metadata } : {})

const merge = (earlierMetadata: Metadata, laterMetadata: Metadata): Metadata => {
  if (!laterMetadata) return earlierMetadata
  const entries = Object.entries(laterMetadata).map(([name, fields]) => [
    name,
    { ...earlierMetadata?.[name], ...fields },
  ])
  return { ...earlierMetadata, ...Object.fromEntries(entries) }
}

/** If the text was changed since then, it becomes one block after all reasoning. */
const arrange = (content: readonly Part[], blocks: readonly Block[]): Part[] => {
  const fullText = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  const calls = content.filter((part) => part.type === 'tool-call')
  const otherParts = content.filter((part) => part.type !== 'tool-call' && part.type !== 'text')
  const length = blocks.reduce((sum, block) => sum + ('words' in block ? block.words : 0), 0)
  const count = blocks.filter((block) => 'call' in block).length
  if (length !== fullText.length || count !== calls.length) {
    const reasoning = blocks.flatMap((block) => ('reasoning' in block ? [toReasoning(block)] : []))
    return [...reasoning, ...content]
  }
  let position = 0
  let call = 0
  const parts = blocks.flatMap((block): readonly Part[] => {
    if ('reasoning' in block) return [toReasoning(block)]
    const providerOptions = (block.options ?? {}) as NonNullable<Part['providerOptions']>
    if ('call' in block) return calls.slice(call, ++call).map((part) => ({ ...part, providerOptions }))
    const text = fullText.slice(position, position + block.words)
    position += block.words
    return text ? [{ type: 'text', text, providerOptions }] : []
  })
  return [...parts, ...otherParts]
}

const toReasoning = ({ reasoning, options }: Extract<Block, { reasoning: string }>): Part => ({
  type: 'reasoning',
  text: reasoning,
  providerOptions: (options ?? {}) as NonNullable<Part['providerOptions']>,
})
