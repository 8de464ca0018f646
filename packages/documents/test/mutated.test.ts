/**
 * Tests documents with random changes: each gives text or a refusal, and an intact document can be read
 * afterwards.
 */
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { printFigures, scaleSize } from '../../../test/ordeal.ts'
import { type Chance, createChance } from '../../../test/random.ts'
import { createDocuments } from '../documents.ts'
import type { DocumentFormat } from '../formats.ts'
import { ledgerOds, letterOdt, talkOdp } from './made-odf.ts'
import { ledgerXlsx, letterDocx, talkPptx } from './made-office.ts'
import { novelEpub } from './made-others.ts'
import { file, withFile } from './place.ts'
import { type ZipEntry, zip } from './zip.ts'

/**
 * `parts`: the entries of a package. They are changed before they are packed, so that checksums are valid.
 */
type IntactDocument = readonly [name: string, format: DocumentFormat, parts?: readonly ZipEntry[]]

const intactDocuments: readonly [IntactDocument, ...IntactDocument[]] = [
  ['letter.docx', 'docx', letterDocx],
  ['form.pdf', 'pdf'],
  ['ledger.xlsx', 'xlsx', ledgerXlsx],
  ['novel.epub', 'epub', novelEpub],
  ['talk.pptx', 'pptx', talkPptx],
  ['letter.odt', 'odt', letterOdt],
  ['invoice.pdf', 'pdf'],
  ['ledger.ods', 'ods', ledgerOds],
  ['talk.odp', 'odp', talkOdp],
  ['note-utf16.txt', 'text'],
  ['party.eml', 'mail'],
  ['contract.rtf', 'rtf'],
  ['invitation.msg', 'outlook'],
]

/** Changes the parts in two of three cases, otherwise the bytes of the file. */
const changedFile = ([name, , parts]: IntactDocument, chance: Chance): Buffer => {
  if (!parts || chance.next() < 1 / 3) return mutate(readFileSync(file(name)), chance)
  return zip(
    parts.map((part) =>
      chance.next() < 0.5 ? { ...part, bytes: mutate(Buffer.from(part.bytes as Uint8Array), chance) } : part,
    ),
  )
}

const mutate = (bytes: Buffer, chance: Chance): Buffer => {
  let changedBytes = bytes
  for (let changesLeft = chance.pickBetween(1, 8); changesLeft > 0; changesLeft--) {
    const position = chance.pickBetween(0, Math.max(0, changedBytes.length - 1))
    const mutation = chance.pick(['flip', 'flip', 'cut', 'insert', 'repeat'])
    const piece = changedBytes.subarray(position, position + chance.pickBetween(1, 200))
    const noise = Buffer.from(
      Array.from({ length: chance.pickBetween(1, 64) }, () => chance.pickBetween(0, 255)),
    )
    if (mutation === 'flip') {
      changedBytes = Buffer.from(changedBytes)
      changedBytes[position] = (changedBytes[position] ?? 0) ^ (1 << chance.pickBetween(0, 7))
    }
    if (mutation === 'cut')
      changedBytes = Buffer.concat([
        changedBytes.subarray(0, position),
        changedBytes.subarray(position + piece.length),
      ])
    if (mutation === 'insert')
      changedBytes = Buffer.concat([
        changedBytes.subarray(0, position),
        noise,
        changedBytes.subarray(position),
      ])
    if (mutation === 'repeat')
      changedBytes = Buffer.concat([
        changedBytes.subarray(0, position),
        piece,
        piece,
        changedBytes.subarray(position),
      ])
  }
  return changedBytes
}

test('reads or refuses each mutated document and then reads an intact one', async () => {
  const chance = createChance('mutated documents')
  const durations: number[] = []
  const documents = createDocuments({ onRead: ({ ms }) => durations.push(ms) })
  const outcomes = new Map<string, number>()
  const count = scaleSize(200, 20)
  let intactReads = 0
  const work = async (from: number) => {
    for (let index = from; index < count; index += 2) {
      const originalDocument = intactDocuments[index % intactDocuments.length] ?? intactDocuments[0]
      const [name, format] = originalDocument
      await withFile(changedFile(originalDocument, chance), async (path) => {
        await documents.sense(path, name)
        const extracted = await documents.read(path, format)
        const outcome = extracted.kind === 'text' ? 'read' : extracted.reason
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      })
      if (index % 10 !== 9) continue
      assert.is((await documents.read(file('note.txt'), 'text')).kind, 'text')
      intactReads++
    }
  }
  await Promise.all([work(0), work(1)])
  await documents.close()
  assert.is(outcomes.get('lost') ?? 0, 0)
  assert.is(
    [...outcomes.values()].reduce((sum, times) => sum + times, 0),
    count,
  )
  assert.is(intactReads, count / 10)
  assert.is(durations.length, count + intactReads)
  printFigures(
    'mutated documents',
    `${count} changed`,
    [...outcomes].map(([outcome, times]) => `${times} ${outcome}`).join(', '),
  )
})

test.run()
