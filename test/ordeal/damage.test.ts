/**
 * Single bits are flipped and files are truncated, emptied and removed, in every file of a home. The damage
 * must be reported or harmless, and never served.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isWhole, printFigures, scaleSize } from '../ordeal.ts'
import { createChance } from '../random.ts'
import type { Outcome, Task } from './damage-worker.ts'
import { type Homes, listFiles, makeHomes } from './damaged-home.ts'
import { chooseDamage, type Damage, describeDamage } from './damages.ts'

const timeoutMs = 30_000
/** Each worker reads the undamaged homes first; modules and these answers are not shared. */
const workers = isWhole ? 2 : 1
/** Stop after this many faults. */
const maxFailures = 20

const test = suite('damage')

/**
 * Fails without the check of the files (LevelDB rebuilds damaged journals from the readable rest, and they
 * seem intact, or the process ends with SIGABRT); without chain, commitments and witness (records that were
 * never written are served, or a shorter journal as a complete one); with the raw error if a folder is in the
 * place of a file (`reading fails with Error: EISDIR`); with a catalog and a lock file that cannot be rebuilt
 * then (`the home does not answer`).
 */
test('every damage in a home is reported or harmless, and other personas are not affected', async () => {
  const count = scaleSize(5000, 250)
  const chance = createChance('damage')
  const folder = await mkdtemp(join(tmpdir(), 'damage-'))
  try {
    const homes = await makeHomes(folder)
    const files = {
      'in order': await getSizes(homes.folders['in order']),
      'by a crash': await getSizes(homes.folders['by a crash']),
    }
    const damages = Array.from({ length: count }, (_, n) => chooseDamage(chance, n, files))
    const outcomes = await runAll(damages, homes, folder)
    report(outcomes)
    const faults = [...outcomes].flatMap(([damage, { faults }]) =>
      faults.map((fault) => `${describeDamage(damage)}: ${fault}`),
    )
    assert.equal(faults, [])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

const getSizes = async (home: string) =>
  Promise.all(
    (await listFiles(home)).map(async (file) => ({ file, size: (await stat(join(home, file))).size })),
  )

const runAll = async (
  damages: readonly Damage[],
  homes: Homes,
  folder: string,
): Promise<ReadonlyMap<Damage, Outcome>> => {
  const outcomes = new Map<Damage, Outcome>()
  const remainingDamages = [...damages]
  let failureCount = 0
  const work = async (_: unknown, place: number) => {
    let child = start()
    for (
      let damage = remainingDamages.shift();
      damage && failureCount < maxFailures;
      damage = remainingDamages.shift()
    ) {
      const outcome = await runTask(child, { homes, scratch: join(folder, `scratch-${place}`), damage })
      outcomes.set(damage, outcome)
      if (outcome.faults.length > 0) failureCount++
      if (outcome.faults.length > 0 && !child.connected) child = start()
    }
    if (child.connected) child.disconnect()
  }
  await Promise.all(Array.from({ length: workers }, work))
  return outcomes
}

declare const DAMAGE_WORKER: string

const start = (): ChildProcess => fork(fileURLToPath(DAMAGE_WORKER), { execArgv: ['--enable-source-maps'] })

/** A damage that ends or hangs the process is a fault; the next damage gets another process. */
const runTask = async (child: ChildProcess, task: Task): Promise<Outcome> => {
  const settledEnd = new AbortController()
  const { signal } = settledEnd
  const killTimer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  child.send(task)
  const waitForExit = async (): Promise<Outcome> => {
    const [code, by] = await once(child, 'exit', { signal })
    return { outcome: 'detected', faults: [`it ended the process (${code ?? by})`], cpu: 0 }
  }
  const waitForAnswer = async (): Promise<Outcome> => (await once(child, 'message', { signal }))[0]
  try {
    return await Promise.race([waitForAnswer(), waitForExit()])
  } finally {
    clearTimeout(killTimer)
    settledEnd.abort()
  }
}

const report = (outcomes: ReadonlyMap<Damage, Outcome>): void => {
  const all = [...outcomes]
  const countOutcomes = (damages: typeof all, wantedOutcome: Outcome['outcome']) =>
    damages.filter(([, { outcome }]) => outcome === wantedOutcome).length
  const kinds = [...new Set(all.map(([{ kind }]) => kind))].sort()
  const perKind = kinds.map((kind) => {
    const ofKind = all.filter(([damage]) => damage.kind === kind)
    return `${kind} ${countOutcomes(ofKind, 'harmless')}/${countOutcomes(ofKind, 'detected')}`
  })
  const cpu = all.reduce((sum, [, { cpu }]) => sum + cpu, 0) / all.length
  printFigures(
    'damage',
    `${all.length} files`,
    `harmless/said ${countOutcomes(all, 'harmless')}/${countOutcomes(all, 'detected')}`,
    perKind.join(' '),
    `${Math.round(cpu)} ms each`,
  )
}

test.run()
