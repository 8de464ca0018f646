/** Whether the palette is open, and the keys that open it. */
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
  pressed(event: KeyboardEvent): void {
    const asked = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (!asked || event.shiftKey || event.altKey) return
    event.preventDefault()
    // Over another sheet it would hide what is asked there.
    if (!isOpen && document.querySelector('dialog[open]')) return
    isOpen = !isOpen
  },
}
