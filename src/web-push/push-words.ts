/** What a browser is told: who spoke, and the first of it. The words around that are the browser's own. */
import type { PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../journal/facts/facts.ts'

/** `asks`: the persona waits for the person's word about a tool. `trial`: asked for by the person. */
export type PushWords =
  | {
      readonly kind: 'said' | 'picture' | 'clip' | 'file'
      readonly persona: PersonaId
      readonly name: string
      readonly record: Seq
      /** Empty where there are none. */
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

/** UTF-16 units: push services take 4096 bytes, sealed. */
const most = { words: 240, name: 80 }

/** No half of a sign is left at the end. */
const cut = (text: string, units: number): string => text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '')

/** Null where a fact is nothing to tell of. */
export const pushWordsOf = (
  { id, name }: { readonly id: PersonaId; readonly name: string },
  record: Seq,
  event: PersonaEvent,
): PushWords | null => {
  const whose = { persona: id, name: cut(name, most.name), record }
  if (event.type === 'ApprovalAsked')
    return { ...whose, kind: 'asks', server: cut(event.server, most.name), tool: cut(event.tool, most.name) }
  if (event.type !== 'MessageSpoken' || event.channel?.type !== 'web') return null
  return { ...whose, kind: kindOf(event.media?.mime), words: cut(event.content, most.words) }
}

const kindOf = (mime: string | undefined) => {
  if (mime === undefined) return 'said'
  if (mime.startsWith('image/')) return 'picture'
  return mime.startsWith('audio/') ? 'clip' : 'file'
}
