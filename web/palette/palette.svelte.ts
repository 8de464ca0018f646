/** The open state of the palette, and its keyboard shortcut. */
let isOpen = $state(false)

const mac = /mac|iphone|ipad/i.test(navigator.platform)

export const palette = {
  get isOpen(): boolean {
    return isOpen
  },
  keys: mac ? '⌘ K' : 'Ctrl K',
  open(): void {
    isOpen = true
  },
  close(): void {
    isOpen = false
  },
  onKey(event: KeyboardEvent): void {
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (!isShortcut || event.shiftKey || event.altKey) return
    event.preventDefault()
    // The palette would hide an open dialog.
    if (!isOpen && document.querySelector('dialog[open]')) return
    isOpen = !isOpen
  },
}
