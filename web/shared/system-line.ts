/** The socket with the events of all personas. */
import { connection } from './connection.svelte.ts'
import { preloadNewestPage } from './first-page.ts'
import { register } from './people.svelte.ts'
import type { Frame } from './shapes.ts'
import { openLine } from './socket.ts'

const listeners = new Set<(frame: Frame) => void>()

/**
 * Calls the listener with every frame until the returned function is called. `reset` means that frames may
 * have been missed.
 */
export const subscribe = (listener: (frame: Frame) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const openSystemLine = (): void => {
  let isOpened = false
  const publish = (frame: Frame) => {
    for (const listener of [...listeners]) listener(frame)
  }
  openLine({
    path: () => '/ws/system',
    onFrame: (frame) => {
      register.take(frame)
      publish(frame)
    },
    onState: (open) => {
      connection.report('system', open)
      // Reloads the list, which may have changed while disconnected. If the daemon is down, the request fails
      // with a reason.
      const first = register.current().phase === 'loading'
      if (open || first) void register.load().then(first ? preloadNewestPage : undefined)
      if (!open) return
      if (isOpened) publish({ type: 'reset', seq: null, fact: '', of: '', details: {} })
      isOpened = true
    },
  })
}
