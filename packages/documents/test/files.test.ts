/** Tests real documents of every format against their expected text. */
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createDocuments } from '../documents.ts'
import { extract } from '../extract.ts'
import { senseFile } from '../file-kind.ts'
import type { DocumentFormat } from '../formats.ts'
import { usualLimits } from '../limits.ts'
import { packedIn } from '../packed.ts'
import { file } from './place.ts'

const names = readdirSync(file('.'))
const documentNames = names.filter((name) => names.includes(`${name}.txt`))
const detectFormat = async (name: string): Promise<DocumentFormat> => {
  const sensedFile = await senseFile(file(name), name, (path) => packedIn(path, usualLimits))
  assert.is(sensedFile.kind, 'document', name)
  return sensedFile.kind === 'document' ? sensedFile.format : 'text'
}

for (const name of documentNames) {
  test(`reads ${name} and gets the expected text`, async () => {
    const extracted = await extract(file(name), await detectFormat(name), usualLimits)
    assert.is(extracted.kind, 'text', JSON.stringify(extracted))
    if (extracted.kind !== 'text') return
    assert.not(extracted.cut)
    assert.fixture(`${extracted.text}\n`, readFileSync(file(`${name}.txt`), 'utf8'))
  })
}

test('has a test document for each format', async () => {
  const formats = new Set<DocumentFormat>()
  for (const name of documentNames) formats.add(await detectFormat(name))
  assert.equal([...formats].sort(), [
    ...['docx', 'epub', 'mail', 'odp', 'ods', 'odt', 'outlook', 'pdf', 'pptx', 'rtf', 'text', 'xlsx'],
  ])
})

test('gives the same result in child processes, two at a time', async () => {
  const readFiles: string[] = []
  const documents = createDocuments({
    onRead: ({ format, ms, peak }) => readFiles.push(`${format} ${ms > 0} ${peak > 2 ** 20}`),
  })
  const samples = ['offer.docx', 'people.xlsx', 'invoice.pdf', 'note.txt']
  const texts = await Promise.all(
    samples.map(async (name) => {
      const sensedFile = await documents.sense(file(name), name)
      return sensedFile.kind === 'document' ? documents.read(file(name), sensedFile.format) : undefined
    }),
  )
  samples.forEach((name, index) => {
    const extracted = texts[index]
    assert.is(
      extracted?.kind === 'text' && `${extracted.text}\n`,
      readFileSync(file(`${name}.txt`), 'utf8'),
      name,
    )
  })
  assert.equal(readFiles.sort(), ['docx true true', 'pdf true true', 'text true true', 'xlsx true true'])
  await documents.close()
})

test.run()
