/**
 * Forks a persona at any position of random lives: the shared part, the parts that are not copied, and the
 * unchanged original.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Channel } from '../../facts/fact-values.ts'
import { type PersonaEvent, personaVocabulary } from '../../facts/facts.ts'
import { type Journal, type Journals, openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { mediaFolder } from '../../home/places.ts'
import { createLog } from '../../packages/kit/log.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { listValues } from '../../projections/persistent-map.ts'
import { evolve, type Persona, personaVersion } from '../../projections/persona.ts'
import { getWaitingInboxes } from '../../projections/talk.ts'
import { createBus } from '../../src/bus.ts'
import { readDayEvents } from '../../src/mind/memory/day-events.ts'
import { createPersonaStore } from '../../src/persona/create-persona-store.ts'
import { projector } from '../../src/persona/fold.ts'
import type { Moment } from '../../src/persona/past.ts'
import type { PersonaStore } from '../../src/persona/persona-store.ts'
import type { ForkPersona } from '../../src/persona/rules/persona.ts'
import { inHome } from '../journal/engines.ts'
import { collect, factsByType, readCommits } from '../journal/facts.ts'
import { toParts } from '../message-parts.ts'
import { scaleSize } from '../ordeal.ts'
import { type Chance, createChance } from '../random.ts'

const organ = { model: 'embedded/practice', provider: null, url: null, key: null }
const born = { ...factsByType.PersonaCreated, id: 'ada' } as const
const toFilename = (n: number) => `${createHash('md5').update(`${n}`).digest('hex')}.png`
const chats: readonly [Channel, ...Channel[]] = [
  { type: 'web', name: 'ada' },
  { type: 'telegram', name: '-1007' },
]

/** Random next events of a life; `n` makes them distinct. */
const deeds: readonly ((n: number, chance: Chance, seq: number) => readonly PersonaEvent[])[] = [
  (n, chance) => {
    const media = { ...factsByType.MessageHeard.media, filename: toFilename(n) } as const
    const file = chance.next() < 0.2 ? (media as typeof factsByType.MessageHeard.media) : null
    const key = chance.next() < 0.5 ? `k${chance.pickBetween(0, n)}` : null
    return [
      { type: 'MessageHeard', channel: chance.pick(chats), parts: toParts(`word ${n}`), media: file, key },
    ]
  },
  (_, chance, seq) => [
    {
      type: 'TurnBegan',
      life: 1,
      channel: chance.pick(chats),
      stimuli: { after: 0, upTo: seq - 1, due: [] },
    },
  ],
  (_, chance, seq) => [
    { ...factsByType.MessageSpoken, turn: null, channel: chance.pick(chats), media: null },
    {
      type: 'TurnEnded',
      turn: Math.max(1, seq - chance.pickBetween(1, 4)),
      outcome: 'answered',
      reason: null,
    },
  ],
  (n) => [{ ...factsByType.EntryPlanned, id: `p${n}` }],
  (n, chance) => [{ type: 'EntryDue', id: `p${chance.pickBetween(0, n)}` }],
  (n) => [
    { ...factsByType.ChannelAdded, id: `c${n}` },
    { ...factsByType.ChannelPaired, id: `c${n}` },
  ],
  (n) => [{ ...factsByType.MemoryKept, id: `m${n}`, sources: [] }],
  (_, chance) => [
    {
      type: 'OrganReplaced',
      slot: chance.pick(['eye', 'ear', 'thinking']),
      organ: { ...organ, key: chance.pick(['k1', null]) },
    },
  ],
  () => [{ type: 'SleepBegan', life: 1, by: 'clock' }],
  () => [{ type: 'SleepEnded', life: 1, outcome: 'slept', reason: null }],
  (_, chance) => [{ type: 'Woke', life: chance.pickBetween(1, 9) }],
  (n) => [
    {
      ...factsByType.ModelAnswered,
      turn: null,
      recipe: { parts: [1, toPart(n).sha], sent: '00'.repeat(32) },
    },
  ],
  () => [{ type: 'StatusSet', status: 'hibernate', reason: null }],
  (n) => [{ type: 'Renamed', name: `Ada ${n}` }],
]

const toPart = (n: number) => {
  const bytes = Buffer.from(`part ${n}`)
  return { bytes, sha: createHash('sha256').update(bytes).digest('hex') }
}

