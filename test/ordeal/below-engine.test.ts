/**
 * One system call on a file of a home fails, below LevelDB and Node, in every deed. Nothing that was
 * acknowledged may be lost, in this run or after the next start.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isWhole, printFigures } from '../ordeal.ts'
import { type Chance, createChance } from '../random.ts'
import type { Homes, State } from './below-engine-home.ts'
import type { DeedName, Fault, Outcome, Task } from './below-engine-worker.ts'

/** `DEED=<name>` runs one deed only, `KIND=<part of a kind>` only the calls whose kind contains this text. */
const { DEED, KIND } = process.env
/** Timeout for one case in ms. */
const timeoutMs = 60_000
const workers = isWhole ? 2 : 1
/** Time budget in a run of all tests in ms. At least `least` cases always run. */
const budget = isWhole ? Number.POSITIVE_INFINITY : 3000
const minCases = 12
/** Stop after this many failures. */
const maxFailures = 20

const inJournal = /personas\/\*\/journal/

interface Play {
  readonly deed: DeedName
  readonly state: State
  /** Only calls on these files: another play covers the other files. */
  readonly location?: RegExp
}

const plays: readonly Play[] = [
  { deed: 'start', state: 'closed' },
  { deed: 'start', state: 'crashed', location: inJournal },
  { deed: 'start', state: 'two logs', location: inJournal },
  { deed: 'upgrade', state: 'older' },
  { deed: 'rebuild', state: 'without indexes' },
  { deed: 'talk', state: 'closed' },
  { deed: 'night', state: 'closed' },
  { deed: 'erase', state: 'closed' },
  { deed: 'fork', state: 'closed' },
  { deed: 'salvage', state: 'damaged' },
]

/** Errors that each call can plausibly return. The first is tried at every place, the others at some. */
const errors: Readonly<Record<string, readonly Fault['error'][]>> = {
  open: ['EMFILE', 'EIO', 'ENFILE', 'EACCES', 'ENOMEM'],
  create: ['EMFILE', 'EIO', 'ENOSPC', 'ENFILE', 'EACCES', 'ENOMEM'],
  opendir: ['EMFILE', 'EIO', 'ENFILE', 'EACCES', 'ENOMEM'],
  readdir: ['EIO'],
  access: ['EIO', 'EACCES', 'ENOMEM'],
  read: ['EIO', 'ENOMEM'],
  write: ['ENOSPC', 'EIO'],
  fwrite: ['ENOSPC', 'EIO'],
  fflush: ['EIO', 'ENOSPC'],
  fclose: ['EIO', 'ENOSPC'],
  close: ['EIO'],
  fsync: ['EIO', 'ENOSPC'],
  fdatasync: ['EIO', 'ENOSPC'],
  ftruncate: ['EIO', 'ENOSPC'],
  mmap: ['ENOMEM', 'EACCES', 'ENFILE'],
  rename: ['EIO', 'ENOSPC', 'EACCES', 'ENOMEM'],
  link: ['EPERM', 'EIO', 'ENOSPC', 'EACCES', 'ENOMEM'],
  unlink: ['EIO', 'EACCES', 'ENOMEM'],
  rmdir: ['EIO', 'EACCES'],
  mkdir: ['EIO', 'ENOSPC', 'EACCES'],
}
/**
 * Each of these calls fails once; of other calls, the first, the last and one in the middle of their kind.
 */
const criticalCalls = new Set(['open', 'create', 'rename', 'link', 'unlink'])
/** Where LevelDB works: here every error is tried, elsewhere two of each call. */
const engine = /(^| )(catalog|trash\/\*|personas\/\*\/(journal|search))\//
/** Files of LevelDB: every error is tried here, elsewhere two for each call. */
const levelDbLogs = /\/LOG(\.old)?\b/

interface Case extends Play {
  readonly fault: Fault
}

const test = suite('below engine')

