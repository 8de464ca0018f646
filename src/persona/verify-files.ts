/** Verifies files by their checksum and snapshots by replaying all facts. */

import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Seq } from '../../journal/facts/fact-values.ts'
import { isKnown } from '../../journal/facts/facts.ts'
import { present } from '../../journal/files/moves.ts'
import { toPlain } from '../../journal/log/batch-encoder.ts'
import type { Journal } from '../../journal/log/journal.ts'
import { mayNameMedia, toEntry } from '../../journal/log/record.ts'
import type { StoredRecord } from '../../journal/log/stored-record.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import { evolve, type Persona, personaVersion } from '../../projections/persona.ts'
import { projector } from './fold.ts'
import type { Vouched } from './media-integrity.ts'

/** `unhashed`: facts without a checksum, written by older versions. File names are the daemon's own. */
export interface MediaVerdict {
  readonly checked: number
  readonly unhashed: number
  readonly missing: readonly string[]
  readonly damaged: readonly string[]
}

/** `named`: the files named by an intact journal. */
export const verifyMedia = async (
  named: readonly Vouched[],
  folder: string,
  isSound: (media: Vouched) => Promise<boolean>,
): Promise<MediaVerdict> => {
  const missing: string[] = []
  const damaged: string[] = []
  let unhashed = 0
  for (const media of named) {
    const { filename, sha256 } = media
    if (sha256 === null) unhashed++
    if (!(await present(stat(join(folder, basename(filename)))))) missing.push(filename)
    else if (!(await isSound(media))) damaged.push(filename)
  }
  return { checked: named.length, unhashed, missing, damaged }
}

/** Returns the file that a fact names. Throws Damaged. */
export const mediaIn = (record: StoredRecord): Vouched | undefined => {
  if (!mayNameMedia(record) || !isKnown(record.type, record.version)) return undefined
  const { event } = toEntry(record)
  return 'media' in event && event.media ? event.media : undefined
}

export interface SnapshotsVerdict {
  readonly checked: number
  /** Positions of snapshots that differ from the facts. */
  readonly wrong: readonly Seq[]
}

/** Verifies the snapshots in use. Throws Damaged. */
export const verifySnapshots = async (
  journal: Journal,
  maybeYield: MaybeYield,
): Promise<SnapshotsVerdict> => {
  const kept: Seq[] = []
  const before = (seq: Seq) => journal.snapshot(projector, personaVersion, seq)
  for (let one = await before(journal.head.seq); one; one = await before(one.head.seq - 1))
    kept.unshift(one.head.seq)
  const wrong: Seq[] = []
  let persona: Persona | undefined
  let n = 0
  for await (const entry of journal.read({ upTo: kept.at(-1) ?? 0 })) {
    persona = evolve(persona, entry)
    await maybeYield()
    if (entry.seq !== kept[n]) continue
    const snapshot = await before(entry.seq)
    if (!isDeepStrictEqual(toPlain(persona), snapshot?.state)) wrong.push(entry.seq)
    n++
  }
  return { checked: kept.length, wrong }
}
