/** Where the person writes. A draft outlives the page. */
import { el, icon } from './dom.ts'
import { keep, kept } from './keep.ts'
import { text } from './strings.ts'

export interface Composer {
  readonly element: HTMLElement
  readonly focus: () => void
  readonly busy: (on: boolean) => void
  readonly rename: (name: string) => void
  /** Puts words back, before whatever stands there now. */
  readonly give: (words: string) => void
}

export interface ComposerEvents {
  readonly onSend: (words: string) => void
  readonly onStop: () => void
}

export const createComposer = (id: string, { onSend, onStop }: ComposerEvents): Composer => {
  const area = el('textarea', { rows: '1', name: 'message', autocomplete: 'off', enterkeyhint: 'send', dir: 'auto' })
  const send = el('button', { type: 'submit', class: 'round send', title: text.talk.send, 'aria-label': text.talk.send }, icon('send'))
  const stop = el('button', { type: 'button', class: 'round stop', title: text.talk.stopHint, 'aria-label': text.talk.stop }, icon('stop'))
  const element = el('form', { class: 'composer' }, area, stop, send)
  let speaking = false

  const show = () => {
    const empty = area.value.trim() === ''
    send.disabled = empty
    // While she speaks Send is Stop; a next message already written can still be sent.
    send.hidden = speaking && empty
    stop.hidden = !speaking
  }

  const grow = () => {
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight}px`
  }

  const changed = () => {
    keep('draft', id, area.value)
    grow()
    show()
  }

  const submit = () => {
    const words = area.value.trim()
    if (words === '') return
    area.value = ''
    changed()
    onSend(words)
  }

  area.addEventListener('input', changed)
  area.addEventListener('keydown', (event) => {
    // Enter that ends a composition chooses a word, it does not send.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    submit()
  })
  element.addEventListener('submit', (event) => {
    event.preventDefault()
    submit()
    area.focus()
  })
  stop.addEventListener('click', () => {
    onStop()
    area.focus()
  })
  new ResizeObserver(grow).observe(element)

  area.value = kept('draft', id)
  show()
  return {
    element,
    focus: () => area.focus({ preventScroll: true }),
    busy: (on) => {
      speaking = on
      show()
    },
    rename: (name) => {
      area.placeholder = text.talk.write(name)
      area.ariaLabel = text.talk.write(name)
    },
    give: (words) => {
      area.value = area.value.trim() === '' ? words : `${words}\n${area.value}`
      changed()
      area.focus()
    },
  }
}
