/** A daemon reduced to its sockets: personas in memory, a real HTTP server on a free port, real clients. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PersonaId } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Commit, Entry, Journal } from '../../facts/persona-journal.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import { toPersonaView } from '../../projections/view.ts'
import { createBus } from '../../src/bus.ts'
import type { PersonaStore } from '../../src/persona/persona-store.ts'
import { Refused } from '../../src/persona/refusals.ts'
import { createSocketServer, type SocketDeps } from '../../src/socket/socket-server.ts'
import { createWebChannel } from '../../src/web-channel.ts'
import { toParts } from '../message-parts.ts'
import { providerUrls } from '../provider-urls.ts'
import { createGuest, type Guest } from './guest.ts'

const start = Date.UTC(2026, 5, 4, 6, 1, 53, 655)
const urls = providerUrls({ local: 'http://localhost:11434' })

/** Creates a stopped clock, except for close timeouts; `beat` runs all interval callbacks. */
const stillClock = () => {
  const beats = new Set<() => void>()
  const clock: Clock = {
    now: () => start,
    zone: 'Europe/Berlin',
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        signal?.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      }),
    every: (_, beat) => {
      beats.add(beat)
      return () => beats.delete(beat)
    },
  }
  const beat = () => {
    for (const ring of beats) ring()
  }
  return { clock, beat }
}

/** Returns entries as a journal yields them, for facts at consecutive positions. */
export const toEntries = (afterSeq: number, events: readonly PersonaEvent[]): readonly Entry[] =>
  events.map((event, index) => ({
    seq: afterSeq + 1 + index,
    commit: `c${afterSeq + 1}`,
    type: event.type,
    at: start,
    offset: 120,
    cause: { by: 'person' },
    event,
  }))

export const born = (id: PersonaId): PersonaEvent => ({
  type: 'PersonaCreated',
  id,
  name: 'Ada',
  birthday: '2026-06-04',
  idleTimeout: 3600,
  recipient: 'age1',
})
export const createMessageHeard = (content: string): PersonaEvent => ({
  type: 'MessageHeard',
  channel: null,
  parts: toParts(content),
  media: null,
  key: null,
})
export const createMessageSpoken = (content: string, turn = 1, step = 0): PersonaEvent => ({
  type: 'MessageSpoken',
  turn,
  step,
  channel: null,
  content,
  media: null,
  asks: null,
})

/** A journal that pauses between records, and counts its readers. */
const createStory = (pause: () => Promise<void>) => {
  const entries: Entry[] = []
  let failAfter = Number.POSITIVE_INFINITY
  const head = () => ({ seq: entries.length, hash: '' })
  async function* read({ after = 0, upTo = entries.length }: { after?: number; upTo?: number }) {
    for (let seq = after + 1; seq <= upTo; seq++) {
      if (seq >= failAfter) throw new Damaged(seq, 'missing')
      await pause()
      const entry = entries[seq - 1]
      if (entry) yield entry
    }
  }
  const journal = {
    get head() {
      return head()
    },
    read,
  } as unknown as Journal
  return { entries, journal, breakAt: (seq: number) => (failAfter = seq) }
}

export const stage = async (options: Partial<SocketDeps> & { readonly pause?: () => Promise<void> } = {}) => {
  const { pause = () => Promise.resolve(), ...given } = options
  const bus = createBus()
  const { clock, beat } = stillClock()
  const stories = new Map<PersonaId, ReturnType<typeof createStory> & { persona: Persona | undefined }>()
  const web = createWebChannel({
    isRunning: () => true,
    onChange: (id) => bus.sign({ type: 'presence', id }),
  })
  let readerCount = 0
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (fields, message) => console.error(message, fields),
  }

  const getStory = (id: PersonaId) => {
    const story = stories.get(id)
    if (!story?.persona || story.persona.self.deleted) throw new Refused({ code: 'persona_unknown' })
    return { ...story, persona: story.persona }
  }
  const personas: Pick<PersonaStore, 'getRow' | 'read' | 'ready'> = {
    ready: Promise.resolve(),
    getRow: (id) => {
      const self = stories.get(id)?.persona?.self
      return self && { self, trouble: null }
    },
    read: async (id, look) => {
      readerCount++
      try {
        const { persona, journal } = getStory(id)
        return await look({ persona, journal })
      } finally {
        readerCount--
      }
    },
  }

  /** Writes a commit that is not published yet. */
  const append = (id: PersonaId, events: readonly PersonaEvent[]): Commit => {
    const story = stories.get(id) ?? { ...createStory(pause), persona: undefined }
    stories.set(id, story)
    const entries = toEntries(story.entries.length, events)
    story.entries.push(...entries)
    return { entries, head: { seq: story.entries.length, hash: '' } }
  }
  const publish = (id: PersonaId, commit: Commit) => {
    const story = stories.get(id)
    if (!story) return
    for (const entry of commit.entries) story.persona = evolve(story.persona, entry)
    if (story.persona) bus.publish({ id, persona: story.persona, ...commit })
  }

  const view = (id: PersonaId) => {
    const self = stories.get(id)?.persona?.self
    return self && toPersonaView(self, { running: true, webOpen: web.isOpen(id) }, urls)
  }
  const sockets = createSocketServer({ personas, bus, web, view, clock, log, ...given })
  const http = createServer().on('upgrade', sockets.onUpgrade)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const guests: Guest[] = []

  return {
    bus,
    beat,
    web,
    port,
    sockets,
    append,
    publish,
    commit: (id: PersonaId, ...events: PersonaEvent[]) => publish(id, append(id, events)),
    breakAt: (id: PersonaId, seq: number) => stories.get(id)?.breakAt(seq),
    readers: () => readerCount,
    connect: async (path: string): Promise<Guest> => {
      const guest = createGuest(`ws://127.0.0.1:${port}${path}`)
      guests.push(guest)
      await guest.whenOpened
      return guest
    },
    close: async () => {
      for (const { ws } of guests) ws.terminate()
      await sockets.close()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
export type Stage = Awaited<ReturnType<typeof stage>>
