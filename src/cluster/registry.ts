/** The daemons of the cluster: each announces itself for as long as it lives, and knows of the others. */
import * as z from 'zod'
import type { Log } from '../../packages/kit/log.ts'
import { leaseTime, type Servers } from './buckets.ts'
import { openWatched } from './watched-bucket.ts'

/** A daemon as it announces itself; its id is that of its home. */
const Announcement = z.object({
  /** Of this run of it. */
  instance: z.string(),
  /** Where the others reach it; no secret. */
  advertise: z.url({ protocol: /^https?$/ }),
  /** Epoch milliseconds. */
  since: z.int(),
  /** It takes nobody any more. */
  leaving: z.boolean(),
})
export type Announcement = z.infer<typeof Announcement>

/** Undefined for what this version cannot read. */
export const readAnnouncement = (value: unknown): Announcement | undefined =>
  Announcement.safeParse(value).data

export interface Registry {
  /** Those that were heard of within the time of a lease, this one among them; by id. */
  alive(): ReadonlyMap<string, Announcement>
  /** Of those alive that take personas, in the order of their ids. */
  taking(): readonly string[]
  /** The last that was heard of one that may be gone. */
  known(daemon: string): Announcement | undefined
  /** When the servers took its own announcement last: milliseconds of `performance.now()`. */
  readonly answered: number
  /** Whether the servers answer now: that is waited for. */
  answers(): Promise<boolean>
  /** Says that it takes nobody any more. Resolves when the servers have it, or do not answer. */
  leave(): Promise<void>
  /** It is gone. Never rejects. */
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

/** Milliseconds between two announcements: some may be lost. */
const every = leaseTime / 8
/** The same between two whole readings of the others. */
const readAgain = 20_000

export const openRegistry = async (deps: Deps): Promise<Registry> => {
  const { servers, self, instance, advertise, log } = deps
  const remembered = new Map<string, Announcement>()
  const bucket = await openWatched<Announcement>({
    ...{ servers, log, name: 'daemons' },
    read: readAnnouncement,
    changed: (daemon, announcement) => void (announcement && remembered.set(daemon, announcement)),
  })
  let own: Announcement = { instance, advertise, since: deps.now(), leaving: false }
  let answered = performance.now()
  let closed = false

  const announce = async () => {
    const asked = performance.now()
    await bucket.put(self, own)
    answered = Math.max(answered, asked)
  }
  let announcing: Promise<boolean> | undefined
  /** One at a time. Never rejects: whoever is silent is told of by what it does not do. */
  const beat = (): Promise<boolean> => {
    announcing ??= announce()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        announcing = undefined
      })
    return announcing
  }
  await beat()
  const beating = setInterval(() => void beat(), every)
  const reading = setInterval(() => void bucket.refresh().catch(() => undefined), readAgain)

  const alive = () => {
    const since = performance.now() - leaseTime
    const there = [...bucket.entries].filter(([, { at }]) => at > since)
    const others = there.flatMap(([id, { value }]) => (id === self ? [] : [[id, value] as const]))
    return new Map<string, Announcement>(closed ? others : [...others, [self, own]])
  }
  return {
    alive,
    taking: () => [...alive()].flatMap(([id, { leaving }]) => (leaving ? [] : [id])).sort(),
    known: (daemon) => (daemon === self ? own : remembered.get(daemon)),
    get answered() {
      return answered
    },
    answers: beat,
    leave: async () => {
      own = { ...own, leaving: true }
      await announce().catch(() => undefined)
    },
    close: async () => {
      closed = true
      clearInterval(beating)
      clearInterval(reading)
      await announcing
      await bucket.remove(self).catch(() => undefined)
      bucket.close()
    },
  }
}
