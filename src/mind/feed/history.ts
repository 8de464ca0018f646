/**
 * Reads an exported chat history of any size, a conversation at a time: of ChatGPT, Claude or Gemini, as its JSON or the zip it came
 * in, or messages as models are spoken to, as one JSON or a line each. What a file is shows in it: nothing has to be said about it.
 */
import { type Conversation, conversationOf, type Found } from './conversation.ts'
import { type Breath, createBreath, parseGently } from './gently.ts'
import { createGathering } from './shapes.ts'
import { textsOf } from './sources.ts'
import { createSplitter, type Piece } from './splitter.ts'
import { feedLimits, Unreadable } from './unreadable.ts'

type LeftOut = (why: 'too_large' | 'too_deep') => void

interface Options {
  readonly signal: AbortSignal
  /** Told of each conversation that is too large to be read. */
  readonly onLeftOut?: LeftOut
}

/**
 * In the order of the file, memories first; those in which nobody said anything are passed over. An export without any is read like
 * every other; a file in which nothing stands is none. Throws `Unreadable`, which may come after conversations where a file is damaged
 * further on; what the disk says otherwise; and the signal's reason.
 */
export const readHistory = async function* (path: string, { signal, onLeftOut = () => {} }: Options): AsyncGenerator<Conversation> {
  const breath = createBreath(signal)
  let begun = false
  let something = false
  for await (const text of textsOf(path)) {
    begun = true
    for await (const found of conversationsIn(text, breath, onLeftOut)) {
      something = true
      if (found) yield found
    }
  }
  if (begun && !something) throw new Unreadable('empty')
}

/** Of one JSON text. undefined for what it holds that is no conversation, so that an empty one can be told. */
export const conversationsIn = async function* (
  chunks: AsyncIterable<Buffer>,
  breath: Breath,
  leftOut: LeftOut,
): AsyncGenerator<Conversation | undefined> {
  const { conversation: most, depth: deepest, values } = feedLimits
  const splitter = createSplitter({ most, deepest, values, objects: 'whole' })
  const gathering = createGathering(leftOut)
  const take = async (piece: Piece): Promise<readonly Found[]> => {
    if (piece.kind === 'closed') return gathering.end()
    if (piece.kind === 'value') return gathering.take(await parseGently(piece.bytes, breath), piece.bytes.length)
    leftOut(piece.why)
    return []
  }
  const tell = async function* (pieces: readonly Piece[]) {
    for (const piece of pieces) {
      const all = await take(piece)
      if (all.length === 0) yield undefined
      for (const found of all) yield conversationOf(found, breath)
    }
  }
  for await (const chunk of chunks) {
    await breath()
    yield* tell(splitter.push(chunk))
  }
  yield* tell(splitter.end())
  for (const found of gathering.end()) yield conversationOf(found, breath)
}
