/**
 * Reads an exported chat history of any size, a conversation at a time: of ChatGPT, Claude or Gemini, as its
 * JSON or the zip it came in, or messages as models are spoken to, as one JSON or a line each. What a file is
 * shows in it: nothing has to be said about it.
 */

import { createYielding, type MaybeYield } from '../../flow/yielding.ts'
import { type Conversation, conversationOf, type Found } from './imported-conversation.ts'
import { parseGently } from './json-reader.ts'
import { textsOf } from './json-sources.ts'
import { createSplitter, type Piece } from './json-splitter.ts'
import { createGathering, type Form, formOf } from './known-shapes.ts'
import { feedLimits, Unreadable } from './unreadable.ts'

type LeftOut = (why: 'too_large' | 'too_deep') => void

interface Options {
  readonly signal: AbortSignal
  /** Told of each conversation that is too large to be read. */
  readonly onLeftOut?: LeftOut
}

/**
 * In the order of the file, memories first; those in which nobody said anything are passed over. An export
 * without any is read like every other; a file in which nothing stands, or nothing of a known form, is none.
 * Throws `Unreadable`, which may come after conversations where a file is damaged further on; what the disk
 * says otherwise; and the signal's reason.
 */
export const readHistory = async function* (
  path: string,
  { signal, onLeftOut = () => {} }: Options,
): AsyncGenerator<Conversation> {
  const maybeYield = createYielding(signal)
  const seen: Record<Form, number> = { known: 0, unknown: 0, empty: 0 }
  let begun = false
  for await (const text of textsOf(path)) {
    begun = true
    const leftOut: LeftOut = (why) => {
      seen.known++
      onLeftOut(why)
    }
    for await (const found of conversationsIn(text, maybeYield, leftOut, (form) => seen[form]++))
      if (found) yield found
  }
  if (begun && seen.known + seen.unknown + seen.empty === 0) throw new Unreadable('empty')
  if (seen.unknown > 0 && seen.known === 0) throw new Unreadable('unknown_form')
}

/** Of one JSON text. undefined for a conversation in which nobody said anything. */
export const conversationsIn = async function* (
  chunks: AsyncIterable<Buffer>,
  maybeYield: MaybeYield,
  leftOut: LeftOut,
  onForm: (form: Form) => void = () => {},
): AsyncGenerator<Conversation | undefined> {
  const { conversation: most, depth: deepest, values } = feedLimits
  const splitter = createSplitter({ most, deepest, values, objects: 'whole' })
  const gathering = createGathering(leftOut)
  const take = async (piece: Piece): Promise<readonly Found[]> => {
    if (piece.kind === 'closed') {
      onForm('empty')
      return gathering.end()
    }
    if (piece.kind === 'value') {
      const value = await parseGently(piece.bytes, maybeYield)
      onForm(formOf(value))
      return gathering.take(value, piece.bytes.length)
    }
    leftOut(piece.why)
    return []
  }
  const made = async (found: Found) => {
    const conversation = await conversationOf(found, maybeYield)
    if (conversation !== 'too_large') return conversation
    leftOut(conversation)
    return undefined
  }
  const tell = async function* (pieces: readonly Piece[]) {
    for (const piece of pieces) for (const found of await take(piece)) yield made(found)
  }
  for await (const chunk of chunks) {
    await maybeYield()
    yield* tell(splitter.push(chunk))
  }
  yield* tell(splitter.end())
  for (const found of gathering.end()) yield made(found)
}
