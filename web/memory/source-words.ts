/** Loads the source of a statement by its sequence number in the journal. */
import { answerTo, client } from '../shared/client.ts'
import { lineAt } from '../shared/journal-lines.ts'
import { toText } from '../shared/shapes.ts'

export type Source =
  | {
      readonly kind: 'said'
      readonly seq: number
      readonly role: 'person' | 'assistant'
      readonly words: string
      /** The name of an attached file, or an empty string. */
      readonly file: string
      readonly time: string
    }
  | { readonly kind: 'history'; readonly seq: number; readonly title: string; readonly from: string }
  | { readonly kind: 'other'; readonly seq: number }
  | { readonly kind: 'failed'; readonly seq: number }

/** Never rejects. */
export const sourceAt = async (id: string, seq: number): Promise<Source> => {
  const answer = await answerTo(
    client.GET('/api/persona/{persona_id}/conversation', {
      params: { path: { persona_id: id }, query: { before: seq + 1, limit: 1 } },
    }),
  )
  if (!answer.ok) return { kind: 'failed', seq }
  const message = answer.value.messages.find((message) => message.id === seq)
  if (message) {
    const { role, content, media, time } = message
    return {
      kind: 'said',
      seq,
      role,
      words: content || (media?.caption ?? ''),
      file: media?.name ?? '',
      time,
    }
  }
  const record = await lineAt(id, seq)
  if (record?.type !== 'HistoryFed') return { kind: 'other', seq }
  return { kind: 'history', seq, title: toText(record.payload?.title), from: toText(record.payload?.source) }
}
