/** What the daemon tells of all its personas. */
import { connection } from './connection.svelte.ts'
import { askAhead } from './first-page.ts'
import { register } from './people.svelte.ts'
import type { Frame } from './shapes.ts'
import { openLine } from './socket.ts'

const listeners = new Set<(frame: Frame) => void>()

/**
 * Hands over what it tells, until the returned function is called: `reset` where something may have been
 * missed.
 */
export const hear = (listener: (frame: Frame) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const openSystemLine = (): void => {
  let opened = false
  const told = (frame: Frame) => {
    for (const listener of [...listeners]) listener(frame)
  }
  openLine({
    path: () => '/ws/system',
    onFrame: (frame) => {
      register.take(frame)
      told(frame)
    },
    onState: (open) => {
      connection.report('system', open)
      // Whatever changed while nobody listened is in the list; where nothing listens, asking says why.
      const first = register.now().phase === 'loading'
      if (open || first) void register.load().then(first ? askAhead : undefined)
      if (!open) return
      if (opened) told({ type: 'reset', seq: null, fact: '', of: '', details: {} })
      opened = true
    },
  })
}
