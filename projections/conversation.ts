/** What was said between the person and her, one message per fact, as the conversation route shows it. */
import type { Channel, Media, PersonaId, Seq } from '../journal/events.ts'
import type { Entry } from '../journal/journal.ts'

export interface MediaView {
  readonly filename: string
  /** As it was called where it came from. */
  readonly name: string
  readonly mime: string
  readonly url: string
  readonly caption: string
}

/** How words for a platform fared; null where there was none to bring them to. */
export interface DeliveryView {
  readonly state: 'waiting' | 'sent' | 'failed'
  readonly reason: string | null
}

export interface ConversationMessage {
  /** Position in the journal. */
  readonly id: Seq
  readonly role: 'person' | 'assistant'
  readonly content: string
  readonly channel: Channel | null
  /** ISO 8601 with the offset of then. */
  readonly time: string
  readonly turn: Seq | null
  readonly step: number | null
  readonly media: MediaView | null
  readonly delivery: DeliveryView | null
}

/** Null for a fact that is nobody's words. */
export const messageOf = (id: PersonaId, entry: Entry, time: string, delivery: DeliveryView | null = null): ConversationMessage | null => {
  const { event, seq } = entry
  if (event.type === 'MessageHeard') {
    const { content, channel, media } = event
    return { id: seq, role: 'person', content, channel, time, turn: null, step: null, media: mediaView(id, media), delivery: null }
  }
  if (event.type === 'MessageSpoken') {
    const { content, channel, media, turn, step } = event
    return { id: seq, role: 'assistant', content, channel, time, turn, step, media: mediaView(id, media), delivery }
  }
  return null
}

const mediaView = (id: PersonaId, media: Media | null): MediaView | null => {
  if (!media) return null
  const { filename, name, mime, caption } = media
  return { filename, name, mime, url: `/api/persona/${encodeURIComponent(id)}/media/${encodeURIComponent(filename)}`, caption }
}
