/**
 * Measures a log of 10 000 signed heads: signing one more, proving and verifying. The baseline of a signature
 * is a synced append and an atomic replacement of a file, with as many bytes.
 */
import { createPrivateKey } from 'node:crypto'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { headPlaces, headsFolder, personaFolder } from '../home/places.ts'
import { createHeadLogs } from '../journal/heads/head-log.ts'
import { countStored, hashBytes, hashesOfLeaf, readFrom, rootOf } from '../journal/heads/merkle-hashes.ts'
import { parseCheckpoint, signCheckpoint } from '../journal/heads/signed-note.ts'
import { formatLeaf, openWitness } from '../journal/heads/witness.ts'
import { makeFolder, writeWhole } from '../journal/leveldb/durable-files.ts'
import { type Figure, median } from './figure.ts'

const heads = 10_000
const rounds = 100

const headAt = (seq: number) => ({ seq, hash: seq.toString(16).padStart(64, '0') })

/** Returns the median duration in ms. */
const measure = async (work: (round: number) => Promise<unknown>): Promise<number> => {
  const durations: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await work(round)
    durations.push(performance.now() - start)
  }
  return median(durations)
}

export const signedHeads = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  try {
    await makeFolder(personaFolder(home, 'ada'))
    const folder = headsFolder(home, 'ada')
    const logs = createHeadLogs(headPlaces(home), Date.now)
    await logs.sign('ada', headAt(1))
    const key = createPrivateKey(await readFile(headPlaces(home).keyFile))
    await fillLog(folder, key)

    const signMs = await measure((round) => logs.sign('ada', headAt(heads + 1 + round)))
    const file = await open(join(home, 'baseline'), 'a')
    const appendMs = await measure(async () => {
      await file.write(Buffer.alloc(107))
      await file.sync()
      await writeWhole(join(home, 'replaced'), Buffer.alloc(300))
    })
    await file.close()
    const checkpoint = { origin: 'example.com/log', size: heads, root: Buffer.alloc(hashBytes) }
    const cryptoMs = await measure(() => signCheckpoint(checkpoint, key))
    const proveMs = await measure(() => logs.view('ada', { last: 1, since: heads / 2 }))
    const { witness } = await logs.sign('ada', headAt(heads + rounds))
    const verifyMs = await measure(() => openWitness(witness))
    const cpuStart = process.cpuUsage()
    await logs.check('ada')
    const { user, system } = process.cpuUsage(cpuStart)
    const checkMs = (user + system) / 1000
    const row = (label: string, value: number, goal: number): Figure => ({
      label: `${label}, log of ${heads} heads`,
      value,
      unit: 'ms',
      goal: `< ${goal} ms`,
      isMet: value < goal,
    })
    return [
      row('signature of a checkpoint, without disk', cryptoMs, 5),
      {
        label: `head appended, synced and signed, log of ${heads} heads`,
        value: signMs,
        unit: 'ms',
        goal: '< 5 × the same bytes',
        baseline: { label: 'the same bytes appended and replaced', value: appendMs },
        isMet: signMs < 5 * appendMs,
      },
      row('inclusion and consistency proof', proveMs, 20),
      row('witness file verified', verifyMs, 5),
      row('whole log verified, CPU time', checkMs, 1000),
    ]
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

const fillLog = async (folder: string, key: ReturnType<typeof createPrivateKey>): Promise<void> => {
  const { origin = '' } =
    parseCheckpoint(await readFile(join(folder, 'checkpoint'), 'utf8'))?.checkpoint ?? {}
  const treeHashes = Buffer.alloc(countStored(heads) * hashBytes)
  const leaves = Array.from({ length: heads }, (_, index) => {
    const leaf = formatLeaf({ ...headAt(index + 1), time: new Date(index * 86_400_000).toISOString() })
    const hashes = hashesOfLeaf(Buffer.from(leaf), index, readFrom(treeHashes))
    Buffer.concat(hashes).copy(treeHashes, countStored(index) * hashBytes)
    return `${leaf}\n`
  })
  await writeFile(join(folder, 'leaves'), leaves.join(''))
  await writeFile(join(folder, 'hashes'), treeHashes)
  const root = rootOf(readFrom(treeHashes), heads)
  await writeFile(join(folder, 'checkpoint'), await signCheckpoint({ origin, size: heads, root }, key))
}
