/** recall: what was said, over her whole life. */
import * as z from 'zod'
import type { Seq } from '../../../journal/events.ts'
import type { Journal } from '../../../journal/journal.ts'
import { isoWithOffset } from '../../clock.ts'
import { defineTool } from './tool.ts'

const Input = z.object({
  query: z.string().trim().min(1).max(500).describe('words to look for'),
  limit: z.int().min(1).max(20).optional(),
})

/** Without marks and case, so that `Café` is found by `cafe`. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export const recall = defineTool({
  name: 'recall',
  description:
    'Search everything that was ever said between you and the person, and all files that came or were made, newest first. Use it when something is not before you.',
  input: Input,
  run: async ({ query, limit = 8 }, { journal, turn }) => {
    const words = fold(query).match(/[\p{L}\p{N}]+/gu) ?? [fold(query)]
    const perceived = await perceptionsWith(words, journal, turn)
    const found: Found[] = []
    let searched = 0
    for await (const { seq, at, offset, event } of journal.read({ kind: 'talk', upTo: turn })) {
      if (event.type !== 'MessageHeard' && event.type !== 'MessageSpoken') continue
      searched++
      const { content, media } = event
      const holds = perceived.get(seq)
      const text = fold(media ? `${content} ${media.name} ${media.caption}` : content)
      if (holds === undefined && !words.every((word) => text.includes(word))) continue
      const role = event.type === 'MessageHeard' ? 'person' : 'assistant'
      const file = media && { name: media.name, file: media.filename, holds: holds ?? media.caption.slice(0, mostShown) }
      found.push({ seq, time: isoWithOffset(at, offset), role, content: content.slice(0, mostShown), ...(file && { file }) })
    }
    return { ok: true, output: { found: found.slice(-limit).reverse(), searched } }
  },
})

interface Found {
  readonly seq: Seq
  readonly time: string
  readonly role: 'person' | 'assistant'
  readonly content: string
  readonly file?: { readonly name: string; readonly file: string; readonly holds: string }
}

const mostShown = 1000

/** What was perceived of files, where it holds all the words: the part around them, by the message it came with. */
const perceptionsWith = async (words: readonly string[], journal: Journal, turn: Seq): Promise<ReadonlyMap<Seq, string>> => {
  const parts = new Map<Seq, string>()
  for await (const { event } of journal.read({ kind: 'media', upTo: turn })) {
    if (event.type !== 'MediaDescribed' || event.outcome !== 'perceived' || parts.has(event.message)) continue
    const text = fold(event.text)
    if (words.every((word) => text.includes(word))) parts.set(event.message, around(event.text, words[0] ?? ''))
  }
  return parts
}

/** Folding leaves nearly every letter in its place. */
const around = (text: string, word: string): string => {
  const at = fold(text).indexOf(word)
  const from = Math.max(0, Math.min(at - mostShown / 4, text.length - mostShown))
  return text.slice(from, from + mostShown).toWellFormed()
}
