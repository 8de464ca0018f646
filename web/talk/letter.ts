/** What was written and is not yet heard, as it is seen: words, or a file on its way with how far it is. */
import { button, el, unseen } from '../shared/dom.ts'
import { prose } from '../shared/prose.ts'
import { kindOf } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import { type Gallery, mediaOf } from './media.ts'
import type { Letter } from './outbox.ts'
import type { Parcel } from './upload.ts'

export interface LetterEvents {
  readonly onAgain: (letter: Letter) => void
  readonly onTakeBack: (letter: Letter) => void
}

export interface LetterView {
  readonly element: HTMLElement
  readonly draw: (letter: Letter, why: string) => void
  /** From 0 to 1. */
  readonly progress: (share: number) => void
  readonly close: () => void
}

export const createLetter = (
  { content, parcel }: Letter,
  { onAgain, onTakeBack }: LetterEvents,
  gallery: Gallery,
): LetterView => {
  const preview = parcel && createPreview(parcel, gallery)
  const bar = el('progress', {
    class: 'way',
    max: '1',
    value: '0',
    'aria-label': parcel ? text.talk.uploading(parcel.file.name) : '',
  })
  const foot = el('div', { class: 'letter-foot' })
  const element = el(
    'div',
    { class: 'entry mine letter' },
    el(
      'article',
      { class: 'said' },
      unseen(`${text.talk.you}: `),
      preview?.element ?? null,
      content ? el('div', { class: 'words', dir: 'auto' }, ...prose(content)) : null,
      parcel && bar,
      foot,
    ),
  )
  let drawn = ''

  const draw = (letter: Letter, why: string) => {
    const { state, words } = letter
    const look = `${state} ${words} ${why}`
    // The same again would take the keyboard from whoever stands on a button, and be read aloud once more.
    if (look === drawn) return
    drawn = look
    const failed = state === 'failed'
    element.dataset.state = state
    element.classList.toggle('failed', failed)
    bar.hidden = state !== 'sending'
    if (state === 'waiting') bar.value = 0
    foot.replaceChildren(
      failed ? el('p', { class: 'trouble', role: 'alert' }, words) : el('p', { class: 'when' }, why),
      acts(letter, failed),
    )
  }

  const acts = (letter: Letter, failed: boolean): HTMLElement => {
    const { state } = letter
    const back = parcel ? (state === 'sending' ? text.cancel : text.talk.remove) : text.talk.takeBack
    const takeable = failed || state === 'waiting' || (parcel !== null && state === 'sending')
    return el(
      'p',
      { class: 'letter-acts' },
      failed ? button(text.tryAgain, 'inline', () => onAgain(letter)) : null,
      takeable ? button(back, 'inline back', () => onTakeBack(letter)) : null,
    )
  }

  return {
    element,
    draw,
    progress: (share) => {
      bar.value = share
      // All of it is there: to cancel now would only hide what she is about to hear.
      if (share === 1) foot.querySelector('.back')?.remove()
    },
    close: () => preview?.close(),
  }
}

/** Seen from this browser's own copy, until the service has it. */
const createPreview = ({ file }: Parcel, gallery: Gallery) => {
  const url = URL.createObjectURL(file)
  const { name, type: mime } = file
  return {
    element: mediaOf({ kind: kindOf(mime, name), mime, url, name, caption: '', whose: null }, gallery),
    close: () => {
      gallery.clips.drop(url)
      URL.revokeObjectURL(url)
    },
  }
}
