/**
 * Measures the CPU time of opening a diary of 10 000 statements and one of 100 000. The cost per statement
 * must not grow.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PersonaEvent } from '../facts/facts.ts'
import { unseal } from '../src/diary/decrypt-diary.ts'
import { encryptDiary } from '../src/diary/encrypt-diary.ts'
import { createOutline, createRecords, joinPieces, newKeys, paged } from '../test/diary/test-diary.ts'
import { born } from '../test/journal/facts.ts'
import type { Figure } from './figure.ts'

const fewCount = 10_000
const manyCount = 100_000

export const statements = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  try {
    const fewSeconds = await measureOpening(home, fewCount)
    const manySeconds = await measureOpening(home, manyCount)
    const baseline = { label: `${fewCount} statements, ten times`, value: 10 * fewSeconds }
    return [
      {
        label: `a diary of ${fewCount} statements decrypted, CPU time`,
        value: fewSeconds,
        unit: 's',
        goal: '< 4 s',
        isMet: fewSeconds < 4,
      },
      {
        label: `of ${manyCount}`,
        value: manySeconds,
        unit: 's',
        baseline,
        goal: '< 2 × that',
        isMet: manySeconds < 20 * fewSeconds,
      },
    ]
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

const measureOpening = async (home: string, count: number): Promise<number> => {
  const { identity, recipient } = await newKeys()
  const { values, head } = createRecords([born, ...Array.from({ length: count }, (_, n) => statement(n))])
  const path = join(home, `${count}.diary`)
  const openFolder = join(home, `opened-${count}`)
  await writeFile(
    path,
    await joinPieces(encryptDiary({ ...createOutline(recipient, head), media: [] }, paged(values), () => '')),
  )
  const cpuBefore = process.cpuUsage()
  await unseal(path, identity, openFolder)
  const { user, system } = process.cpuUsage(cpuBefore)
  return (user + system) / 1e6
}

const statement = (n: number): PersonaEvent => ({
  type: 'MemoryKept',
  id: `m${n.toString(36)}-${(n * 7919) % 10_007}`,
  document: 'person',
  text: `They know thing ${n}.`,
  sources: [],
  origin: 'person',
})
