/** One message as it is seen, once it is said. */
import { el, unseen } from './dom.ts'
import { type Gallery, mediaOf } from './media.ts'
import { clockOf } from './moments.ts'
import { prose } from './prose.ts'
import type { Said } from './shapes.ts'
import { text } from './strings.ts'

export interface Entry {
  readonly said: Said
  readonly at: Date
  readonly element: HTMLElement
}

export const entryOf = (said: Said, name: string, gallery: Gallery): Entry => {
  const { role, content, time, channel, media } = said
  const at = new Date(time)
  const elsewhere = channel !== null && channel !== 'web' ? ` · ${channel}` : ''
  const words = content ? el('div', { class: 'words', dir: 'auto' }, ...prose(content)) : null
  const file = media && mediaOf(media, gallery)
  // Words of their own stand before the file; words about it stand below.
  const about = media?.caption && media.caption !== content ? el('p', { class: 'caption', dir: 'auto' }, ...prose(media.caption)) : null
  const element = el(
    'div',
    { class: role === 'person' ? 'entry mine' : 'entry hers' },
    el(
      'article',
      { class: 'said' },
      unseen(role === 'person' ? `${text.talk.you}: ` : `${name}: `),
      ...(about ? [words, file, about] : [file, words]),
      el('p', { class: 'when' }, el('time', { datetime: time }, clockOf(at)), elsewhere),
    ),
  )
  return { said, at, element }
}
