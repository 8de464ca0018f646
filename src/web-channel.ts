/** The web channel of each persona: open while somebody is there to listen, or was since it last woke. */
import type { Channel, PersonaId } from '../journal/facts/fact-values.ts'

export interface WebChannel {
  /** Whether words for it are taken: never while it is not running. */
  isOpen(id: PersonaId): boolean
  /** Whether somebody listens now. */
  isHeard(id: PersonaId): boolean
  /** A listener came; call the result when it goes. */
  connect(id: PersonaId): () => void
  /** Opened by a caller that waits for the reply itself. */
  open(id: PersonaId): void
  /** It woke by start or boot: who listened before and is gone does not count. */
  woke(id: PersonaId): void
  /** It was stopped. */
  stopped(id: PersonaId): void
}

export const webChannelOf = (id: PersonaId): Channel => ({ type: 'web', name: id })

export const createWebChannel = ({
  running,
  changed,
}: {
  running: (id: PersonaId) => boolean
  changed: (id: PersonaId) => void
}): WebChannel => {
  const listeners = new Map<PersonaId, number>()
  const opened = new Set<PersonaId>()

  const isOpen = (id: PersonaId) => running(id) && (opened.has(id) || listeners.has(id))
  const changing = (id: PersonaId, change: () => void) => {
    const before = isOpen(id)
    change()
    if (isOpen(id) !== before) changed(id)
  }
  const leave = (id: PersonaId) => {
    const left = (listeners.get(id) ?? 1) - 1
    if (left > 0) listeners.set(id, left)
    else listeners.delete(id)
  }

  return {
    isOpen,
    isHeard: (id) => listeners.has(id),
    connect: (id) => {
      changing(id, () => {
        listeners.set(id, (listeners.get(id) ?? 0) + 1)
        opened.add(id)
      })
      return () => changing(id, () => leave(id))
    },
    open: (id) => changing(id, () => opened.add(id)),
    woke: (id) => changing(id, () => (listeners.has(id) ? opened.add(id) : opened.delete(id))),
    stopped: (id) => changing(id, () => opened.delete(id)),
  }
}
