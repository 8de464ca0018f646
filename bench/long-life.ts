/**
 * Measures a journal of 100 000 facts against one of 1000: opening, a page of the conversation, a moment of
 * the past, and the diagnosis.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PersonaId } from '../facts/fact-values.ts'
import { type Journal, type Journals, openPersonaJournals } from '../facts/persona-journal.ts'
import { openHomeStores } from '../home/home-stores.ts'
import { evolve, type Persona, personaVersion } from '../projections/persona.ts'
import { fold, projector } from '../src/persona/fold.ts'
import { call } from '../test/calls.ts'
import { startDaemon } from '../test/daemon.ts'
import { createName, fillHome } from '../test/ordeal/homes.ts'
import { type Figure, median } from './figure.ts'
import { measureMs } from './load.ts'

/** `BENCH_FACTS=200000` for another length. */
const facts = Number(process.env.BENCH_FACTS) || 100_000
const rounds = 21

export const longLife = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  const longLife = createName(0)
  const shortLife = createName(1)
  await fillHome(home, [facts, 1000])
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  // The first opening in a process checks every file.
  await measureWaking(journals, longLife)
  await measureWaking(journals, shortLife)
  const wakings = { long: [] as number[], short: [] as number[] }
  for (let n = 0; n < rounds; n++) {
    wakings.long.push(await measureWaking(journals, longLife))
    wakings.short.push(await measureWaking(journals, shortLife))
  }
  const longJournal = await journals.open(longLife, 'reader')
  const otherJournal = await journals.open(shortLife, 'reader')
  const pages = { long: [] as number[], short: [] as number[] }
  const moments: number[] = []
  for (let n = 0; n < rounds; n++) {
    const lastSeq = Math.floor((facts * (n + 1)) / (rounds + 1))
    pages.long.push(await measureMs(() => page(longJournal, lastSeq)))
    pages.short.push(await measureMs(() => page(otherJournal, 900)))
    moments.push(await measureMs(() => moment(longJournal, lastSeq)))
  }
  await Promise.all([longJournal.close(), otherJournal.close()])
  const diagnoses = await diagnosing(home, [longLife, shortLife])
  await rm(home, { recursive: true, force: true })
  const wakeMs = median(wakings.long)
  const pageMs = median(pages.long)
  const pastMs = median(moments)
  const ofShort = (value: number) => ({ label: 'a persona with 1000 facts', value })
  return [
    {
      label: `opening, ${facts} facts`,
      value: wakeMs,
      unit: 'ms',
      baseline: ofShort(median(wakings.short)),
      goal: '≤ 2 × a life of 1000',
      isMet: wakeMs <= 2 * median(wakings.short),
    },
    {
      label: 'conversation, a page of 200',
      value: pageMs,
      unit: 'ms',
      baseline: ofShort(median(pages.short)),
      goal: '< 20 ms',
      isMet: pageMs < 20,
    },
    { label: 'a moment of the past', value: pastMs, unit: 'ms', goal: '< 50 ms', isMet: pastMs < 50 },
    {
      label: 'diagnosis, over HTTP',
      value: median(diagnoses[0]),
      unit: 'ms',
      baseline: ofShort(median(diagnoses[1])),
      goal: '< 30 ms',
      isMet: median(diagnoses[0]) < 30,
    },
  ]
}

/** Measured without other requests to the daemon. */
const diagnosing = async (
  home: string,
  [longId, other]: readonly [PersonaId, PersonaId],
): Promise<readonly [number[], number[]]> => {
  const daemon = await startDaemon({ home })
  const times: [number[], number[]] = [[], []]
  const ask = (id: PersonaId) => measureMs(() => call(daemon.url, 'GET', `/api/persona/${id}/diagnose`))
  for (const id of [longId, other]) {
    await call(daemon.url, 'POST', `/api/persona/${id}/stop`)
    await ask(id)
  }
  for (let n = 0; n < rounds; n++) {
    times[0].push(await ask(longId))
    times[1].push(await ask(other))
  }
  await daemon.close()
  return times
}

const measureWaking = (journals: Journals, id: PersonaId): Promise<number> =>
  measureMs(async () => {
    const journal = await journals.open(id, 'writer')
    await fold(journal)
    await journal.close()
  })

const page = async (journal: Journal, lastSeq: number): Promise<void> => {
  for await (const { event } of journal.read({ kind: 'talk', last: 201, upTo: lastSeq }))
    if (event.type === 'PersonaDeleted') return
}

const moment = async (journal: Journal, seq: number): Promise<Persona | undefined> => {
  const snapshot = await journal.snapshot(projector, personaVersion, seq)
  let persona = snapshot?.state as Persona | undefined
  for await (const entry of journal.read({ after: snapshot?.head.seq ?? 0, upTo: seq }))
    persona = evolve(persona, entry)
  return persona
}
