/**
 * Measures synced appends of 1, 16 and 256 writers to one persona, against raw LevelDB batches of the same
 * size and number.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Level } from 'level'
import { openPersonaJournals } from '../facts/persona-journal.ts'
import { openCatalog } from '../home/catalog.ts'
import { openHomeStores } from '../home/home-stores.ts'
import { createLog } from '../packages/kit/log.ts'
import { systemClock } from '../packages/kit/time/clock.ts'
import { createBus } from '../src/bus.ts'
import { createPersonaStore } from '../src/persona/create-persona-store.ts'
import { type Figure, median } from './figure.ts'

/** Milliseconds. */
const warmingUp = 500
const ms = 1000
/** An odd number. On shared hardware the CPU speed changes from second to second. */
const rounds = 7
const content = 'x'.repeat(200)

export const append = async (): Promise<readonly Figure[]> => {
  const figures: Figure[] = []
  for (const { writers, share } of sizes) figures.push(await measure(writers, share))
  return figures
}

/**
 * The goal as a share of raw group commit. The fewer writers share a sync, the larger the share of the disk.
 */
const sizes = [
  { writers: 1, share: 0.75 },
  { writers: 16, share: 0.65 },
  { writers: 256, share: 0.55 },
]

const measure = async (writers: number, share: number): Promise<Figure> => {
  const ours: number[] = []
  const raw: number[] = []
  // Alternates, so that a slowdown of the machine affects both.
  for (let i = 0; i < rounds; i++) {
    raw.push(await inFolder((folder) => rawLevel(folder, writers)))
    ours.push(await inFolder((folder) => throughGate(folder, writers)))
  }
  return {
    label: `synced appends, ${writers} ${writers === 1 ? 'writer' : 'writers'}, one persona`,
    value: median(ours),
    unit: '/s',
    baseline: { label: 'raw LevelDB group commit', value: median(raw) },
    goal: `≥ ${share} × raw`,
    isMet: median(ours) >= share * median(raw),
  }
}

export const inFolder = async (measure: (folder: string) => Promise<number>): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  try {
    return await measure(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Returns acknowledged writes per second. Each writer waits for its own acknowledgement. Begins after a
 * warm-up.
 */
const measureRate = async (writers: number, write: () => Promise<unknown>): Promise<number> => {
  await countWrites(writers, warmingUp, write)
  return ((await countWrites(writers, ms, write)) / ms) * 1000
}

const countWrites = async (
  writers: number,
  batchSize: number,
  write: () => Promise<unknown>,
): Promise<number> => {
  let count = 0
  const end = performance.now() + batchSize
  const writer = async () => {
    while (performance.now() < end) {
      await write()
      count++
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
  return count
}

export const throughGate = async (home: string, writers: number): Promise<number> => {
  const log = await createLog({ level: 'silent' })
  const catalog = await openCatalog(home)
  const journals = openPersonaJournals({
    stores: await openHomeStores(home),
    witness: async (id) => catalog.get(id)?.head,
  })
  const personas = createPersonaStore({
    home,
    journals,
    catalog,
    bus: createBus(),
    clock: systemClock(),
    log,
  })
  await personas.create({
    type: 'CreatePersona',
    id: 'p',
    name: 'Ada',
    birthday: '2026-01-01',
    recipient: '',
    organs: {},
  })
  const channel = { type: 'web', name: 'p' } as const
  const perSecond = await measureRate(writers, () =>
    personas.execute('p', { type: 'Hear', channel, content, media: null, key: null }, 'person'),
  )
  await personas.close()
  await catalog.close()
  return perSecond
}

/**
 * Groups the same bytes the same way in plain LevelDB: writes that arrive during a sync form the next batch.
 */
const rawLevel = async (folder: string, writers: number): Promise<number> => {
  const level = new Level<Buffer, Buffer>(folder, { keyEncoding: 'buffer', valueEncoding: 'buffer' })
  await level.open()
  const value = Buffer.alloc(450, 1)
  let seq = 0
  let pendingResolvers: (() => void)[] = []
  let flushing = false
  const flush = async () => {
    flushing = true
    while (pendingResolvers.length > 0) {
      await new Promise(setImmediate)
      const resolvers = pendingResolvers
      pendingResolvers = []
      await level.batch(
        resolvers.map(() => ({ type: 'put', key: toKey(++seq), value }) as const),
        { sync: true },
      )
      for (const resolve of resolvers) resolve()
    }
    flushing = false
  }
  const perSecond = await measureRate(
    writers,
    () =>
      new Promise<void>((resolve) => {
        pendingResolvers.push(resolve)
        if (!flushing) void flush()
      }),
  )
  await level.close()
  return perSecond
}

const toKey = (seq: number): Buffer => {
  const key = Buffer.alloc(10)
  key.write('e/')
  key.writeBigUInt64BE(BigInt(seq), 2)
  return key
}
