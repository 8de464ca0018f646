/** One message as it is seen, said or still on its way. */
import { button, el, unseen } from './dom.ts'
import { clockOf } from './moments.ts'
import type { Letter } from './outbox.ts'
import { prose } from './prose.ts'
import type { Media, Said } from './shapes.ts'
import { text } from './strings.ts'

export interface Entry {
  readonly said: Said
  readonly at: Date
  readonly element: HTMLElement
}

export interface LetterEvents {
  readonly onAgain: (letter: Letter) => void
  readonly onTakeBack: (letter: Letter) => void
}

export const entryOf = (said: Said, name: string): Entry => {
  const { role, content, time, channel, media } = said
  const at = new Date(time)
  const elsewhere = channel !== null && channel !== 'web' ? ` · ${channel}` : ''
  const element = el(
    'div',
    { class: role === 'person' ? 'entry mine' : 'entry hers' },
    el(
      'article',
      { class: 'said' },
      unseen(role === 'person' ? `${text.talk.you}: ` : `${name}: `),
      content ? el('div', { class: 'words', dir: 'auto' }, ...prose(content)) : null,
      media && mediaOf(media),
      el('p', { class: 'when' }, el('time', { datetime: time }, clockOf(at)), elsewhere),
    ),
  )
  return { said, at, element }
}

const mediaOf = ({ mime, url, caption, filename }: Media): HTMLElement => {
  const shown = caption ? el('figcaption', { dir: 'auto' }, ...prose(caption)) : null
  if (mime.startsWith('image/')) return el('figure', {}, el('img', { src: url, alt: caption || filename, loading: 'lazy' }), shown)
  if (mime.startsWith('audio/')) return el('figure', {}, el('audio', { src: url, controls: true, preload: 'none' }), shown)
  return el('figure', {}, el('a', { href: url, download: true }, filename || text.talk.file), shown)
}

export const letterOf = (letter: Letter, why: string, { onAgain, onTakeBack }: LetterEvents): HTMLElement => {
  const failed = letter.state === 'failed'
  const acts = el(
    'p',
    { class: 'letter-acts' },
    failed ? button(text.tryAgain, 'inline', () => onAgain(letter)) : null,
    button(text.talk.takeBack, 'inline', () => onTakeBack(letter)),
  )
  return el(
    'div',
    { class: `entry mine letter ${failed ? 'failed' : ''}`, 'data-state': letter.state },
    el(
      'article',
      { class: 'said' },
      unseen(`${text.talk.you}: `),
      el('div', { class: 'words', dir: 'auto' }, ...prose(letter.content)),
      failed ? el('p', { class: 'trouble', role: 'alert' }, letter.words) : el('p', { class: 'when' }, why),
      failed || letter.state === 'waiting' ? acts : null,
    ),
  )
}
