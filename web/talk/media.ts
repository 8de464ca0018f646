/** A file as it is seen in the talk: a picture, a clip of sound, or a link to whatever else it is. */

import { el, icon } from '../shared/dom.ts'
import type { Media } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import type { Clips } from './clips.ts'

export interface Gallery {
  readonly clips: Clips
  /** Opens a picture large. */
  readonly open: (picture: Media) => void
}

/** Where `waiting` pictures stand until they are loaded, each keeps a place of one size. */
export const mediaOf = (media: Media, { clips, open }: Gallery): HTMLElement => {
  const chip = (words?: string) => createChip(media, words)
  if (media.kind === 'picture') return createPicture(media, open, chip)
  if (media.kind === 'file') return chip()
  const clip = clips.show(media.url, media.name, () => chip(text.media.noSound))
  return voice.test(media.name)
    ? clip
    : el('div', { class: 'named' }, clip, el('p', { class: 'hint', dir: 'auto' }, media.name))
}

/** What nobody gave a name: recorded here, or said by the persona. */
const voice = /^voice\.\w+$/

const createPicture = (
  media: Media,
  open: Gallery['open'],
  chip: (words: string) => HTMLElement,
): HTMLElement => {
  const { url, caption, name } = media
  const picture = el('img', {
    class: 'waiting',
    src: url,
    alt: caption || name || text.media.picture,
    loading: 'lazy',
    decoding: 'async',
  })
  const frame = el('button', { type: 'button', class: 'picture', title: text.media.open }, picture)
  frame.addEventListener('click', () => open(media))
  // What a browser cannot show, it can still keep.
  picture.addEventListener('error', () => frame.replaceWith(chip(text.media.noPicture)), { once: true })
  return frame
}

const createChip = ({ url, name, mime }: Media, trouble?: string): HTMLElement =>
  el(
    'a',
    { class: 'chip', href: url, download: name },
    icon('file'),
    el(
      'span',
      { class: 'chip-words' },
      el('span', { class: 'chip-name', dir: 'auto' }, name || text.media.file),
      kindLine(name, mime, trouble),
    ),
  )

const kindLine = (name: string, mime: string, trouble = '') =>
  el('span', { class: 'hint' }, [kindName(name, mime), trouble].filter(Boolean).join(' · '))

/** What people call it: the ending of its name, or what its bytes say. */
export const kindName = (name: string, mime: string): string => {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]
  return ending
    ? ending.toUpperCase()
    : mime.replace(/^application\/(?:octet-stream)?/, '') || text.media.file
}
