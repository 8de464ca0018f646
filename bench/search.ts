/**
 * Measures searching a long talk: size and build time of its index, the first search after a start, and
 * searches of a million facts.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PersonaId } from '../facts/fact-values.ts'
import { openPersonaJournals } from '../facts/persona-journal.ts'
import { openCatalog } from '../home/catalog.ts'
import { openHomeStores } from '../home/home-stores.ts'
import { searchFolder } from '../home/places.ts'
import { bytesIn } from '../journal/leveldb/durable-files.ts'
import { createLog } from '../packages/kit/log.ts'
import { systemClock } from '../packages/kit/time/clock.ts'
import { createBus } from '../src/bus.ts'
import { createPersonaStore } from '../src/persona/create-persona-store.ts'
import { parseQuery } from '../src/search/query.ts'
import { createSearch } from '../src/search/search.ts'
import type { Question } from '../src/search/terms.ts'
import { createName, fillHome } from '../test/ordeal/homes.ts'
import { chanceFrom } from '../test/random.ts'
import { type Figure, median } from './figure.ts'
import { measureMs } from './load.ts'

/** Two of five facts are messages of 24 words: 100 000 messages, and a million facts. */
const lifeSizes = [250_000, Number(process.env.BENCH_FACTS) || 1_000_000] as const
const rounds = 21

export const search = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  const longLife = createName(0)
  const longest = createName(1)
  await fillHome(home, lifeSizes, sayings())
  try {
    const embedSeconds = await withSearch(
      home,
      async (find) =>
        [await measureMs(() => find(longLife, 'the')), await measureMs(() => find(longest, 'the'))] as const,
    )
    const megabytes = (await bytesIn(searchFolder(home, longLife))) / 1e6
    const cold = await withSearch(home, async (find) => {
      // A running persona has an open journal.
      await find(longLife, '')
      return measureMs(() => find(longLife, 'kabare'))
    })
    const warm = await withSearch(home, async (find) => {
      await find(longest, 'the')
      const figures: Figure[] = []
      for (const [by, questions] of [
        [undefined, queries],
        ['words', rankedQueries],
        ['sense', rankedQueries],
      ] as const)
        for (const [label, text, maxMs = 30] of questions) {
          const times: number[] = []
          for (let n = 0; n < rounds; n++) times.push(await measureMs(() => find(longest, text, by)))
          const name = by ? `${label}, ranked by ${by}` : label
          figures.push(
            figure(`search ${lifeSizes[1]} facts, ${name}`, median(times), 'ms', `< ${maxMs} ms`, maxMs),
          )
        }
      return figures
    })
    return [
      figure('index of 100 000 messages', megabytes, 'MB', '< 15 MB', 15),
      {
        label: 'index of 100 000 messages, built',
        value: embedSeconds[0] / 1000,
        unit: 's',
        goal: '< 20 s',
        isMet: embedSeconds[0] < 20_000,
      },
      {
        label: 'the same per message',
        value: embedSeconds[0] / 100,
        unit: 'µs',
        goal: '< 200 µs',
        isMet: embedSeconds[0] < 20_000,
      },
      {
        label: `index of ${lifeSizes[1]} facts, built`,
        value: embedSeconds[1] / 1000,
        unit: 's',
        goal: '< 120 s',
        isMet: embedSeconds[1] < 120_000,
      },
      figure('first search after a start, 100 000 messages', cold, 'ms', '< 300 ms', 300),
      ...warm,
    ]
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** Label, query, and goal in ms if it is not 30. */
const queries: readonly (readonly [label: string, text: string, most?: number])[] = [
  ['a common word', 'the '],
  ['a word that occurs once', 'number5 '],
  ['two common words', 'the a '],
  ['a common and a rare one', 'the kabarebo '],
  ['the beginning of a word', 'kabar'],
  // The index has no word positions, so adjacent words must be looked up in the texts.
  ['adjacent words', '"the a"', 100],
  ['two Chinese characters', '东京'],
  ['nothing', 'nowhere the a '],
]

const rankedQueries: typeof queries = [
  ['a common word', 'the ', 60],
  ['a word that occurs once', 'number5 ', 60],
  ['two Chinese characters', '东京', 60],
  ['a question of eight words', 'the kabare of a kabo and tiname kabarebo kati kareno', 60],
  ['a question with a month', 'kabarebo kati in May 2023', 60],
]

const figure = (label: string, value: number, unit: string, goal: string, maxMs: number): Figure => ({
  label,
  value,
  unit,
  goal,
  isMet: value < maxMs,
})

type Find = (id: PersonaId, text: string, mode?: Question['by']) => Promise<unknown>

/** Runs with a daemon that is started for it. */
const withSearch = async <T>(home: string, act: (find: Find) => Promise<T>): Promise<T> => {
  const log = await createLog({ level: 'warn' })
  const clock = systemClock()
  const bus = createBus()
  const catalog = await openCatalog(home)
  const journals = openPersonaJournals({
    stores: await openHomeStores(home),
    witness: async (id) => catalog.get(id)?.head,
  })
  const personas = createPersonaStore({ home, journals, catalog, bus, clock, log })
  const search = createSearch({ home, personas, bus, clock, log })
  try {
    return await act((id, text, mode) =>
      personas.read(id, async (reading) => {
        const ask = { before: reading.journal.head.seq + 1, limit: 20 }
        const time = { at: clock.now(), zone: clock.zone }
        if (text === '') return undefined
        return mode
          ? search.rank(id, reading, { ...ask, text, by: mode, now: time })
          : search.find(id, reading, { ...ask, query: parseQuery(text, 'last') })
      }),
    )
  } finally {
    await search.close()
    await personas.close()
    await catalog.close()
  }
}

const syllables = ['ka', 'ba', 're', 'bo', 'ti', 'no', 'su', 'me', 'la', 'vi', 'do', 'ge'] as const

/**
 * Generates words with the frequencies of a language: the nth word has a share of 1/n. Some messages are
 * Chinese.
 */
const sayings = () => {
  const chance = chanceFrom(7)
  const words = ['the', 'a', ...Array.from({ length: 30_000 }, (_, n) => nth(n))]
  const pickWord = () =>
    words[Math.min(words.length - 1, Math.floor(Math.exp(chance.next() * Math.log(words.length)) - 1))]
  const message = (seq: number) =>
    `${Array.from({ length: 23 }, pickWord).join(' ')} ${seq % 50 === 0 ? '我昨天去东京了' : ''} number${seq}`
  return (seq: number) => [message(seq), message(seq)] as const
}

const nth = (n: number): string => {
  let pickWord = ''
  for (let value = n; pickWord.length < 4 || value > 0; value = Math.floor(value / 12))
    pickWord += syllables[value % 12]
  return pickWord
}
