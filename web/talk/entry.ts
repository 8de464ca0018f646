/** One message as it is seen, once it is said. */
import { el, unseen } from '../shared/dom.ts'
import { clockOf } from '../shared/moments.ts'
import { prose } from '../shared/prose.ts'
import type { MessagePart, Said, Whose } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import { type Gallery, mediaOf } from './media.ts'

export interface Entry {
  readonly said: Said
  readonly at: Date
  readonly element: HTMLElement
}

export const entryOf = (said: Said, name: string, gallery: Gallery): Entry => {
  const { role, content, parts, time, channel, media } = said
  const at = new Date(time)
  const elsewhere = channel !== null && channel !== 'web' ? ` · ${channel}` : ''
  const inner = parts.length > 0 ? parts.flatMap(partView) : prose(content)
  const words = content ? el('div', { class: 'words', dir: 'auto' }, ...inner) : null
  const shown = media && mediaOf(media, gallery)
  const file = media?.whose ? el('div', { class: 'passed' }, label(media.whose), shown) : shown
  // Words of their own stand before the file; words about it stand below.
  const about =
    media?.caption && media.caption !== content
      ? el('p', { class: 'caption', dir: 'auto' }, ...prose(media.caption))
      : null
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

/** Words of others stand apart, under what says whose they are: nobody takes them for the person's. */
const partView = (part: MessagePart): readonly (Node | string)[] => {
  const { from, text: words } = part
  if (from === 'person') return [el('div', { dir: 'auto' }, ...prose(words))]
  if (from === 'daemon') return [el('p', { class: 'remark' }, words)]
  return [
    el(
      'blockquote',
      { class: 'others', dir: 'auto' },
      label(part),
      ...prose(from === 'quoted' ? unmarked(words) : words),
    ),
  ]
}

const label = ({ from, by }: Whose): HTMLElement => {
  const told = text.talk.whose[from]
  return el('p', { class: 'whose' }, typeof told === 'string' ? told : told(by))
}

const unmarked = (words: string): string => words.replace(/^[ \t]*>+ ?/gm, '')
