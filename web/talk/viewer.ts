/** A picture, as large as the screen lets it be. */
import { button, el, icon } from '../shared/dom.ts'
import type { Media } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'

export interface Viewer {
  readonly element: HTMLDialogElement
  readonly open: (picture: Media) => void
}

export const createViewer = (): Viewer => {
  const picture = el('img')
  const caption = el('figcaption', { dir: 'auto' })
  const save = el(
    'a',
    { class: 'round', title: text.media.save, 'aria-label': text.media.save },
    icon('save'),
  )
  const close = button('', 'round', () => element.close())
  close.append(icon('close'))
  close.ariaLabel = text.close
  const element = el(
    'dialog',
    { class: 'viewer' },
    el('div', { class: 'viewer-acts' }, save, close),
    el('figure', {}, picture, caption),
  )
  element.addEventListener('click', ({ target }) => {
    // Beside the picture and what can be pressed, all there is leads back to the talk.
    if (target instanceof Element && !target.closest('img, figcaption, a, button')) element.close()
  })
  element.addEventListener('close', () => picture.removeAttribute('src'))
  return {
    element,
    open: ({ url, name, caption: words }) => {
      picture.src = url
      picture.alt = words || name
      caption.replaceChildren(words)
      save.href = url
      save.download = name
      element.ariaLabel = words || name || text.media.picture
      element.showModal()
      close.focus()
    },
  }
}