/** Writes a life in commits of one to three deeds; the clock jumps. */
const writeLife = async (home: string, journals: Journals, chance: Chance): Promise<void> => {
  let time = Date.parse('2026-01-01T08:00:00Z')
  const first = [born, { type: 'OrganReplaced', slot: 'thinking', organ }, { type: 'StartAsked' }] as const
  const journal = await journals.create('ada', {
    events: first,
    cause: { by: 'person' },
    at: time,
    offset: 0,
  })
  await mkdir(mediaFolder(home, 'ada'), { recursive: true })
  let persona: Persona | undefined
  for await (const entry of journal.read({})) persona = evolve(persona, entry)
  for (let commits = chance.pickBetween(5, 60), n = 0; n < commits; n++) {
    const events: PersonaEvent[] = []
    for (let deedsLeft = chance.pickBetween(1, 3); deedsLeft > 0; deedsLeft--)
      events.push(
        ...chance.pick(deeds as [(typeof deeds)[0]])(n, chance, journal.head.seq + events.length + 1),
      )
    await journal.putPart(toPart(n).bytes)
    if (chance.next() < 0.5) await writeFile(join(mediaFolder(home, 'ada'), toFilename(n)), `file ${n}`)
    time += chance.pickBetween(-5000, 60_000)
    const [commit] = await journal.append(
      [{ events, cause: { by: 'person' }, at: time, offset: 0 }],
      journal.head,
    )
    for (const entry of commit?.entries ?? []) persona = evolve(persona, entry)
    if (chance.next() < 0.1)
      await journal.keepSnapshot({ projector, version: personaVersion, head: journal.head, state: persona })
  }
  await journal.close()
}

const readRecords = async (journal: Journal, lastHead = journal.head) => {
  const pages = await collect(journal.records(lastHead))
  return pages.flat().map((value) => Buffer.from(value).toString('hex'))
}

const withLife = (chance: Chance, look: (personas: PersonaStore, home: string) => Promise<void>) =>
  inHome(async (home) => {
    const catalog = await openCatalog(home)
    const journals = openPersonaJournals({
      stores: await openHomeStores(home),
      witness: async (id) => catalog.get(id)?.head,
    })
    await writeLife(home, journals, chance)
    const personas = createPersonaStore({
      home,
      catalog,
      journals,
      bus: createBus(),
      clock: systemClock(),
      log: await createLog({ level: 'silent' }),
    })
    try {
      await look(personas, home)
    } finally {
      await personas.close()
      await catalog.close()
    }
  })

const forkPersona = async (personas: PersonaStore, id: string, moment: Moment | null, name: string) => {
  const pastState = await personas.getPast(id, moment)
  await personas.fork(
    id,
    pastState,
    {
      type: 'ForkPersona',
      id: name,
      name: null,
      at: pastState.head.seq,
      hash: pastState.head.hash,
      recipient: 'age1fork',
      organs: { thinking: organ },
    },
    new AbortController().signal,
  )
  return pastState
}

/** Compares a fork with the original and with the fold of all its facts. */
const judge = (personas: PersonaStore, home: string, lastSeq: number) =>
  personas.read('ada', ({ journal: ada }) =>
    personas.read('eva', async ({ journal, persona }) => {
      const head = { seq: lastSeq, hash: (await ada.hashAt(lastSeq)) ?? '' }
      assert.is(await journal.hashAt(lastSeq), head.hash)
      assert.equal(await readRecords(journal, head), await readRecords(ada, head))
      const [forkFact] = await collect(journal.read({ after: lastSeq, upTo: lastSeq + 1 }))
      assert.is(forkFact?.event.type, 'PersonaForked')

      let scratch: Persona | undefined
      for await (const entry of journal.read({})) scratch = evolve(scratch, entry)
      assert.equal(persona, scratch)
      const { self, talk, plans, days, deliveries } = persona
      assert.equal([self.id, self.recipient, self.channels], ['eva', 'age1fork', []])
      assert.equal(self.organs, { thinking: organ })
      assert.equal(
        [talk.turn, getWaitingInboxes(talk), deliveries.waiting, days.sleeping],
        [null, [], [], null],
      )
      assert.equal([listValues(plans.open), plans.due], [[], []])

      const entries = await collect(journal.read({}))
      for (const kind of personaVocabulary.indexes)
        assert.equal(
          (await collect(journal.read({ kind }))).map(({ seq }) => seq),
          entries.filter(({ type }) => personaVocabulary.indexFor(type) === kind).map(({ seq }) => seq),
        )
      const keys = new Map<string, number>()
      for (const { seq, event } of await collect(ada.read({})))
        if (event.type === 'MessageHeard' && event.key !== null && !keys.has(event.key))
          keys.set(event.key, seq)
      for (const [key, seq] of keys) assert.is(await journal.findByKey(key), seq <= lastSeq ? seq : undefined)
      const filesInFacts = entries.flatMap(({ event }) =>
        event.type === 'ModelAnswered' ? (event.recipe?.parts ?? []) : [],
      )
      for (let n = 0; n < 60; n++) {
        const { bytes, sha } = toPart(n)
        assert.equal(await journal.part(sha), filesInFacts.includes(sha) ? bytes : undefined)
      }
      const files = entries.flatMap(({ event }) =>
        'media' in event && event.media ? [event.media.filename] : [],
      )
      const existingFiles = new Set(await readdir(mediaFolder(home, 'ada')))
      assert.equal(
        (await readdir(mediaFolder(home, 'eva')).catch((): string[] => [])).sort(),
        [...new Set(files)].filter((name) => existingFiles.has(name)).sort(),
      )
      assert.ok((await journal.verify()).intact)
    }),
  )

