/** Verifies files by their checksum and snapshots by replaying all facts. */

import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Seq } from '../../facts/fact-values.ts'
import { isKnown, personaVocabulary } from '../../facts/facts.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { unlessAbsent } from '../../journal/leveldb/durable-files.ts'
import { toPlain } from '../../journal/log/batch-encoder.ts'
import { mayNameFile, toEntry } from '../../journal/log/record.ts'
import type { StoredRecord } from '../../journal/log/stored-record.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import { evolveStored, type Persona, personaVersion } from '../../projections/persona.ts'
import { projector } from './fold.ts'
import type { MediaChecksum } from './media-integrity.ts'

/** `unhashed`: facts without a checksum, written by older versions. File names are the daemon's own. */
export interface MediaVerdict {
  readonly checked: number
  readonly unhashed: number
  readonly missing: readonly string[]
  readonly damaged: readonly string[]
}

/** `named`: the files named by an intact journal. */
export const verifyMedia = async (
  checksums: readonly MediaChecksum[],
  folder: string,
  isSound: (media: MediaChecksum) => Promise<boolean>,
): Promise<MediaVerdict> => {
  const missingFiles: string[] = []
  const damagedFiles: string[] = []
  let unhashedCount = 0
  for (const media of checksums) {
    const { filename, sha256 } = media
    if (sha256 === null) unhashedCount++
    if (!(await unlessAbsent(stat(join(folder, basename(filename)))))) missingFiles.push(filename)
    else if (!(await isSound(media))) damagedFiles.push(filename)
  }
  return { checked: checksums.length, unhashed: unhashedCount, missing: missingFiles, damaged: damagedFiles }
}

/** Returns the file that a fact names. Throws Damaged. */
export const mediaIn = (record: StoredRecord): MediaChecksum | undefined => {
  if (!mayNameFile(personaVocabulary, record) || !isKnown(record.type, record.version)) return undefined
  const { event } = toEntry(personaVocabulary, record)
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
  const snapshotSeqs: Seq[] = []
  const readSnapshot = (seq: Seq) => journal.snapshot(projector, personaVersion, seq)
  for (
    let snapshot = await readSnapshot(journal.head.seq);
    snapshot;
    snapshot = await readSnapshot(snapshot.head.seq - 1)
  )
    snapshotSeqs.unshift(snapshot.head.seq)
  const wrongSeqs: Seq[] = []
  let persona: Persona | undefined
  let n = 0
  for await (const entry of journal.read({ upTo: snapshotSeqs.at(-1) ?? 0 })) {
    persona = evolveStored(persona, entry)
    await maybeYield()
    if (entry.seq !== snapshotSeqs[n]) continue
    const snapshot = await readSnapshot(entry.seq)
    if (!isDeepStrictEqual(toPlain(persona), snapshot?.state)) wrongSeqs.push(entry.seq)
    n++
  }
  return { checked: snapshotSeqs.length, wrong: wrongSeqs }
}
