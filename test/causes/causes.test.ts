/** Walks from facts to their causes and effects. */
import { existsSync } from 'node:fs'
import { cp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { type Entry, type Journal, openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { type Graph, maxNodes } from '../../src/causes/walk.ts'
import { createJournal } from '../create-journal.ts'
import { tempHome } from '../daemon.ts'
import { createMessageHeard, createMessageSpoken, draft, renamed } from '../journal/facts.ts'
import {
  commit,
  createStatement,
  createStep,
  createTurnBegan,
  formatEdges,
  inTurn,
  life,
  withWalks,
} from './life.ts'

type Walks = Parameters<Parameters<typeof withWalks>[2]>[0]

const inHome = async <T>(journal: Journal, act: (walk: Walks, home: string) => Promise<T>): Promise<T> => {
  const home = await tempHome()
  try {
    return await withWalks(home, journal, (walk) => act(walk, home))
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** The causes of each fact of `life`: relation and position. Facts without a line have none. */
const causes: Readonly<Record<number, string>> = {
  2: 'with 1',
  6: 'message 4',
  7: 'turn 6',
  8: 'call 7',
  9: 'call 7',
  10: 'source 4, tool 9',
  11: 'tool 9',
  12: 'result 11',
  13: 'call 12',
  14: 'call 12',
  16: 'memory 10, message 15',
  17: 'turn 16',
  18: 'call 17',
  19: 'call 17',
  20: 'source 4, earlier 10',
  22: 'earlier 21',
  23: 'due 22',
  24: 'turn 23',
  25: 'call 24',
  26: 'call 24',
  27: 'earlier 22, call 24',
  28: 'life 3',
  29: 'source 15, call 28',
  30: 'talk 4, talk 5, talk 8, talk 13, talk 15, call 28',
  31: 'life 3',
  32: 'talk 5, talk 8, talk 13',
  33: 'earlier 31',
  35: 'message 34',
  36: 'turn 35',
  37: 'call 36',
  38: 'approval 37',
  39: 'approval 37',
  40: 'approval 39',
  41: 'call 36, approval 39',
  42: 'source 34, tool 41',
  43: 'tool 41',
  44: 'result 43',
  45: 'call 44',
  46: 'call 44',
  47: 'source 4, undoes 20',
}

const bySeq = (a: string, b: string) => Number(a.split(' ')[1]) - Number(b.split(' ')[1])
const format = ({ edges }: Graph, seq: number): string =>
  edges
    .filter(({ to }) => to === seq)
    .map(({ from, relation }) => `${relation} ${from}`)
    .sort(bySeq)
    .join(', ')

test('finds the causes of each fact of a life, and no others', async () => {
  const journal = await createJournal(life)
  assert.is(journal.head.seq, 47)
  await inHome(journal, async (walk) => {
    for (let seq = 1; seq <= 47; seq++)
      assert.is(format(await walk({ seq }), seq), causes[seq] ?? '', `${seq}`)
  })
})

/** Checks that each link can be walked from both ends. Returns their number. */
const checkBothWays = async (journal: Journal, walk: Walks): Promise<number> => {
  const [forward, backward]: [Set<string>, Set<string>] = [new Set(), new Set()]
  for (let seq = 1; seq <= journal.head.seq; seq++) {
    for (const edge of formatEdges(await walk({ seq }))) backward.add(edge)
    for (const edge of formatEdges(await walk({ seq, direction: 'effects' }))) forward.add(edge)
  }
  assert.equal([...forward].sort(), [...backward].sort())
  return forward.size
}

test('finds the same links from the cause as from the effect', async () => {
  const journal = await createJournal(life)
  await inHome(journal, async (walk) => assert.ok((await checkBothWays(journal, walk)) > 45))
})

const golden = join(import.meta.dirname, '../journal/golden')

test('finds the same links from both ends in every golden journal', async () => {
  for (const version of await readdir(golden)) {
    const home = await tempHome()
    await cp(join(golden, version, 'journal'), join(home, 'personas', 'ada', 'journal'), { recursive: true })
    const journals = openPersonaJournals({
      stores: await openHomeStores(home),
      witness: async () => undefined,
    })
    const journal = await journals.open('ada', 'reader')
    assert.ok((await withWalks(home, journal, (walk) => checkBothWays(journal, walk))) > 10, version)
    await journal.close()
    await rm(home, { recursive: true, force: true })
  }
})

test('leads from an answer to the statement that it used, and to the message behind it', async () => {
  await inHome(await createJournal(life), async (walk) => {
    const { nodes, edges, cut } = await walk({ seq: 18, depth: 20 })
    assert.equal(
      nodes.map(({ seq }) => seq),
      [4, 6, 7, 9, 10, 15, 16, 17, 18],
    )
    assert.is(cut, false)
    assert.ok(edges.some(({ from, to, relation }) => from === 10 && to === 16 && relation === 'memory'))
    const effects = await walk({ seq: 4, direction: 'effects', depth: 20 })
    assert.ok(effects.nodes.some(({ seq }) => seq === 18))
    assert.ok(effects.nodes.every(({ seq }) => seq >= 4))
  })
})

test('stops at the depth', async () => {
  await inHome(await createJournal(life), async (walk) => {
    assert.equal(
      (await walk({ seq: 18, depth: 2 })).nodes.map(({ seq }) => seq),
      [16, 17, 18],
    )
    assert.equal(
      (await walk({ seq: 4, depth: 20 })).nodes.map(({ seq }) => seq),
      [4],
    )
  })
})

test('returns only some kinds, and joins the ways between them', async () => {
  await inHome(await createJournal(life), async (walk) => {
    const types = new Set(['MessageHeard', 'MemoryKept'])
    const edges = formatEdges(await walk({ seq: 18, depth: 20, types }))
    assert.equal(edges, ['4 source 10', '10 through 18', '15 through 18'])
    const effects = await walk({
      seq: 15,
      direction: 'effects',
      depth: 20,
      types: new Set(['MessageSpoken']),
    })
    assert.equal(formatEdges(effects), ['15 through 18'])
  })
})

test('limits the facts of an answer', async () => {
  const statements = Array.from({ length: 300 }, (_, n) => createStatement(`m${n}`, [3]))
  const many = [
    commit({ by: 'person' }, createMessageHeard('one')),
    ...statements.map((statement) => commit({ by: 'person' }, statement)),
    ...Array.from({ length: 250 }, (_, n) => commit({ by: 'person' }, createMessageHeard(`${n}`))),
    commit({ by: 'clock' }, {
      type: 'DayClosed',
      after: 303,
      upTo: 553,
      began: 1,
      ended: 2,
      summary: '',
      by: 'mind',
    } satisfies PersonaEvent),
  ]
  const journal = await createJournal(many)
  await inHome(journal, async (walk) => {
    const effects = await walk({ seq: 3, direction: 'effects' })
    assert.equal([effects.nodes.length, effects.cut], [201, true])
    const days = await walk({ seq: journal.head.seq })
    assert.equal([days.nodes.length, days.cut], [201, true])
  })
  // Three levels of 150 facts each.
  const wide = [
    commit({ by: 'person' }, createMessageHeard('one')),
    ...Array.from({ length: 150 }, (_, n) => commit({ by: 'person' }, createStatement(`a${n}`, [3]))),
    ...Array.from({ length: 600 }, (_, n) =>
      commit({ by: 'person' }, createStatement(`b${n}`, [4 + (n % 150)])),
    ),
  ]
  await inHome(await createJournal(wide), async (walk) => {
    const { nodes, cut } = await walk({ seq: 3, direction: 'effects', depth: 3 })
    assert.equal([nodes.length, cut], [maxNodes, true])
  })
})

test('finds the call of a turn that waited long for an approval', async () => {
  const before = life.slice(0, 23)
  const asked = before.reduce((count, { events }) => count + events.length, 2)
  assert.is(asked, 38)
  const renames = Array.from({ length: 1500 }, (_, n) => commit({ by: 'person' }, renamed(`Ada ${n}`)))
  const approval = commit(
    { by: 'person' },
    { type: 'ApprovalSettled', approval: 37, decision: 'once', channel: null },
  )
  const call = { type: 'ToolCalled', turn: 35, step: 1, call: 'c9', name: 'x', input: {}, of: null } as const
  const result = {
    type: 'ToolAnswered',
    turn: 35,
    step: 1,
    call: 'c9',
    name: 'x',
    ok: true,
    output: null,
  } as const
  const journal = await createJournal([...before, ...renames, approval, inTurn(35, call, result)])
  const end = journal.head.seq
  await inHome(journal, async (walk) => {
    assert.equal(formatEdges(await walk({ seq: end - 1 })), [
      `36 call ${end - 1}`,
      `${end - 2} approval ${end - 1}`,
    ])
    assert.equal(formatEdges(await walk({ seq: end })), [`${end - 1} tool ${end}`])
    const effects = formatEdges(await walk({ seq: 36, direction: 'effects' }))
    assert.equal(effects, ['36 call 37', `36 call ${end - 1}`])
  })
})

test('reads messages before those that are in memory while it builds the index', async () => {
  const messages = Array.from({ length: 9000 }, (_, n) => createMessageHeard(`${n}`))
  const commits = Array.from({ length: 90 }, (_, n) =>
    commit({ by: 'person' }, ...messages.slice(100 * n, 100 * n + 100)),
  )
  const journal = await createJournal([...commits, commit({ by: 'agent' }, createTurnBegan(2, 40))])
  const turn = journal.head.seq
  await inHome(journal, async (walk) => {
    assert.equal(formatEdges(await walk({ seq: 3, direction: 'effects' })), [`3 message ${turn}`])
    assert.equal(formatEdges(await walk({ seq: 41, direction: 'effects' })), [])
  })
})

test('follows new facts, and another journal at the same positions', async () => {
  const home = await tempHome()
  const journal = await createJournal(life)
  await withWalks(home, journal, async (walk) => {
    assert.equal(formatEdges(await walk({ seq: 47, direction: 'effects' })), [])
    await journal.append([draft({ type: 'MemoryForgotten', id: 'm1', why: null })], journal.head)
    assert.equal(formatEdges(await walk({ seq: 47, direction: 'effects' })), ['47 earlier 48'])
  })
  const other = await createJournal([
    ...life.slice(0, 3),
    commit({ by: 'person' }, createStatement('x', [4])),
  ])
  await withWalks(home, other, async (walk) => {
    assert.equal(formatEdges(await walk({ seq: 4, direction: 'effects' })), ['4 source 6'])
  })
  await withWalks(home, journal, async (walk) => {
    assert.equal(formatEdges(await walk({ seq: 47, direction: 'effects' })), ['47 earlier 48'])
  })
  await rm(home, { recursive: true, force: true })
})

test('gives the same answers after the index was deleted, damaged or interrupted', async () => {
  const home = await tempHome()
  const journal = await createJournal(life)
  const folder = join(home, 'personas', 'ada', 'links')
  const readEffects = () =>
    withWalks(home, journal, async (walk) =>
      formatEdges(await walk({ seq: 4, direction: 'effects', depth: 20 })),
    )
  const expectedEdges = await readEffects()
  assert.ok(expectedEdges.length > 10)
  await rm(folder, { recursive: true })
  assert.equal(await readEffects(), expectedEdges)
  for (const name of (await readdir(folder)).filter((file) => /\.(log|ldb)$|^MANIFEST|^CURRENT/.test(file)))
    await writeFile(join(folder, name), 'not a database')
  assert.equal(await readEffects(), expectedEdges)
  // A folder that cannot be created.
  await rm(join(home, 'personas', 'ada'), { recursive: true })
  await writeFile(join(home, 'personas', 'ada'), 'a file')
  await withWalksNot(home, journal)
  await rm(home, { recursive: true, force: true })
})

const withWalksNot = async (home: string, journal: Journal): Promise<void> => {
  await rm(join(home, 'personas', 'ada'))
  await withWalks(home, journal, async (walk) => {
    // The index needs its persona's folder, and does not create it again after a deletion.
    await rm(join(home, 'personas', 'ada'), { recursive: true })
    const error = await walk({ seq: 4, direction: 'effects' }).catch((reason: Error) => reason)
    assert.match(String(error), /cannot be written/)
    assert.not.ok(existsSync(join(home, 'personas', 'ada')))
    // Causes by position need no index.
    assert.equal(formatEdges(await walk({ seq: 12 })), ['11 result 12'])
  })
}

/** A journal in which the payload of one record, or the whole record, cannot be read. */
const damageAt = (journal: Journal, seq: number, part: 'payload' | 'record'): Journal => {
  const damage = () => new Damaged(seq, 'does not match')
  async function* read(range: Parameters<Journal['read']>[0]): AsyncGenerator<Entry> {
    for await (const entry of journal.read(range)) {
      if (entry.seq !== seq) yield entry
      else if (part === 'record') throw damage()
      else
        yield {
          ...entry,
          get event(): PersonaEvent {
            throw damage()
          },
        }
    }
  }
  return { ...journal, head: journal.head, read }
}

test('walks on beside a damaged record', async () => {
  const journal = await createJournal(life)
  const payload = damageAt(journal, 9, 'payload')
  await inHome(payload, async (walk) => {
    // The header of the call still names its turn.
    assert.equal(formatEdges(await walk({ seq: 9 })), ['6 turn 9'])
    assert.ok(formatEdges(await walk({ seq: 10 })).includes('4 source 10'))
  })
  await inHome(damageAt(journal, 10, 'record'), async (walk) => {
    const { nodes, edges } = await walk({ seq: 18, depth: 20 })
    assert.equal(
      nodes.filter(({ entry }) => entry === null).map(({ seq }) => seq),
      [10],
    )
    assert.ok(edges.some(({ from, to }) => from === 10 && to === 16))
    assert.instance(await walk({ seq: 10 }).catch((error: unknown) => error), Damaged)
  })
})

test('takes the results of the step before, also of a step with several calls', async () => {
  const turn = 4
  const call = (id: string, step: number): PersonaEvent[] => [
    { type: 'ToolCalled', turn, step, call: id, name: 'x', input: {}, of: null },
    { type: 'ToolAnswered', turn, step, call: id, name: 'x', ok: true, output: null },
  ]
  const journal = await createJournal([
    commit({ by: 'person' }, createMessageHeard('one')),
    commit({ by: 'agent' }, createTurnBegan(0, 3)),
    inTurn(turn, createStep(turn, 1)),
    inTurn(turn, ...call('a', 1)),
    inTurn(turn, ...call('b', 1)),
    inTurn(turn, createStep(turn, 2)),
    // A model may use the same id in another step.
    inTurn(turn, ...call('a', 2)),
    inTurn(turn, createStep(turn, 3), createMessageSpoken('done')),
  ])
  await inHome(journal, async (walk) => {
    assert.equal(formatEdges(await walk({ seq: 10 })), ['7 result 10', '9 result 10'])
    assert.equal(formatEdges(await walk({ seq: 12 })), ['11 tool 12'])
    assert.equal(formatEdges(await walk({ seq: 13 })), ['12 result 13'])
    await checkBothWays(journal, walk)
  })
})

test('refuses a position without a fact', async () => {
  await inHome(await createJournal(life), async (walk) => {
    const error = (await walk({ seq: 48 }).catch((reason: unknown) => reason)) as {
      refusal?: { code: string }
    }
    assert.is(error.refusal?.code, 'fact_unknown')
  })
})

test.run()
