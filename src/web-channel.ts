/**
 * The web channel of each persona. It is open if a client listens, or has listened since the persona started.
 */
import type { Channel, PersonaId } from '../facts/fact-values.ts'

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
  onStop(id: PersonaId): void
}

export const toWebChannel = (id: PersonaId): Channel => ({ type: 'web', name: id })

export const createWebChannel = ({
  isRunning,
  onChange,
  onConnect = () => undefined,
}: {
  isRunning: (id: PersonaId) => boolean
  onChange: (id: PersonaId) => void
  /** Called for every listener. */
  onConnect?: (id: PersonaId) => void
}): WebChannel => {
  const listeners = new Map<PersonaId, number>()
  const openedIds = new Set<PersonaId>()

  const isOpen = (id: PersonaId) => isRunning(id) && (openedIds.has(id) || listeners.has(id))
  const changeListeners = (id: PersonaId, change: () => void) => {
    const wasOpen = isOpen(id)
    change()
    if (isOpen(id) !== wasOpen) onChange(id)
  }
  const leave = (id: PersonaId) => {
    const listenersLeft = (listeners.get(id) ?? 1) - 1
    if (listenersLeft > 0) listeners.set(id, listenersLeft)
    else listeners.delete(id)
  }

  return {
    isOpen,
    isHeard: (id) => listeners.has(id),
    connect: (id) => {
      changeListeners(id, () => {
        listeners.set(id, (listeners.get(id) ?? 0) + 1)
        openedIds.add(id)
      })
      onConnect(id)
      return () => changeListeners(id, () => leave(id))
    },
    open: (id) => changeListeners(id, () => openedIds.add(id)),
    woke: (id) => changeListeners(id, () => (listeners.has(id) ? openedIds.add(id) : openedIds.delete(id))),
    onStop: (id) => changeListeners(id, () => openedIds.delete(id)),
  }
}
