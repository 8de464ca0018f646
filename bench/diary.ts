/**
 * Measures encrypting and decrypting a diary with much media and one with many small facts: speed, memory,
 * and how long the event loop is blocked.
 */

import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pipeline } from 'node:stream/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { personaVocabulary } from '../facts/facts.ts'
import { openLevelStore } from '../journal/leveldb/level-store.ts'
import { emptyHead, type Head } from '../journal/log/head.ts'
import { recordKey, recordSpan } from '../journal/log/keys.ts'
import { encodeRecord } from '../journal/log/record.ts'
import type { Store } from '../journal/log/store.ts'
import { openDiary, sealDiary } from '../src/diary/diary.ts'
import type { MediaPlace, Outline } from '../src/diary/encrypt-diary.ts'
import { born, createMessageHeard } from '../test/journal/facts.ts'
import type { Figure } from './figure.ts'

/** Share of the full size: `DIARY_BENCH=0.1` for a tenth. */
const share = Number(process.env.DIARY_BENCH) || 1
const megabyte = 1024 * 1024

export const diary = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  try {
    const media = await mediaIn(home, Math.round(64 * share))
    const mediaDiary = await measure(home, 'media', 100, media)
    const factsDiary = await measure(home, 'facts', Math.round(1_000_000 * share), [])
    return [...mediaDiary, ...factsDiary]
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** Creates files of 16 MiB each. */
const mediaIn = async (home: string, count: number): Promise<readonly MediaPlace[]> => {
  const places = Array.from({ length: count }, () => `${randomBytes(16).toString('hex')}.bin`).map(
    (filename) => ({
      filename,
      path: join(home, filename),
      bytes: 16 * megabyte,
    }),
  )
  for (const { path } of places) await writeFile(path, randomBytes(16 * megabyte))
  return places
}

const measure = async (
  home: string,
  label: string,
  facts: number,
  media: readonly MediaPlace[],
): Promise<readonly Figure[]> => {
  const store = await openLevelStore(join(home, label), 'new')
  const head = await fillStore(store, facts)
  const identity = await generateX25519Identity()
  const outline: Outline = {
    format: 1,
    made: '2026-11-21T03:15:00.000Z',
    product: 'daimon',
    persona: {
      id: 'ada',
      name: 'Ada',
      birthday: '2026-01-31',
      recipient: await identityToRecipient(identity),
    },
    head,
    records: head.seq,
  }
  const path = join(home, `${label}.diary`)
  const sealing = await measureResources(() =>
    pipeline(sealDiary({ outline, records: store.values(recordSpan(0)), media }), createWriteStream(path)),
  )
  await store.close()
  const bytes = (await stat(path)).size
  const openFolder = join(home, 'opened')
  await mkdir(openFolder, { recursive: true })
  const openFigures = await measureResources(async () => (await openDiary(path, identity, openFolder)).drop())
  const size = `${Math.round(bytes / megabyte)} MB of ${label}`
  const [toSeal, toOpen] = label === 'facts' ? [40, 25] : [200, 140]
  return [
    ...toFigures(`sealing ${size}`, { bytes, minimum: toSeal, ...sealing }),
    ...toFigures(`opening ${size}`, { bytes, minimum: toOpen, ...openFigures }),
  ]
}

const fillStore = async (store: Store, facts: number): Promise<Head> => {
  let head = emptyHead
  for (let index = 0; index < facts; index += 1000) {
    const ops = Array.from({ length: Math.min(1000, facts - index) }, (_, n) => {
      const event =
        index + n === 0
          ? born
          : createMessageHeard(`fact ${index + n}: she was told something of a usual length, as people do`)
      const record = encodeRecord(
        personaVocabulary,
        {
          commit: Buffer.alloc(16, 1),
          salt: Buffer.alloc(16, 2),
          cause: { by: 'person' },
          at: 1_780_000_000_000,
          offset: 0,
          event,
        },
        head,
      )
      head = record.head
      return { type: 'put', key: recordKey(head.seq), value: record.value } as const
    })
    await store.batch(ops, { sync: false })
  }
  return head
}

interface WatchedUse {
  readonly seconds: number
  /** Max additional bytes of the daemon, and max bytes of its child process. */
  readonly memory: number
  readonly otherBytes: number
  /** Longest block of the event loop in ms. */
  readonly heldMs: number
}

const measureResources = async (act: () => Promise<unknown>): Promise<WatchedUse> => {
  const memoryBefore = process.memoryUsage().rss
  let memory = 0
  let childMemory = 0
  const look = setInterval(() => {
    memory = Math.max(memory, process.memoryUsage().rss - memoryBefore)
    void besides().then((otherBytes) => {
      childMemory = Math.max(childMemory, otherBytes)
    })
  }, 50)
  const loop = monitorEventLoopDelay({ resolution: 5 })
  loop.enable()
  const startedAt = performance.now()
  await act()
  const seconds = (performance.now() - startedAt) / 1000
  loop.disable()
  clearInterval(look)
  return { seconds, memory, otherBytes: childMemory, heldMs: loop.percentile(99.9) / 1e6 }
}

/** Memory of the child processes, if the system reports it. */
const besides = async (): Promise<number> => {
  try {
    const pids = (await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8'))
      .trim()
      .split(' ')
    const states = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8')))
    return states.reduce((sum, text) => sum + 1024 * Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0), 0)
  } catch {
    return 0
  }
}

interface SealedUse extends WatchedUse {
  readonly bytes: number
  /** Goal in MB/s. */
  readonly minimum: number
}

const toFigures = (
  label: string,
  { bytes, minimum: minRate, seconds, memory, otherBytes: childMemory, heldMs: blockedMs }: SealedUse,
): readonly Figure[] => {
  const rate = bytes / megabyte / seconds
  return [
    { label, value: rate, unit: 'MB/s', goal: `≥ ${minRate} MB/s`, isMet: rate >= minRate },
    {
      label: `${label}, memory of the daemon`,
      value: memory / megabyte,
      unit: 'MB',
      goal: '< 100 MB more',
      isMet: memory < 100 * megabyte,
    },
    {
      label: `${label}, memory of the child process`,
      value: childMemory / megabyte,
      unit: 'MB',
      goal: '< 200 MB',
      isMet: childMemory < 200 * megabyte,
    },
    {
      label: `${label}, event loop blocked`,
      value: blockedMs,
      unit: 'ms',
      goal: '< 20 ms',
      isMet: blockedMs < 20,
    },
  ]
}