/** Returns undefined if there is no compiler, or if the system cannot preload such a library. */
const buildShim = (folder: string): string | undefined => {
  const source = fileURLToPath(new URL('./below-engine.c', import.meta.url))
  const library = join(folder, 'below-engine.so')
  if (process.platform !== 'linux') return undefined
  const isBuilt = ['cc', 'gcc', 'clang'].some(
    (compiler) =>
      spawnSync(compiler, ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl', '-pthread']).status ===
      0,
  )
  const probeScript = "require('node:fs').accessSync('/below-engine/home')"
  const env = { ...process.env, LD_PRELOAD: library }
  return isBuilt && spawnSync(process.execPath, ['-e', probeScript], { env }).status === 0
    ? library
    : undefined
}

/**
 * Fails if the guard of the logs is removed (182 of 185 facts are lost); see the mutant `no guard of
 * LevelDB's logs`.
 */
test('loses nothing acknowledged when any system call fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'below-'))
  try {
    const library = buildShim(folder)
    if (library === undefined) {
      console.log('skipped: no C compiler, or no LD_PRELOAD, to fail system calls with')
      return
    }
    const crew = Array.from({ length: workers }, () => openWorker(library))
    try {
      const [first] = crew
      const { homes } = (await first?.ask({ what: 'make', folder })) ?? {}
      assert.ok(homes)
      const cases = await listCases(crew, homes, folder)
      const chosenCases = isWhole || DEED ? cases : sample(cases, createChance('below engine'))
      const { doneCount: caseCount, metCount, ill: failures } = await runAll(crew, chosenCases, homes, folder)
      printFigures(
        'below engine',
        `${caseCount} of ${cases.length} cases`,
        `${metCount} met`,
        `${failures.length} ill`,
      )
      assert.equal(failures, [])
    } finally {
      for (const { end } of crew) end()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

const listCases = async (crew: readonly Worker[], homes: Homes, folder: string): Promise<readonly Case[]> => {
  const cases: Case[] = []
  const remainingPlays = plays.filter(({ deed }) => DEED === undefined || DEED === deed)
  const record = async (worker: Worker, place: number) => {
    for (let play = remainingPlays.shift(); play; play = remainingPlays.shift()) {
      const { calls = [], faults } = await worker.ask({
        what: 'do',
        homes,
        scratch: join(folder, `recorded-${place}-${remainingPlays.length}`),
        deed: play.deed,
        state: play.state,
      })
      assert.equal(faults, [], `${play.deed} (${play.state}) without a fault`)
      const relevantCalls = play.location ? calls.filter((kind) => play.location?.test(kind)) : calls
      cases.push(...toFaults(relevantCalls).map((fault) => ({ ...play, fault })))
    }
  }
  await Promise.all(crew.map(record))
  return cases.filter(({ fault }) => KIND === undefined || fault.kind.includes(KIND))
}

const toFaults = (calls: readonly string[]): readonly Fault[] => {
  const counts = new Map<string, number>()
  for (const kind of calls) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].flatMap(([kind, count]) => {
    const call = kind.split(' ')[0] ?? ''
    const [usual, ...otherErrors] = errors[call] ?? []
    assert.ok(usual, `no error is known for ${call}`)
    const all = Array.from({ length: count }, (_, n) => n + 1)
    const samplePlaces = [...new Set([1, Math.ceil(count / 2), count])]
    // LevelDB opens a log and a manifest after our own check has opened them.
    const earlyPlaces =
      engine.test(kind) && criticalCalls.has(call) ? [1, 2].filter((nth) => nth <= count) : [1]
    const moreErrors = engine.test(kind) ? otherErrors : otherErrors.slice(0, 1)
    const places = levelDbLogs.test(kind) ? [1] : criticalCalls.has(call) ? all : samplePlaces
    return [
      ...places.map((nth) => ({ kind, nth, error: usual })),
      ...(levelDbLogs.test(kind)
        ? []
        : moreErrors.flatMap((error) => earlyPlaces.map((nth) => ({ kind, nth, error })))),
    ]
  })
}

/** Returns the cases that once lost facts, then random others. */
const sample = (cases: readonly Case[], chance: Chance): readonly Case[] => {
  const isLog = ({ fault }: Case) => /^(open|read) personas\/.*journal\/#\.log$/.test(fault.kind)
  const first = cases.filter((item) => isLog(item) && item.deed === 'start' && item.fault.nth > 1)
  const otherCases = cases.filter((item) => !first.includes(item))
  const shuffledCases = otherCases.map((item) => [chance.next(), item] as const).sort(([a], [b]) => a - b)
  return [...first.slice(0, minCases / 2), ...shuffledCases.map(([, item]) => item)]
}

const runAll = async (
  crew: readonly Worker[],
  cases: readonly Case[],
  homes: Homes,
  folder: string,
): Promise<{ readonly doneCount: number; readonly metCount: number; readonly ill: readonly string[] }> => {
  const remainingCases = [...cases]
  const end = Date.now() + budget
  const failures: string[] = []
  let caseCount = 0
  let metCount = 0
  const shouldContinue = () => failures.length < maxFailures && (caseCount < minCases || Date.now() < end)
  const work = async (worker: Worker) => {
    for (
      let nextCase = remainingCases.shift();
      nextCase && shouldContinue();
      nextCase = remainingCases.shift()
    ) {
      const scratch = join(folder, `case-${cases.length - remainingCases.length}`)
      const { deed, state, fault } = nextCase
      const outcome = await worker.ask({ what: 'do', homes, scratch, deed, state, fault })
      caseCount++
      if (outcome.isMet) metCount++
      if (outcome.faults.length > 0) {
        failures.push(`${describeCase(nextCase)}: ${outcome.faults.join('; ')}`)
        if (process.env.DAIMON_BELOW_LOUD) console.log(failures.at(-1))
      }
    }
  }
  await Promise.all(crew.map(work))
  return { doneCount: caseCount, metCount: metCount, ill: failures }
}

const describeCase = ({ deed, state, fault: { kind, nth, error } }: Case): string =>
  `${deed} (${state}), ${error} from ${kind}, number ${nth}`

interface Worker {
  readonly ask: (task: Task) => Promise<Outcome>
  readonly end: () => void
}

declare const BELOW_ENGINE_WORKER: string

/** If the process ends or hangs, its task has failed; the next task gets another process. */
const openWorker = (library: string): Worker => {
  const start = (): ChildProcess =>
    fork(fileURLToPath(BELOW_ENGINE_WORKER), {
      execArgv: ['--enable-source-maps'],
      env: { ...process.env, LD_PRELOAD: library },
    })
  let child = start()
  const ask = async (task: Task): Promise<Outcome> => {
    if (!child.connected) child = start()
    const settledEnd = new AbortController()
    const { signal } = settledEnd
    const killTimer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    child.send(task)
    const waitForExit = async (): Promise<Outcome> => {
      const [code, by] = await once(child, 'exit', { signal })
      child = start()
      return { isMet: true, faults: [`it ended the process (${code ?? by})`] }
    }
    const waitForAnswer = async (): Promise<Outcome> => (await once(child, 'message', { signal }))[0]
    try {
      return await Promise.race([waitForAnswer(), waitForExit()])
    } finally {
      clearTimeout(killTimer)
      settledEnd.abort()
    }
  }
  return { ask, end: () => child.kill('SIGKILL') }
}

test.run()
