/**
 * The content of a notification: the sender and the beginning of the message. The page adds its own labels.
 */
import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import { isNotice, toMarkedText } from '../../projections/message-parts.ts'

/** `asks`: the persona waits for an approval of a tool call. `trial`: a test notification. */
export type PushWords =
  | {
      readonly kind: 'said' | 'picture' | 'clip' | 'file'
      readonly persona: PersonaId
      readonly name: string
      readonly record: Seq
      /** Empty if the message has no text. */
      readonly words: string
    }
  | {
      readonly kind: 'asks'
      readonly persona: PersonaId
      readonly name: string
      readonly record: Seq
      readonly server: string
      readonly tool: string
    }
  | { readonly kind: 'trial' }

/** Max UTF-16 units. Push services accept 4096 bytes after encryption. */
const limits = { words: 240, name: 80 }

/** Truncates without splitting a surrogate pair. */
const cutText = (text: string, units: number): string => text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '')

/** Returns null if the fact causes no notification. */
export const toPushWords = (
  { id, name }: { readonly id: PersonaId; readonly name: string },
  record: Seq,
  event: PersonaEvent,
): PushWords | null => {
  const sender = { persona: id, name: cutText(name, limits.name), record }
  if (event.type === 'ApprovalAsked')
    return {
      ...sender,
      kind: 'asks',
      server: cutText(event.server, limits.name),
      tool: cutText(event.tool, limits.name),
    }
  if (event.type !== 'MessageSpoken' || event.channel?.type !== 'web') return null
  // A locked screen must not show others that the user may be in danger.
  if (event.help !== undefined) return null
  const words = toMarkedText(event.content, isNotice(event))
  return { ...sender, kind: toKind(event.media?.mime), words: cutText(words, limits.words) }
}

const toKind = (mime: string | undefined) => {
  if (mime === undefined) return 'said'
  if (mime.startsWith('image/')) return 'picture'
  return mime.startsWith('audio/') ? 'clip' : 'file'
}
