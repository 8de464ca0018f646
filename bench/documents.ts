/**
 * Measures reading a Word document and an Excel workbook of 5 MB completely: time and memory, against only
 * unpacking them.
 */
import { fork } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openArchive } from '../packages/documents/archive.ts'
import type { Answer, Task } from '../packages/documents/document-reader.ts'
import type { DocumentFormat } from '../packages/documents/formats.ts'
import { usualLimits } from '../packages/documents/limits.ts'
import { ledgerXlsx, letterDocx } from '../packages/documents/test/made-office.ts'
import { type ZipEntry, zip } from '../packages/documents/test/zip.ts'
import { type Chance, chanceFrom } from '../test/random.ts'
import { type Figure, median } from './figure.ts'

const bytes = 5_000_000
const rounds = 5
const reader = fileURLToPath(new URL('../dist/document-reader.mjs', import.meta.url))
// With the usual limit only the first two million characters would be read.
const limits = { ...usualLimits, characters: 100_000_000 }

export const documents = async (): Promise<readonly Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const oneWordFile = join(folder, 'nothing.txt')
  await writeFile(oneWordFile, 'nothing')
  const figures: Figure[] = []
  for (const [format, make] of [
    ['docx', madeDocx],
    ['xlsx', madeXlsx],
  ] as const) {
    const path = join(folder, `file.${format}`)
    const file = make(chanceFrom(1))
    await writeFile(path, file)
    const [ms, unpackTimes, peaks, minPeaks]: number[][] = [[], [], [], []]
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now()
      await unpack(path)
      unpackTimes?.push(performance.now() - startedAt)
      const took = await readDocument(path, format)
      ms?.push(took.ms)
      peaks?.push(took.megabytes)
      minPeaks?.push((await readDocument(oneWordFile, 'text')).megabytes)
    }
    const label = `a ${format} of ${(file.length / 1e6).toFixed(1)} MB`
    const time = median(ms ?? [])
    const memory = median(peaks ?? [])
    const baseline = { label: 'only unpacking', value: median(unpackTimes ?? []) }
    figures.push({ label, value: time, unit: 'ms', baseline, goal: '< 5000 ms', isMet: time < 5000 })
    const emptyDocument = { label: 'a document of one word', value: median(minPeaks ?? []) }
    figures.push({
      label: `${label}, memory of its process`,
      value: memory,
      unit: 'MB',
      baseline: emptyDocument,
      goal: '< 300 MB',
      isMet: memory < 300,
    })
  }
  await rm(folder, { recursive: true, force: true })
  return figures
}

/** Reads in the same child process that the daemon uses. Rejects unless the whole document was read. */
const readDocument = (
  path: string,
  format: DocumentFormat,
): Promise<{ readonly ms: number; readonly megabytes: number }> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const child = fork(reader, { execArgv: [], serialization: 'advanced' })
    child.once('message', (message) => {
      const { extracted, peak } = message as Answer
      child.kill()
      if (extracted?.kind !== 'text' || extracted.cut)
        return reject(new Error(`not read: ${JSON.stringify(extracted).slice(0, 200)}`))
      resolve({ ms: performance.now() - startedAt, megabytes: peak / 1e6 })
    })
    child.once('exit', (code, signal) => reject(new Error(`ended with ${code ?? signal}`)))
    child.send({ kind: 'read', path, format, limits } satisfies Task)
  })

const unpack = async (path: string): Promise<void> => {
  const archive = await openArchive(path, limits)
  for (const name of archive.names) for await (const _ of archive.read(name));
  archive.close()
}

/** Generates words that compress about as well as natural language. */
const createText = (chance: Chance, count: number): string =>
  Array.from({ length: count }, () => chance.pickBetween(0, 200_000).toString(36).padStart(3, 'ä')).join(' ')

const replaceEntry = (entries: readonly ZipEntry[], name: string, markup: string): Buffer =>
  zip(entries.map((entry) => (entry.name === name ? { name, bytes: markup } : entry)))

const madeDocx = (chance: Chance): Buffer => {
  const paragraphs = Array.from(
    { length: bytes / 210 },
    () =>
      `<w:p><w:pPr><w:pStyle w:val="Standard"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>${createText(chance, 80)}</w:t></w:r></w:p>`,
  )
  return replaceEntry(
    letterDocx,
    'word/document2.xml',
    `<w:document xmlns:w="w"><w:body>${paragraphs.join('')}</w:body></w:document>`,
  )
}

const madeXlsx = (chance: Chance): Buffer => {
  const row = (number: number) => {
    const figures = Array.from(
      { length: 8 },
      () =>
        `<c s="1"><v>${chance.pickBetween(30_000, 50_000)}</v></c><c><v>${chance.pickBetween(0, 9_999_999) / 100}</v></c>`,
    )
    return `<row r="${number}">${figures.join('')}<c t="inlineStr"><is><t>${createText(chance, 4)}</t></is></c></row>`
  }
  const rows = Array.from({ length: bytes / 92 }, (_, n) => row(n + 1))
  return replaceEntry(
    ledgerXlsx,
    'xl/worksheets/sheet2.xml',
    `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
  )
}
