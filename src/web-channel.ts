/**
 * The web channel of each persona. It is open if a client listens, or has listened since the persona started.
 */
import type { Channel, PersonaId } from '../journal/facts/fact-values.ts'

export interface WebChannel {
  /** Returns true if messages for it are accepted. Never true while the persona is stopped. */
  isOpen(id: PersonaId): boolean
  /** Returns true if a client listens now. */
  isHeard(id: PersonaId): boolean
  /** Registers a listener. Returns a function that removes it. */
  connect(id: PersonaId): () => void
  /** Opens it for a caller that waits for the reply itself. */
  open(id: PersonaId): void
  /** The persona started. Earlier listeners that have left no longer count. */
  woke(id: PersonaId): void
  /** The persona was stopped. */
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
