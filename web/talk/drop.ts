/** Files dropped on the talk or pasted into it. */
import { el, icon } from '../shared/dom.ts'
import { text } from '../strings/strings.ts'

export interface DropArea {
  /** Lies over the talk while files are held above it. */
  readonly element: HTMLElement
  readonly close: () => void
}

export interface DropEvents {
  readonly onFiles: (files: readonly File[]) => void
  readonly onTrouble: (words: string) => void
}

export const createDropArea = ({ onFiles, onTrouble }: DropEvents): DropArea => {
  const element = el(
    'div',
    { class: 'drop', 'aria-hidden': 'true' },
    el('p', {}, icon('file'), text.files.drop),
  )
  element.hidden = true
  /** What is dragged is of the page itself: a picture on its way out. */
  let own = false
  const onStart = () => {
    own = true
  }
  const onEnd = () => {
    own = false
  }

  const take = (items: DataTransferItemList) => {
    const folders = [...items].some((item) => item.webkitGetAsEntry()?.isDirectory === true)
    const files = [...items]
      .filter((item) => !item.webkitGetAsEntry()?.isDirectory)
      .map((item) => item.getAsFile())
    if (folders) onTrouble(text.files.folder)
    const found = files.filter((file) => file !== null)
    if (found.length > 0) onFiles(found)
  }

  const onOver = (event: DragEvent) => {
    if (own || !event.dataTransfer?.types.includes('Files')) return
    // Without this the browser leaves the page for the file, also where it falls beside the talk.
    event.preventDefault()
    const free = document.querySelector('dialog[open]') === null
    event.dataTransfer.dropEffect = free ? 'copy' : 'none'
    element.hidden = !free
  }

  const onLeave = ({ relatedTarget }: DragEvent) => {
    if (relatedTarget === null) element.hidden = true
  }

  const onDrop = (event: DragEvent) => {
    if (own || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    const wanted = !element.hidden
    element.hidden = true
    if (wanted) take(event.dataTransfer.items)
  }

  const onPaste = (event: ClipboardEvent) => {
    const { clipboardData: held, target } = event
    if (!held || held.files.length === 0) return
    // A copied table is words and a picture of them: the words are what is meant.
    if (held.types.includes('text/plain') && held.types.includes('text/html')) return
    if (target instanceof Element && target.closest('dialog, input')) return
    event.preventDefault()
    onFiles([...held.files])
  }

  addEventListener('dragstart', onStart)
  addEventListener('dragend', onEnd)
  addEventListener('dragover', onOver)
  addEventListener('dragleave', onLeave)
  addEventListener('drop', onDrop)
  addEventListener('paste', onPaste)
  return {
    element,
    close: () => {
      removeEventListener('dragstart', onStart)
      removeEventListener('dragend', onEnd)
      removeEventListener('dragover', onOver)
      removeEventListener('dragleave', onLeave)
      removeEventListener('drop', onDrop)
      removeEventListener('paste', onPaste)
    },
  }
}
