/** Files chosen and not yet sent, above the place to write. */
import { button, el, icon } from '../shared/dom.ts'
import { kindOf } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import { kindName } from './media.ts'

export interface Tray {
  readonly element: HTMLElement
  readonly files: () => readonly File[]
  readonly add: (files: readonly File[]) => void
  readonly clear: () => void
}

export interface TrayEvents {
  readonly onChange: () => void
  /** The last one was taken out by hand. */
  readonly onEmpty: () => void
}

export const createTray = ({ onChange, onEmpty }: TrayEvents): Tray => {
  const element = el('ul', { class: 'tray', 'aria-label': text.files.chosen })
  let files: readonly File[] = []

  const add = (more: readonly File[]) => {
    files = [...files, ...more]
    element.append(...more.map(itemOf))
    element.lastElementChild?.scrollIntoView({ block: 'nearest' })
    onChange()
  }

  const itemOf = (file: File): HTMLElement => {
    const thumb = createThumb(file)
    const take = button('', 'round small', () => {
      const near = item.nextElementSibling ?? item.previousElementSibling
      files = files.filter((one) => one !== file)
      item.remove()
      onChange()
      if (near) near.querySelector('button')?.focus()
      else onEmpty()
    })
    take.append(icon('close'))
    take.ariaLabel = text.files.remove(file.name)
    const words = el(
      'span',
      { class: 'chip-words' },
      el('span', { class: 'chip-name', dir: 'auto' }, file.name),
      el('span', { class: 'hint' }, about(file)),
    )
    const item = el('li', { class: 'chip' }, thumb, words, take)
    return item
  }

  return {
    element,
    add,
    files: () => files,
    clear: () => {
      files = []
      element.replaceChildren()
      onChange()
    },
  }
}

const createThumb = (file: File): Element => {
  if (kindOf(file.type, file.name) !== 'picture')
    return icon(kindOf(file.type, file.name) === 'clip' ? 'sound' : 'file')
  const url = URL.createObjectURL(file)
  const thumb = el('img', { class: 'thumb', src: url, alt: '' })
  thumb.addEventListener('load', () => URL.revokeObjectURL(url))
  thumb.addEventListener('error', () => {
    URL.revokeObjectURL(url)
    thumb.replaceWith(icon('file'))
  })
  return thumb
}

const about = ({ name, type, size }: File): string => `${kindName(name, type)} · ${sizeName(size)}`

const units = ['bytes', 'KB', 'MB', 'GB'] as const

const sizeName = (bytes: number): string => {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const count = bytes / 1000 ** step
  return `${count >= 10 || step === 0 ? Math.round(count) : count.toFixed(1)} ${units[step]}`
}
