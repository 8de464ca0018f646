/** The list of personas, kept up to date by the system socket. */
import * as api from './api.ts'
import type { Copy, Frame, Persona } from './shapes.ts'

export type People =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly words: string; readonly isUnreachable: boolean }
  | { readonly phase: 'here'; readonly personas: readonly Persona[]; readonly copy: Copy | null }

export interface Register {
  readonly current: () => People
  readonly find: (id: string) => Persona | undefined
  /** Loads the whole list. Keeps the old one on failure. */
  readonly load: () => Promise<void>
  readonly take: (frame: Frame) => void
  readonly drop: (id: string) => void
  /** Calls the listener after every change, until the returned function is called. */
  readonly watch: (listener: () => void) => () => void
}

export const createRegister = (): Register => {
  let people: People = { phase: 'loading' }
  let requests = 0
  let lastAnswered = 0
  const listeners = new Set<() => void>()

  const publish = (next: People) => {
    people = next
    for (const listener of [...listeners]) listener()
  }

  const load = async () => {
    requests += 1
    const request = requests
    const answer = await api.personas()
    if (request !== requests) return
    lastAnswered = request
    if (answer.ok) publish({ phase: 'here', ...answer.value })
    else if (people.phase !== 'here')
      publish({
        phase: 'failed',
        words: answer.failure.message,
        isUnreachable: answer.failure.status === null,
      })
  }

  const storePersona = (persona: Persona) => {
    if (people.phase !== 'here') return
    const isKnown = people.personas.some(({ id }) => id === persona.id)
    const personas = isKnown
      ? people.personas.map((current) => (current.id === persona.id ? persona : current))
      : [...people.personas, persona]
    publish({ ...people, personas })
  }

  const drop = (deletedId: string) => {
    if (people.phase === 'here')
      publish({ ...people, personas: people.personas.filter(({ id }) => id !== deletedId) })
  }

  return {
    current: () => people,
    find: (id) =>
      people.phase === 'here' ? people.personas.find((persona) => persona.id === id) : undefined,
    load,
    drop,
    take: (frame) => {
      if (frame.type === 'persona') storePersona(frame.persona)
      if (frame.type === 'deleted' && frame.id !== null) drop(frame.id)
      // A pending response may be older than this frame, so the list is requested again.
      if ((frame.type === 'persona' || frame.type === 'deleted') && lastAnswered !== requests) void load()
    },
    watch: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
