/**
 * Sends missed facts from the journal, page by page at the client's pace, until live delivery can continue.
 */

import type { PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Journal } from '../../journal/log/journal.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { PersonaStore, Reading } from '../persona/persona-store.ts'
import type { Seat } from './audience.ts'
import type { Client } from './client.ts'
import { createFrames, type Frame, resetFrame } from './frames.ts'
import { getEndStep, laterStep, type Step, unbegun } from './thoughts.ts'

export interface ReplayLimits {
  /** If more than `most` facts were missed, the client is reset and gets the last `kept`. */
  readonly most: number
  readonly kept: number
  /** Max facts and bytes per page. */
  readonly page: number
  readonly pageBytes: number
}

interface Deps {
  readonly personas: Pick<PersonaStore, 'read'>
  readonly encode: (frame: Frame) => Buffer
  readonly stamp: () => string
  readonly log: Log
  readonly limits: ReplayLimits
}

/** Facts up to `seq` were sent; `seen` is the last step that they ended. */
interface Place {
  readonly seq: Seq | 0
  readonly seen: Step
}

interface Page {
  readonly place: Place
  readonly frames: readonly Buffer[]
  readonly damaged: boolean
}

/**
 * Resolves when the client is live or gone. Throws Refused if the persona is unknown or removed. Holds the
 * journal only while reading a page.
 */
export const backfill = async (
  deps: Deps,
  id: PersonaId,
  after: Seq | 0,
  { client, seat }: { client: Client; seat: Seat },
): Promise<void> => {
  const { personas, encode, stamp, log, limits } = deps
  let place: Place | null = null

  const step = async ({ persona, journal }: Reading) => {
    const begins = place
      ? { place, anew: false }
      : beginning(after, persona.self.restored, journal.head.seq, limits)
    const page = await readPage(deps, id, journal, begins.place)
    place = page.place
    const taken = client.replay(begins.anew ? [encode(resetFrame(stamp())), ...page.frames] : page.frames)
    if (page.damaged)
      log.warn({ id, seq: place.seq }, 'journal is damaged here; the backfill of a listener ends')
    // No await between reading the head and going live: later commits come over the bus.
    const live = page.damaged || place.seq >= journal.head.seq
    if (live) seat.goLive(place.seq, place.seen)
    return { live, taken }
  }

  for (let live = false; !live && !client.gone.aborted; ) {
    const done = await personas.read(id, step)
    live = done.live
    await done.taken
  }
}

/** Also resets clients of a history that a restore replaced: beyond its end, or from before it. */
const beginning = (
  after: Seq | 0,
  restored: Seq | 0,
  head: Seq | 0,
  { most, kept }: ReplayLimits,
): { place: Place; anew: boolean } => {
  const anew = head - after > most || (restored > 0 && after > 0 && (after < restored || after > head))
  return { place: { seq: anew ? Math.max(0, head - kept) : Math.min(after, head), seen: unbegun }, anew }
}

/** Reads up to the limits, not beyond the head. */
const readPage = async (
  { encode, limits }: Deps,
  id: PersonaId,
  journal: Journal,
  { seq: after, seen }: Place,
): Promise<Page> => {
  const frames: Buffer[] = []
  const upTo = Math.min(journal.head.seq, after + limits.page)
  let place: Place = { seq: after, seen }
  let bytes = 0
  if (upTo <= after) return { place, frames, damaged: false }
  try {
    for await (const entry of journal.read({ after, upTo })) {
      const told = createFrames(id, entry).map(encode)
      frames.push(...told)
      place = { seq: entry.seq, seen: laterStep(place.seen, getEndStep(entry.event)) }
      bytes += told.reduce((sum, { length }) => sum + length, 0)
      if (bytes >= limits.pageBytes) break
    }
    // Positions have no gaps: a missing one is damage.
    return { place, frames, damaged: place.seq === after }
  } catch (error) {
    if (error instanceof Damaged) return { place, frames, damaged: true }
    throw error
  }
}
