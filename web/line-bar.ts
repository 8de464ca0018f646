/** The quiet bar that says when the service cannot be heard. */
import { el } from './dom.ts'
import { text } from './strings.ts'

export interface LineBar {
  readonly element: HTMLElement
  readonly report: (name: string, open: boolean) => void
  readonly forget: (name: string) => void
}

/** Milliseconds a line may be down before it is worth a word. */
const patience = 900

export const createLineBar = (): LineBar => {
  const element = el('div', { class: 'line-bar', role: 'status' })
  const down = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const settle = () => {
    if (down.size === 0) {
      clearTimeout(timer)
      timer = undefined
      element.replaceChildren()
      return
    }
    timer ??= setTimeout(() => element.replaceChildren(el('p', {}, text.lineLost)), patience)
  }

  const forget = (name: string) => {
    down.delete(name)
    settle()
  }

  return {
    element,
    forget,
    report: (name, open) => {
      if (open) return forget(name)
      down.add(name)
      settle()
    },
  }
}