/**
 * Fails if the inboxes are copied, plans stay open, channels are copied, a position inside a commit is
 * accepted, and if files or parts are missing.
 */
test('shares the past up to the end of a commit, byte for byte, and is whole; the other stays as it was', async () => {
  const chance = createChance('a fork of any life')
  for (let lifeCount = scaleSize(100, 25); lifeCount > 0; lifeCount--)
    await withLife(chance, async (personas, home) => {
      const readOriginal = () =>
        personas.read('ada', async ({ journal, persona }) => [
          persona,
          readCommits(await collect(journal.commits({ seq: 0 }))),
          await readRecords(journal),
        ])
      const recordsBefore = await readOriginal()
      const entries = await personas.read('ada', ({ journal }) => collect(journal.read({})))
      const seq = chance.pickBetween(1, entries.length + 2)
      const entry = entries[Math.min(seq, entries.length) - 1]
      const { head } = await forkPersona(personas, 'ada', chance.next() < 0.2 ? null : { seq }, 'eva')
      if (head.seq < entries.length && entry) {
        assert.ok(seq <= head.seq)
        assert.is(entries[head.seq - 1]?.commit, entry.commit)
        assert.is.not(entries[head.seq]?.commit, entry.commit)
      }
      await judge(personas, home, head.seq)
      assert.equal(await readOriginal(), recordsBefore)
      assert.equal(await readdir(join(home, 'trash')), [])
      await forkPersona(personas, 'eva', null, 'third')
      await personas.read('third', async ({ journal, persona }) => {
        assert.is(persona.self.id, 'third')
        assert.ok((await journal.verify()).intact)
      })
    })
})

// Clocks jump back, so a binary search does not work.
test('an instant means the last fact at or before it, even if clocks jumped', async () => {
  const chance = createChance('a fork of an instant')
  await withLife(chance, async (personas) => {
    const entries = await personas.read('ada', ({ journal }) => collect(journal.read({})))
    for (const { at } of entries) {
      const last = entries.findLast((entry) => entry.at <= at + 1)
      const { head } = await personas.getPast('ada', { at: at + 1 })
      assert.is(head.seq, last?.seq)
    }
    const firstTime = Math.min(...entries.map(({ at }) => at)) - 1
    await personas.getPast('ada', { at: firstTime }).then(
      () => assert.unreachable(),
      (error) => assert.is(error.refusal?.code, 'moment_unknown'),
    )
  })
})

test('the night of a fork is told that the fork, not the user, cancelled its plans', async () => {
  await withLife(createChance('a fork with a plan'), async (personas) => {
    const wall = '2030-01-01T09:00:00'
    const entry = { ...factsByType.EntryPlanned, id: 'tea', wall, anchor: wall, content: 'drink tea' }
    await personas.execute('ada', { type: 'WriteEntry', entry }, 'person')
    await forkPersona(personas, 'ada', null, 'eva')
    const texts = await personas.read('eva', async ({ journal, persona }) => {
      const range = { after: 0, upTo: journal.head.seq } as const
      const events = await readDayEvents(journal, persona, range, { zone: 'UTC', maxTokens: 10_000 })
      return events.map(({ part }) => part.text).filter((text) => text.includes('drink tea'))
    })
    assert.match(
      texts.join(''),
      /The user planned .*\n.* The fork cancelled a reminder: drink tea \(planned for .*\)\n$/,
    )
  })
})

test('an aborted fork, and one of a persona that is deleted meanwhile, leaves nothing', async () => {
  await withLife(createChance('a fork that is cut'), async (personas, home) => {
    const pastState = await personas.getPast('ada', null)
    const command: ForkPersona = {
      type: 'ForkPersona',
      id: 'eva',
      name: null,
      at: pastState.head.seq,
      hash: pastState.head.hash,
      recipient: 'age1fork',
      organs: {},
    }
    const abortedSignal = AbortSignal.abort(new Error('gone'))
    await personas.fork('ada', pastState, command, abortedSignal).then(
      () => assert.unreachable(),
      (error) => assert.is(error.message, 'gone'),
    )
    await personas.execute('ada', { type: 'DeletePersona', purge: false }, 'person')
    await personas.fork('ada', pastState, command, new AbortController().signal).then(
      () => assert.unreachable(),
      (error) => assert.is(error.refusal?.code, 'persona_unknown'),
    )
    assert.equal(await readdir(join(home, 'trash')).catch(() => []), [])
    assert.equal(await readdir(join(home, 'personas')), ['ada'])
  })
})

test.run()
