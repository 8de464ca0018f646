/**
 * Sends missed facts from the journal, page by page at the client's pace, until live delivery can continue.
 */

import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { PersonaStore, Reading } from '../persona/persona-store.ts'
import type { Seat } from './audience.ts'
import type { Client } from './client.ts'
import { createFrames, type Frame, resetFrame } from './frames.ts'
import { getEndStep, laterStep, noStep, type Step } from './thoughts.ts'

export interface ReplayLimits {
  /** If more than `most` facts were missed, the client is reset and gets the last `kept`. */
  readonly maxEntries: number
  readonly keptEntries: number
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
  readonly lastStep: Step
}

interface Page {
  readonly place: Place
  readonly frames: readonly Buffer[]
  readonly isDamaged: boolean
}

/**
 * Resolves when the client is live or gone. Throws Refused if the persona is unknown or removed. Holds the
 * journal only while reading a page.
 */
export const backfill = async (
  deps: Deps,
  id: PersonaId,
  afterSeq: Seq | 0,
  { client, seat }: { client: Client; seat: Seat },
): Promise<void> => {
  const { personas, encode, stamp, log, limits } = deps
  let place: Place | null = null

  const step = async ({ persona, journal }: Reading) => {
    const start = place
      ? { place, needsReset: false }
      : beginning(afterSeq, persona.self.restored, journal.head.seq, limits)
    const page = await readPage(deps, id, journal, start.place)
    place = page.place
    const sendTask = client.replay(
      start.needsReset ? [encode(resetFrame(stamp())), ...page.frames] : page.frames,
    )
    if (page.isDamaged)
      log.warn({ id, seq: place.seq }, 'journal is damaged here; the backfill of a listener ends')
    // No await between reading the head and going live: later commits come over the bus.
    const isLive = page.isDamaged || place.seq >= journal.head.seq
    if (isLive) seat.goLive(place.seq, place.lastStep)
    return { live: isLive, taken: sendTask }
  }

  for (let isLive = false; !isLive && !client.closeSignal.aborted; ) {
    const hasFinished = await personas.read(id, step)
    isLive = hasFinished.live
    await hasFinished.taken
  }
}

/** Also resets clients of a history that a restore replaced: beyond its end, or from before it. */
const beginning = (
  afterSeq: Seq | 0,
  restoredSeq: Seq | 0,
  head: Seq | 0,
  { maxEntries, keptEntries }: ReplayLimits,
): { place: Place; needsReset: boolean } => {
  const needsReset =
    head - afterSeq > maxEntries ||
    (restoredSeq > 0 && afterSeq > 0 && (afterSeq < restoredSeq || afterSeq > head))
  return {
    place: { seq: needsReset ? Math.max(0, head - keptEntries) : Math.min(afterSeq, head), lastStep: noStep },
    needsReset,
  }
}

/** Reads up to the limits, not beyond the head. */
const readPage = async (
  { encode, limits }: Deps,
  id: PersonaId,
  journal: Journal,
  { seq: afterSeq, lastStep }: Place,
): Promise<Page> => {
  const frames: Buffer[] = []
  const upTo = Math.min(journal.head.seq, afterSeq + limits.page)
  let place: Place = { seq: afterSeq, lastStep }
  let bytes = 0
  if (upTo <= afterSeq) return { place, frames, isDamaged: false }
  try {
    for await (const entry of journal.read({ after: afterSeq, upTo })) {
      const entryFrames = createFrames(id, entry).map(encode)
      frames.push(...entryFrames)
      place = { seq: entry.seq, lastStep: laterStep(place.lastStep, getEndStep(entry.event)) }
      bytes += entryFrames.reduce((sum, { length }) => sum + length, 0)
      if (bytes >= limits.pageBytes) break
    }
    // Positions have no gaps: a missing one is damage.
    return { place, frames, isDamaged: place.seq === afterSeq }
  } catch (error) {
    if (error instanceof Damaged) return { place, frames, isDamaged: true }
    throw error
  }
}
