/** Folds the state of a persona again from its first fact, while commands are handled. */
import { isDeepStrictEqual } from 'node:util'
import { toPlain } from '../../journal/log/batch-encoder.ts'
import type { Head } from '../../journal/log/head.ts'
import { createYielding, type MaybeYield } from '../../packages/kit/flow/yielding.ts'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import { evolveStored, type Persona, personaVersion } from '../../projections/persona.ts'
import { projector } from './fold.ts'
import { type JournalHandle, requireGate } from './journal-handle.ts'
import type { RebuiltState } from './persona-store.ts'
import { JournalUnavailable } from './refusals.ts'

interface Deps {
  readonly log: DiscreetLog
  readonly signal: AbortSignal
  /** Called after each fact. */
  readonly onPosition?: (seq: number) => void
  /** Called with the new state if it differs. */
  readonly onReplaced: (persona: Persona, head: Head) => void
}

/** Attempts to replace the state between two commands. */
const maxAttempts = 1000

/** Throws Damaged, JournalUnavailable, or the signal's reason; then nothing has changed. */
export const rebuildState = async (
  handle: JournalHandle,
  { log, signal, onPosition, onReplaced }: Deps,
): Promise<RebuiltState> => {
  const gate = requireGate(handle)
  const { journal } = handle
  const { head, persona: livePersona } = gate
  const maybeYield = createYielding(signal)
  const foldOn = async (state: Persona | undefined, afterSeq: number, upTo: number) => {
    let persona = state
    for await (const entry of journal.read({ after: afterSeq, upTo })) {
      persona = evolveStored(persona, entry)
      onPosition?.(entry.seq)
      await maybeYield()
    }
    return persona
  }
  let persona = await foldOn(undefined, 0, head.seq)
  if (!persona || !livePersona) throw new JournalUnavailable('there is no first fact')
  const differing = await findDifferences(persona, livePersona, maybeYield)
  if (differing.length === 0) return { head, differing }
  const { id } = persona.self
  log.error({ id, reason: differing.join(', ') }, 'a state differed from its facts and is replaced')
  let foldedHead = head
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    await gate.quiet()
    if (gate.replaceState(persona, foldedHead)) {
      onReplaced(persona, foldedHead)
      // Earlier snapshots may be wrong, too.
      const snapshot = { projector, version: personaVersion, head: foldedHead, state: persona, alone: true }
      if (!persona.stale) await gate.write((open) => open.keepSnapshot(snapshot))
      return { head: foldedHead, differing }
    }
    const nextHead = gate.head
    persona = (await foldOn(persona, foldedHead.seq, nextHead.seq)) ?? persona
    foldedHead = nextHead
  }
  throw new JournalUnavailable('the persona writes too often to replace its state now')
}

/** Returns the names of the parts that differ. */
const findDifferences = async (
  rebuilt: Persona,
  live: Persona,
  maybeYield: MaybeYield,
): Promise<readonly string[]> => {
  const names = new Set([...Object.keys(rebuilt), ...Object.keys(live)]) as Set<keyof Persona>
  const differing: string[] = []
  for (const name of names) {
    await maybeYield()
    if (!isDeepStrictEqual(toPlain(rebuilt[name]), toPlain(live[name]))) differing.push(name)
  }
  return differing
}
