/** Handles files that are dropped on the talk or pasted into it. */
import { text } from '../strings/strings.ts'

export interface DropEvents {
  readonly onFiles: (files: readonly File[]) => void
  readonly onTrouble: (message: string) => void
  /** True while files are dragged over the page. */
  readonly onHeld: (isHeld: boolean) => void
}

/** Handles drops and pastes until the returned function is called. */
export const takeDropped = ({ onFiles, onTrouble, onHeld }: DropEvents): (() => void) => {
  /** True if the dragged element is part of the page, such as a picture. */
  let isOwnDrag = false
  let isHeld = false
  const onStart = () => {
    isOwnDrag = true
  }
  const onEnd = () => {
    isOwnDrag = false
  }

  const setHeld = (next: boolean) => {
    isHeld = next
    onHeld(next)
  }

  const onItems = (items: DataTransferItemList) => {
    const folders = [...items].some((item) => item.webkitGetAsEntry()?.isDirectory === true)
    const files = [...items]
      .filter((item) => !item.webkitGetAsEntry()?.isDirectory)
      .map((item) => item.getAsFile())
    if (folders) onTrouble(text.files.folder)
    const chosenFiles = files.filter((file) => file !== null)
    if (chosenFiles.length > 0) onFiles(chosenFiles)
  }

  const onOver = (event: DragEvent) => {
    if (isOwnDrag || !event.dataTransfer?.types.includes('Files')) return
    // Otherwise the browser would open a file that is dropped anywhere on the page.
    event.preventDefault()
    const isFree = document.querySelector('dialog[open]') === null
    event.dataTransfer.dropEffect = isFree ? 'copy' : 'none'
    setHeld(isFree)
  }

  const onLeave = ({ relatedTarget }: DragEvent) => {
    if (relatedTarget === null) setHeld(false)
  }

  const onDrop = (event: DragEvent) => {
    if (isOwnDrag || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    const wasHeld = isHeld
    setHeld(false)
    if (wasHeld) onItems(event.dataTransfer.items)
  }

  const onPaste = (event: ClipboardEvent) => {
    const { clipboardData, target } = event
    if (!clipboardData || clipboardData.files.length === 0) return
    // A copied table is pasted as text and picture. The text is used.
    if (clipboardData.types.includes('text/plain') && clipboardData.types.includes('text/html')) return
    if (target instanceof Element && target.closest('dialog, input')) return
    event.preventDefault()
    onFiles([...clipboardData.files])
  }

  const stop = new AbortController()
  const options = { signal: stop.signal }
  addEventListener('dragstart', onStart, options)
  addEventListener('dragend', onEnd, options)
  addEventListener('dragover', onOver, options)
  addEventListener('dragleave', onLeave, options)
  addEventListener('drop', onDrop, options)
  addEventListener('paste', onPaste, options)
  return () => stop.abort()
}
