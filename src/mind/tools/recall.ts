/** recall: what was said, over her whole life. */
import * as z from 'zod'
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
  description: 'Search everything that was ever said between you and the person, newest first. Use it when something is not before you.',
  input: Input,
  run: async ({ query, limit = 8 }, { journal, turn }) => {
    const words = fold(query).match(/[\p{L}\p{N}]+/gu) ?? [fold(query)]
    const found: { seq: number; time: string; role: 'person' | 'assistant'; content: string }[] = []
    let searched = 0
    for await (const { seq, at, offset, event } of journal.read({ kind: 'talk', upTo: turn })) {
      if (event.type !== 'MessageHeard' && event.type !== 'MessageSpoken') continue
      searched++
      const text = fold(event.content)
      if (!words.every((word) => text.includes(word))) continue
      const role = event.type === 'MessageHeard' ? 'person' : 'assistant'
      found.push({ seq, time: isoWithOffset(at, offset), role, content: event.content.slice(0, 1000) })
    }
    return { ok: true, output: { found: found.slice(-limit).reverse(), searched } }
  },
})
