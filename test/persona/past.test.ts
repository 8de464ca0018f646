/** The state at a position, with and without snapshots, and the position of an instant. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openLevelStores } from '../../journal/leveldb/level-stores.ts'
import type { Journal } from '../../journal/log/journal.ts'
import { openJournals } from '../../journal/log/journals.ts'
import { evolve, type Persona, personaVersion } from '../../projections/persona.ts'
import { projector } from '../../src/persona/fold.ts'
import { openPastAt, positionAt } from '../../src/persona/past.ts'
import { tempHome } from '../daemon.ts'
import { heard } from '../journal/facts.ts'
import { fillHome, nameOf } from '../ordeal/homes.ts'
import { createChance } from '../random.ts'
import { createJournal } from '../written.ts'

const facts = 4200

/** Fails if a snapshot is stored at the head of the journal instead of the position of the fold. */
test('equals the fold of its facts, and stores snapshots on the way', async () => {
  const chance = createChance('moments')
  const home = await tempHome()
  await fillHome(home, [facts])
  const journals = openJournals({ stores: await openLevelStores(home), witness: async () => undefined })
  const opened = await journals.open(nameOf(0), 'reader')
  const wantedSeqs = new Set(Array.from({ length: 10 }, () => chance.pickBetween(1, facts)))
  const statesBySeq = new Map<number, Persona>()
  let persona: Persona | undefined
  for await (const entry of opened.read({})) {
    persona = evolve(persona, entry)
    if (wantedSeqs.has(entry.seq)) statesBySeq.set(entry.seq, persona)
  }
  const snapshotSeqs: number[] = []
  /** As after an upgrade: no earlier snapshot is usable. */
  const bare: Journal = {
    ...opened,
    head: opened.head,
    snapshot: async () => undefined,
    keepSnapshot: async (snapshot) => {
      snapshotSeqs.push(snapshot.head.seq)
      assert.equal([snapshot.projector, snapshot.version], [projector, personaVersion])
      const pastState = await openPastAt(opened, snapshot.head.seq)
      assert.equal(JSON.stringify(snapshot.state), JSON.stringify(pastState?.persona))
      assert.is(snapshot.head.hash, await opened.hashAt(snapshot.head.seq))
    },
  }
  for (const [seq, state] of statesBySeq) {
    const past = await openPastAt(opened, seq)
    assert.equal([past?.last.seq, past?.journal.head.seq], [seq, seq])
    assert.equal(JSON.stringify(past?.persona), JSON.stringify(state), `${seq}`)
  }
  assert.equal(JSON.stringify((await openPastAt(bare, facts))?.persona), JSON.stringify(persona))
  assert.equal(snapshotSeqs, [4096])
  assert.is(await openPastAt(opened, 0), null)
  assert.is(await openPastAt(opened, facts + 1), null)
  await opened.close()
  await rm(home, { recursive: true })
})

/** Fails with a binary search. */
test('an instant means the last fact that is not later, even if the clock jumped', async () => {
  const chance = createChance('clocks')
  let now = Date.parse('2026-02-01T09:00:00Z')
  const times = Array.from({ length: 1200 }, () => {
    now += chance.next() < 0.008 ? chance.pickBetween(-90_000_000, 90_000_000) : chance.pickBetween(0, 60_000)
    return now
  })
  const journal = await createJournal(
    times.map((at) => ({ at: new Date(at).toISOString(), zone: 'UTC', events: [heard('.')] })),
  )
  const all: number[] = []
  for await (const { at } of journal.read({})) all.push(at)
  for (let n = 0; n < 60; n++) {
    const instant =
      chance.pick([all[chance.pickBetween(0, all.length - 1)] ?? 0, now + 1, 0]) + chance.pickBetween(-1, 1)
    assert.is(await positionAt(journal, instant), all.findLastIndex((at) => at <= instant) + 1)
  }
  await journal.close()
})

test.run()
