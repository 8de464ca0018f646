/** Where the person writes, chooses files and speaks. A draft outlives the page, chosen files the room. */
import { button, el, icon } from '../shared/dom.ts'
import { keep, kept } from '../shared/keep.ts'
import { text } from '../strings/strings.ts'
import { createTray } from './tray.ts'
import { createVoice } from './voice.ts'

export interface Composer {
  readonly element: HTMLElement
  readonly focus: () => void
  readonly busy: (on: boolean) => void
  readonly rename: (name: string) => void
  /** Puts words back, before whatever stands there now. */
  readonly give: (words: string) => void
  readonly add: (files: readonly File[]) => void
  readonly recording: () => boolean
  /** Ends a recording; false when there was none. */
  readonly cancel: () => boolean
}

export interface ComposerEvents {
  /** At least one of both. */
  readonly onSend: (words: string, files: readonly File[]) => void
  readonly onClip: (clip: File) => void
  readonly onStop: () => void
  readonly onRecording: () => void
  readonly onTrouble: (words: string) => void
}

/** `trays`: files chosen for each persona, kept while other rooms are looked at. */
export const createComposer = (
  id: string,
  trays: Map<string, readonly File[]>,
  { onSend, onClip, onStop, onRecording, onTrouble }: ComposerEvents,
): Composer => {
  const area = el('textarea', {
    rows: '1',
    name: 'message',
    autocomplete: 'off',
    enterkeyhint: 'send',
    dir: 'auto',
  })
  const send = el(
    'button',
    { type: 'submit', class: 'round send', title: text.talk.send, 'aria-label': text.talk.send },
    icon('send'),
  )
  const stop = el(
    'button',
    { type: 'button', class: 'round stop', title: text.talk.stopHint, 'aria-label': text.talk.stop },
    icon('stop'),
  )
  const picker = el('input', {
    type: 'file',
    multiple: true,
    hidden: true,
    tabindex: '-1',
    'aria-hidden': 'true',
  })
  const pick = button('', 'round', () => picker.click())
  pick.append(icon('clip'))
  pick.title = text.files.choose
  pick.ariaLabel = text.files.choose

  const changed = () => {
    keep('draft', id, area.value)
    grow()
    show()
  }

  const tray = createTray({
    onChange: () => {
      const files = tray.files()
      if (files.length > 0) trays.set(id, files)
      else trays.delete(id)
      show()
    },
    onEmpty: () => area.focus(),
  })
  const voice = createVoice({
    onClip,
    onTrouble,
    onChange: () => {
      show()
      grow()
      if (voice.recording()) onRecording()
      else settle()
    },
  })
  const line = el('div', { class: 'line' }, pick, picker, area, voice.start, stop, send)
  const element = el('form', { class: 'composer' }, tray.element, line, voice.bar)
  let speaking = false

  const show = () => {
    const empty = area.value.trim() === '' && tray.files().length === 0
    send.disabled = empty
    // While she speaks Send is Stop; a next message already written can still be sent. With nothing written,
    // one can speak instead.
    send.hidden = empty && (speaking || voice.start !== null)
    stop.hidden = !speaking
    if (voice.start) voice.start.hidden = !empty
    line.hidden = !voice.bar.hidden
  }

  const grow = () => {
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight}px`
  }

  const submit = () => {
    const words = area.value.trim()
    const files = tray.files()
    if (words === '' && files.length === 0) return
    area.value = ''
    tray.clear()
    changed()
    onSend(words, files)
  }

  const add = (files: readonly File[]) => {
    if (files.length === 0 || voice.recording()) return
    tray.add(files)
    settle()
  }

  /**
   * The keyboard comes back to where one writes; one that covers half the screen only when it is asked for.
   */
  const settle = () => {
    if (matchMedia('(pointer: fine)').matches) area.focus({ preventScroll: true })
    else if (document.activeElement !== area) (send.hidden ? voice.start : send)?.focus()
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
  picker.addEventListener('change', () => {
    add([...(picker.files ?? [])])
    // The same file may be chosen again.
    picker.value = ''
  })
  new ResizeObserver(grow).observe(element)

  area.value = kept('draft', id)
  tray.add(trays.get(id) ?? [])
  return {
    element,
    add,
    recording: voice.recording,
    cancel: voice.cancel,
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
      if (words) area.value = area.value.trim() === '' ? words : `${words}\n${area.value}`
      changed()
      area.focus()
    },
  }
}
