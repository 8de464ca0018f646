/** The daemons of the cluster. Each announces itself while it runs, and watches the others. */
import * as z from 'zod'
import type { Log } from '../../packages/kit/log.ts'
import { leaseTime, type Servers } from './buckets.ts'
import { openWatched } from './watched-bucket.ts'

/** The announcement of a daemon. Its key is the daemon id stored in the home. */
const Announcement = z.object({
  /** Identifies this run of the process. */
  instance: z.string(),
  /** Address for the other daemons. It contains no secret. */
  advertise: z.url({ protocol: /^https?$/ }),
  /** Epoch milliseconds. */
  since: z.int(),
  /** True if the daemon takes no more personas. */
  leaving: z.boolean(),
})
export type Announcement = z.infer<typeof Announcement>

/** Returns undefined if this version cannot read the value. */
export const readAnnouncement = (value: unknown): Announcement | undefined =>
  Announcement.safeParse(value).data

export interface Registry {
  /** Returns the daemons that announced themselves within `leaseTime`, including this one, by id. */
  alive(): ReadonlyMap<string, Announcement>
  /** Returns the live daemons that accept personas, sorted by id. */
  listTaking(): readonly string[]
  /** Returns the last announcement of a daemon, even if it has died. */
  known(daemon: string): Announcement | undefined
  /** Time of the last acknowledged announcement of this daemon, as `performance.now()`. */
  readonly answered: number
  /** Waits to find out whether the servers answer. */
  answers(): Promise<boolean>
  /**
   * Announces that this daemon takes no more personas. Resolves when the servers have stored that, or do not
   * answer.
   */
  leave(): Promise<void>
  /** Removes the announcement. Never rejects. */
  close(): Promise<void>
}

interface Deps {
  readonly servers: Servers
  readonly self: string
  readonly instance: string
  readonly advertise: string
  readonly now: () => number
  readonly log: Log
}

/** Milliseconds between two announcements. Several may get lost before the daemon counts as dead. */
const beatMs = leaseTime / 8
/** Milliseconds between two full reloads of the announcements. */
const reloadMs = 20_000

export const openRegistry = async (deps: Deps): Promise<Registry> => {
  const { servers, self, instance, advertise, log } = deps
  const lastSeen = new Map<string, Announcement>()
  const bucket = await openWatched<Announcement>({
    servers,
    log,
    name: 'daemons',
    parse: readAnnouncement,
    onChange: (daemon, announcement) => void (announcement && lastSeen.set(daemon, announcement)),
  })
  let ownAnnouncement: Announcement = { instance, advertise, since: deps.now(), leaving: false }
  let answeredAt = performance.now()
  let isClosed = false

  const announce = async () => {
    const askedAt = performance.now()
    await bucket.put(self, ownAnnouncement)
    answeredAt = Math.max(answeredAt, askedAt)
  }
  let announceTask: Promise<boolean> | undefined
  /**
   * Runs one announcement at a time. Never rejects: if an announcement fails, `answered` does not advance.
   */
  const beat = (): Promise<boolean> => {
    announceTask ??= announce()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        announceTask = undefined
      })
    return announceTask
  }
  await beat()
  const beatTimer = setInterval(() => void beat(), beatMs)
  const reading = setInterval(() => void bucket.refresh().catch(() => undefined), reloadMs)

  const listAlive = () => {
    const aliveSince = performance.now() - leaseTime
    const freshEntries = [...bucket.entries].filter(([, { at }]) => at > aliveSince)
    const otherDaemons = freshEntries.flatMap(([id, { value }]) =>
      id === self ? [] : [[id, value] as const],
    )
    return new Map<string, Announcement>(isClosed ? otherDaemons : [...otherDaemons, [self, ownAnnouncement]])
  }
  return {
    alive: listAlive,
    listTaking: () => [...listAlive()].flatMap(([id, { leaving }]) => (leaving ? [] : [id])).sort(),
    known: (daemon) => (daemon === self ? ownAnnouncement : lastSeen.get(daemon)),
    get answered() {
      return answeredAt
    },
    answers: beat,
    leave: async () => {
      ownAnnouncement = { ...ownAnnouncement, leaving: true }
      await announce().catch(() => undefined)
    },
    close: async () => {
      isClosed = true
      clearInterval(beatTimer)
      clearInterval(reading)
      await announceTask
      await bucket.remove(self).catch(() => undefined)
      bucket.close()
    },
  }
}
