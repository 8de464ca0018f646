/** Listeners on `/ws/system`: facts without text, personas that come and go, and changed views. */
import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import type { Self } from '../../projections/self.ts'
import type { PersonaView } from '../../projections/view.ts'
import type { PersonaCommit, Sign } from '../bus.ts'
import type { Client } from './client.ts'
import {
  changedFrame,
  createSystemFrames,
  type Frame,
  feedFrame,
  goneFrame,
  localTimestamp,
  progressFrame,
  type SystemFrame,
} from './frames.ts'

export interface SystemRoom {
  join(client: Client): void
  leave(client: Client): void
  publish(commit: PersonaCommit): void
  sign(sign: Sign): void
}

interface Deps {
  /** The current view in the list. */
  readonly view: (id: PersonaId) => PersonaView | undefined
  readonly encode: (frame: Frame) => Buffer
  readonly stamp: () => string
}

export const createSystemRoom = ({ view, encode, stamp }: Deps): SystemRoom => {
  const room = new Set<Client>()
  const news = createNews(view)

  const send = (frames: readonly SystemFrame[]) => {
    const bytes = frames.map(encode)
    for (const client of room) client.send(bytes)
  }

  return {
    join: (client) => room.add(client),
    leave: (client) => {
      room.delete(client)
      if (room.size === 0) news.forget()
    },
    publish: (commit) => {
      if (room.size > 0) send(news.ofCommit(commit))
    },
    sign: (sign) => {
      if (room.size === 0) return
      if (sign.type === 'presence' || sign.type === 'well') send(news.changed(sign.id, stamp(), null))
      if (sign.type === 'gone') send(news.gone(sign.id, stamp()))
      if (sign.type === 'elsewhere')
        send(sign.deleted ? news.gone(sign.id, stamp()) : news.changed(sign.id, stamp(), null))
      if (sign.type === 'progress') send([progressFrame(sign, stamp())])
      if (sign.type === 'feeding') send([feedFrame(sign, stamp())])
    },
  }
}

/** Remembers the last view, so that only changed ones are sent. */
const createNews = (view: Deps['view']) => {
  const lastStatus = new Map<PersonaId, string>()
  const selves = new Map<PersonaId, Self>()

  const createStatusFrames = (id: PersonaId, time: string, seq: Seq | null): readonly SystemFrame[] => {
    const now = view(id)
    const text = JSON.stringify(now)
    if (!now || lastStatus.get(id) === text) return []
    lastStatus.set(id, text)
    return [changedFrame(id, now, time, seq)]
  }

  /** The creation frame contains the view. */
  const viewNewborn = (id: PersonaId): PersonaView | null => {
    const now = view(id) ?? null
    lastStatus.set(id, JSON.stringify(now))
    return now
  }

  return {
    changed: createStatusFrames,
    gone: (id: PersonaId, time: string): readonly SystemFrame[] => {
      lastStatus.delete(id)
      selves.delete(id)
      return [goneFrame(id, time)]
    },
    ofCommit: ({ id, entries, persona: { self }, head }: PersonaCommit): readonly SystemFrame[] => {
      const facts = entries.flatMap((entry) => createSystemFrames(id, entry, () => viewNewborn(id)))
      const last = entries.at(-1)
      // A fold that does not change the self returns the same object.
      if (!last || selves.get(id) === self) return facts
      selves.set(id, self)
      if (!self.deleted) return [...facts, ...createStatusFrames(id, localTimestamp(last), head.seq)]
      lastStatus.delete(id)
      selves.delete(id)
      return facts
    },
    forget: () => {
      lastStatus.clear()
      selves.clear()
    },
  }
}
