/** The state at a position, with and without snapshots, and the position of an instant. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Journal, openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { evolve, type Persona, personaVersion } from '../../projections/persona.ts'
import { projector } from '../../src/persona/fold.ts'
import { openPastAt, positionAt } from '../../src/persona/past.ts'
import { createJournal } from '../create-journal.ts'
import { tempHome } from '../daemon.ts'
import { createMessageHeard } from '../journal/facts.ts'
import { createName, fillHome } from '../ordeal/homes.ts'
import { createChance } from '../random.ts'

const facts = 4200

/** Fails if a snapshot is stored at the head of the journal instead of the position of the fold. */
test('equals the fold of its facts, and stores snapshots on the way', async () => {
  const chance = createChance('moments')
  const home = await tempHome()
  await fillHome(home, [facts])
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const journal = await journals.open(createName(0), 'reader')
  const wantedSeqs = new Set(Array.from({ length: 10 }, () => chance.pickBetween(1, facts)))
  const statesBySeq = new Map<number, Persona>()
  let persona: Persona | undefined
  for await (const entry of journal.read({})) {
    persona = evolve(persona, entry)
    if (wantedSeqs.has(entry.seq)) statesBySeq.set(entry.seq, persona)
  }
  const snapshotSeqs: number[] = []
  /** As after an upgrade: no earlier snapshot is usable. */
  const bareJournal: Journal = {
    ...journal,
    head: journal.head,
    snapshot: async () => undefined,
    keepSnapshot: async (snapshot) => {
      snapshotSeqs.push(snapshot.head.seq)
      assert.equal([snapshot.projector, snapshot.version], [projector, personaVersion])
      const pastState = await openPastAt(journal, snapshot.head.seq)
      assert.equal(JSON.stringify(snapshot.state), JSON.stringify(pastState?.persona))
      assert.is(snapshot.head.hash, await journal.hashAt(snapshot.head.seq))
    },
  }
  for (const [seq, state] of statesBySeq) {
    const pastJournal = await openPastAt(journal, seq)
    assert.equal([pastJournal?.last.seq, pastJournal?.journal.head.seq], [seq, seq])
    assert.equal(JSON.stringify(pastJournal?.persona), JSON.stringify(state), `${seq}`)
  }
  assert.equal(JSON.stringify((await openPastAt(bareJournal, facts))?.persona), JSON.stringify(persona))
  assert.equal(snapshotSeqs, [4096])
  assert.is(await openPastAt(journal, 0), null)
  assert.is(await openPastAt(journal, facts + 1), null)
  await journal.close()
  await rm(home, { recursive: true })
})

/** Fails with a binary search. */
test('an instant means the last fact that is not later, even if the clock jumped', async () => {
  const chance = createChance('clocks')
  let nowEpoch = Date.parse('2026-02-01T09:00:00Z')
  const times = Array.from({ length: 1200 }, () => {
    nowEpoch +=
      chance.next() < 0.008 ? chance.pickBetween(-90_000_000, 90_000_000) : chance.pickBetween(0, 60_000)
    return nowEpoch
  })
  const journal = await createJournal(
    times.map((time) => ({
      at: new Date(time).toISOString(),
      zone: 'UTC',
      events: [createMessageHeard('.')],
    })),
  )
  const all: number[] = []
  for await (const { at } of journal.read({})) all.push(at)
  for (let n = 0; n < 60; n++) {
    const instant =
      chance.pick([all[chance.pickBetween(0, all.length - 1)] ?? 0, nowEpoch + 1, 0]) +
      chance.pickBetween(-1, 1)
    assert.is(await positionAt(journal, instant), all.findLastIndex((time) => time <= instant) + 1)
  }
  await journal.close()
})

test.run()
