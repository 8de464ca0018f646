/**
 * Tests hostile documents: each gives text or a refusal within the limits, and the next document can be read.
 */
import { createServer } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../../../test/calls.ts'
import { createDocuments, type Documents } from '../documents.ts'
import { extract } from '../extract.ts'
import type { DocumentFormat } from '../formats.ts'
import { type Extracted, type Limits, usualLimits } from '../limits.ts'
import { ledgerOds, letterOdt } from './made-odf.ts'
import { letterDocx, talkPptx } from './made-office.ts'
import { novelEpub, pdf, stream } from './made-others.ts'
import { file, withFile } from './place.ts'
import { type ZipEntry, zip } from './zip.ts'

const MiB = 1024 * 1024

/** Reads in this process, for documents that must be refused before they use resources. */
const read = (
  bytes: Uint8Array | string,
  format: DocumentFormat,
  limits: Partial<Limits> = {},
): Promise<Extracted> => withFile(bytes, (path) => extract(path, format, { ...usualLimits, ...limits }))

const reason = (extracted: Extracted): string =>
  extracted.kind === 'refused' ? extracted.reason : `read: ${extracted.text.slice(0, 200)}`

const words = (extracted: Extracted): string => {
  assert.is(extracted.kind, 'text', JSON.stringify(extracted))
  return extracted.kind === 'text' ? extracted.text : ''
}

/** Replaces parts of a package or adds new ones. */
const withParts = (entries: readonly ZipEntry[], ...parts: readonly ZipEntry[]): readonly ZipEntry[] => [
  ...entries.filter(({ name }) => !parts.some((part) => part.name === name)),
  ...parts,
]

const main = 'word/document2.xml'
const body = (content: string): string => `<w:document xmlns:w="w"><w:body>${content}</w:body></w:document>`
const docx = (part: Omit<ZipEntry, 'name'>, ...otherParts: readonly ZipEntry[]): Buffer =>
  zip(withParts(letterDocx, { name: main, ...part }, ...otherParts))

test('refuses a part with a high compression ratio', async () => {
  assert.is(reason(await read(docx({ bytes: body(' '.repeat(4 * MiB)) }), 'docx')), 'bomb')
})

// Fails with `validateEntrySizes: false`: then streams of another size than declared are read.
for (const declaredSize of [10, 900_000]) {
  test(`reports damage if a part declares ${declaredSize} bytes and has another size`, async () => {
    assert.is(
      reason(
        await read(
          docx({ bytes: body('<w:p><w:r><w:t>a</w:t></w:r></w:p>'.repeat(1000)), says: declaredSize }),
          'docx',
        ),
      ),
      'damaged',
    )
  })
}

test('reports damage if the checksum of a part is wrong', async () => {
  const bytes = Buffer.from(body('<w:p><w:r><w:t>12 Euro</w:t></w:r></w:p>'))
  const packedEntry = { size: bytes.length, crc: 4711 }
  assert.is(
    reason(await read(docx({ bytes: deflateRawSync(bytes), packed: packedEntry }), 'docx')),
    'damaged',
  )
})

test('refuses parts that are too large, individually or in total', async () => {
  const chapter = `<p>${'<br/>'.repeat(30_000)}</p>`
  const book = novelEpub.map((entry) =>
    entry.name.endsWith('.xhtml') ? { ...entry, bytes: chapter } : entry,
  )
  assert.is(reason(await read(zip(book), 'epub', { entry: 100_000 })), 'too_large')
  assert.is(reason(await read(zip(book), 'epub', { total: 200_000 })), 'too_large')
  assert.is(
    reason(await read(zip(book), 'epub', { entry: 200_000, total: 400_000 })),
    'read: Die Möwe, Änne Groß',
  )
  assert.equal(
    [usualLimits.entry, usualLimits.total, usualLimits.entries, usualLimits.ms],
    [50 * MiB, 100 * MiB, 2000, 20_000],
  )
})

test('refuses 70 000 parts before listing them', async () => {
  const manyEntries = Array.from({ length: 70_000 }, (_, n) => ({ name: `${n}`, bytes: '', stored: true }))
  const bytes = zip([...letterDocx, ...manyEntries])
  const cpuBefore = process.cpuUsage().user
  assert.is(reason(await read(bytes, 'docx')), 'too_many_entries')
  // Measured: listing them takes 3.7 s of CPU time.
  assert.ok(process.cpuUsage().user - cpuBefore < 1_500_000)
})

/** Decoding one of these comments takes 2 MB of memory, and comments are not used. */
const comment = Buffer.alloc(65_535, 'c')

test('refuses an entry list that is too long because of comments or a name', async () => {
  const createCommented = (count: number): readonly ZipEntry[] =>
    Array.from({ length: count }, (_, n) => ({
      name: `word/media/${n}`,
      bytes: '',
      stored: true,
      comment,
      codePage: true,
    }))
  assert.is(reason(await read(zip([...letterDocx, ...createCommented(70)]), 'docx')), 'list_too_long')
  assert.match(
    reason(await read(zip([...letterDocx, ...createCommented(50)]), 'docx')),
    /^read: \[header\] Hausverwaltung/,
  )
  assert.is(
    reason(await read(zip([...letterDocx, { name: 'n'.repeat(1025), bytes: '' }]), 'docx')),
    'list_too_long',
  )
})

test('reports damage if there are fewer parts than the list declares', async () => {
  assert.is(reason(await read(zip(letterDocx, { count: letterDocx.length + 3 }), 'docx')), 'damaged')
})

for (const name of ['../../evil.xml', '/etc/evil.xml', 'C:/evil.xml', 'word/../../evil.xml']) {
  test(`reports damage if a package contains ${name}`, async () => {
    assert.is(reason(await read(zip([...letterDocx, { name, bytes: 'x' }]), 'docx')), 'damaged')
  })
}

test('reports that a document has a password', async () => {
  const encryptPart = (entries: readonly ZipEntry[], part: string) =>
    zip(entries.map((entry) => ({ ...entry, encrypted: entry.name === part })))
  assert.is(reason(await read(encryptPart(letterDocx, main), 'docx')), 'encrypted')
  assert.is(
    reason(await read(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]), 'xlsx')),
    'encrypted',
  )
  const manifest =
    '<manifest:manifest xmlns:manifest="m"><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'
  assert.is(
    reason(await read(zip(withParts(letterOdt, { name: 'META-INF/manifest.xml', bytes: manifest })), 'odt')),
    'encrypted',
  )
  const rights =
    '<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/text/one.xhtml"/></CipherData></EncryptedData></encryption>'
  assert.is(
    reason(await read(zip(withParts(novelEpub, { name: 'META-INF/encryption.xml', bytes: rights })), 'epub')),
    'encrypted',
  )
  const encrypt = `/Root 1 0 R /ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`
  assert.is(
    reason(
      await read(
        pdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'], encrypt),
        'pdf',
      ),
    ),
    'encrypted',
  )
})

test('does not open nested packages', async () => {
  const inner = zip([{ name: 'word/document.xml', bytes: body('<w:p><w:r><w:t>inside</w:t></w:r></w:p>') }])
  const bomb = zip([{ name: 'a', bytes: ' '.repeat(4 * MiB) }])
  const extracted = await read(
    zip([
      ...letterDocx,
      { name: 'word/embeddings/a.docx', bytes: inner },
      { name: 'word/media/b.zip', bytes: bomb },
    ]),
    'docx',
  )
  assert.match(words(extracted), /^\[header\] Hausverwaltung/)
  assert.not.match(words(extracted), /inside/)
})

test('does not expand entities that a document declares', async () => {
  const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')
  const doctype = `<!DOCTYPE x [<!ENTITY l0 "ha"><!ENTITY secret SYSTEM "file:///etc/hostname">${laughs}]>`
  const extracted = await read(
    docx({ bytes: doctype + body('<w:p><w:r><w:t>&l9; &secret; &amp; more</w:t></w:r></w:p>') }),
    'docx',
  )
  assert.match(words(extracted), '&l9; &secret; & more')
})

test('writes 1000 of 10^9 repeated rows and reports the number of omitted rows', async () => {
  const endless =
    '<office:body><table:table table:name="T"><table:table-row table:number-rows-repeated="1000000000"><table:table-cell table:number-columns-repeated="1000000000"><text:p>7<text:s text:c="1000000000"/>8</text:p></table:table-cell></table:table-row></table:table></office:body>'
  const text = words(await read(zip(withParts(ledgerOds, { name: 'content.xml', bytes: endless })), 'ods'))
  assert.ok(text.length < 500_000)
  assert.match(text, '(999999936 more like it)')
  assert.match(text, '(999999000 more rows like it)')
  const spaces = '<office:body><text:p>a<text:s text:c="1000000000"/>b</text:p></office:body>'
  assert.ok(
    words(await read(zip(withParts(letterOdt, { name: 'content.xml', bytes: spaces })), 'odt')).length < 500,
  )
})

test('shortens the gap before a cell in the last column', async () => {
  const sheet = `<worksheet><sheetData>${'<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>'.repeat(3)}</sheetData></worksheet>`
  const sheets = (await import('./made-office.ts')).ledgerXlsx
  assert.match(
    words(await read(zip(withParts(sheets, { name: 'xl/worksheets/sheet2.xml', bytes: sheet })), 'xlsx')),
    '1 | … | 2\n1 | … | 2',
  )
})

// Fails without the depth limit: the document is read after the parser's stack has taken a minute.
test('refuses elements that are nested too deeply', async () => {
  assert.is(reason(await read(docx({ bytes: body('<w:p>'.repeat(150_000)) }), 'docx')), 'bomb')
  const chapter = '<div>'.repeat(150_000)
  assert.is(
    reason(await read(zip(withParts(novelEpub, { name: 'OEBPS/text/one.xhtml', bytes: chapter })), 'epub')),
    'bomb',
  )
})

test('survives references to the same part, to a missing part and out of the package', async () => {
  const toItself = `<Relationships><Relationship Id="a" Type="x/officeDocument" Target="_rels/.rels"/></Relationships>`
  assert.is(
    reason(await read(zip(withParts(letterDocx, { name: '_rels/.rels', bytes: toItself })), 'docx')),
    'empty',
  )
  const toNothing = `<Relationships><Relationship Id="a" Type="x/officeDocument" Target="../../etc/passwd"/></Relationships>`
  assert.is(
    reason(await read(zip(withParts(letterDocx, { name: '_rels/.rels', bytes: toNothing })), 'docx')),
    'damaged',
  )
  const styles =
    '<w:styles xmlns:w="w"><w:style w:styleId="Titel"><w:basedOn w:val="Titel"/></w:style></w:styles>'
  assert.match(
    words(await read(zip(withParts(letterDocx, { name: 'word/styles.xml', bytes: styles })), 'docx')),
    /^Mietvertrag$/m,
  )
  const slides = Array.from({ length: 50 }, (_, n) => `<p:sldId id="${n}" r:id="rId2"/>`).join('')
  const show = `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${slides}</p:sldIdLst></p:presentation>`
  assert.match(
    words(await read(zip(withParts(talkPptx, { name: 'ppt/presentation.xml', bytes: show })), 'pptx')),
    '[slide 50]',
  )
})

test('truncates a text that is too long, but never within a character', async () => {
  const extracted = await read('😀'.repeat(1000), 'text', { characters: 101 })
  assert.equal(extracted, { kind: 'text', format: 'text', text: '😀'.repeat(50), cut: true })
  const book = await read(zip(novelEpub), 'epub', { characters: 40 })
  assert.is(book.kind === 'text' && book.cut && book.text.length <= 40, true)
})

test('gives a reason for each file that cannot be read', async () => {
  assert.is(reason(await read(Buffer.from('Gr\x01\xf6\x02\xdfe', 'latin1'), 'text')), 'not_text')
  assert.is(reason(await read('a\0b', 'text')), 'not_text')
  assert.is(reason(await read('', 'text')), 'empty')
  assert.is(reason(await read(' \n\t', 'text')), 'empty')
  assert.is(reason(await read('only words', 'pdf')), 'damaged')
  assert.is(reason(await read('only words', 'docx')), 'damaged')
  assert.is(reason(await read(zip([]), 'odt')), 'damaged')
  assert.is(reason(await extract(file('nobody.txt'), 'text', usualLimits)), 'missing')
  assert.is(reason(await extract(file('nobody.docx'), 'docx', usualLimits)), 'missing')
  assert.is(reason(await extract(file('nobody.odt'), 'odt', usualLimits)), 'missing')
})

test('finds no text in scanned pages', async () => {
  const pages = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
  ]
  assert.is(reason(await read(pdf(pages), 'pdf')), 'empty')
})

/** Each object calls the next one twice: 2^40 calls in total. */
const endlessPdf = (): Buffer => {
  const levels = 40
  const xobject = (index: number) => `/XObject << /X ${index} 0 R >>`
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${xobject(5)} /Font << /F1 ${5 + levels} 0 R >> >> >>`,
    stream('/X Do'),
    ...Array.from({ length: levels }, (_, n) =>
      stream(
        n === levels - 1 ? 'BT /F1 9 Tf (a) Tj ET' : '/X Do /X Do BT /F1 9 Tf (a) Tj ET',
        `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${xobject(Math.min(n + 6, 4 + levels))} /Font << /F1 ${5 + levels} 0 R >> >>`,
      ),
    ),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ])
}

const withDocuments = async (
  limits: Partial<Limits>,
  work: (documents: Documents) => Promise<void>,
): Promise<void> => {
  const documents = createDocuments({ limits, atOnce: 1 })
  try {
    await work(documents)
  } finally {
    await documents.close()
  }
}

/** Retries, because reading may time out on a busy machine with the short limits of a test. */
const expectNextRead = async (documents: Documents): Promise<void> => {
  const text = await waitFor('the next document', async () => {
    const extracted = await documents.read(file('note.txt'), 'text')
    return extracted.kind === 'text' && extracted.text
  })
  assert.match(text, /^Grüße/)
}

// Fails without the timer: the process ends later, and the failure is reported as a lack of memory.
test('times out on an endless document and reads the next', async () => {
  await withDocuments({ ms: 1000 }, (documents) =>
    withFile(endlessPdf(), async (path) => {
      const [endless] = await Promise.all([documents.read(path, 'pdf'), expectNextRead(documents)])
      assert.is(reason(endless), 'too_long')
    }),
  )
})

// Fails without the memory watch: the document is read and takes 437 MB.
test('stops reading at the memory limit and reads the next document', async () => {
  // Text with distant repetitions compresses to a hundredth. One character beyond Latin-1 makes each string
  // use two bytes per character.
  const block = Array.from({ length: 4000 }, (_, n) => `${(n * 7919) % 9973}€`).join(' ')
  const paragraph = body(
    `<w:p><w:r><w:t>${block.repeat(Math.floor((24 * MiB) / block.length))}</w:t></w:r></w:p>`,
  )
  await withDocuments({ memory: 150 * MiB }, (documents) =>
    withFile(docx({ bytes: paragraph }), async (path) => {
      assert.is(reason(await documents.read(path, 'docx')), 'too_large')
      await expectNextRead(documents)
    }),
  )
})

test('fails only the current document when the child process dies', async () => {
  await withDocuments({ memory: 3 * MiB }, async (documents) => {
    assert.is(reason(await documents.read(file('note.txt'), 'text')), 'too_large')
  })
  await withDocuments({}, expectNextRead)
})

test('cancels running and queued reads', async () => {
  await withDocuments({}, (documents) =>
    withFile(endlessPdf(), async (path) => {
      const first = new AbortController()
      const second = new AbortController()
      const reading = documents.read(path, 'pdf', first.signal).catch((error: unknown) => error)
      const pendingRead = documents.read(path, 'pdf', second.signal).catch((error: unknown) => error)
      const next = expectNextRead(documents)
      second.abort(new Error('second'))
      assert.is(((await pendingRead) as Error).message, 'second')
      first.abort(new Error('first'))
      assert.is(((await reading) as Error).message, 'first')
      await next
      const lateRead = await documents
        .read(path, 'pdf', AbortSignal.abort(new Error('late')))
        .catch((error: unknown) => error)
      assert.is((lateRead as Error).message, 'late')
    }),
  )
})

test('ends all child processes on close', async () => {
  const documents = createDocuments()
  await withFile(endlessPdf(), async (path) => {
    const readings = [1, 2, 3].map(() =>
      documents.read(path, 'pdf').then(reason, (error: Error) => error.name),
    )
    await waitFor('processes', () => children() >= 2)
    await documents.close()
    assert.equal(await Promise.all(readings), ['AbortError', 'AbortError', 'AbortError'])
    await waitFor('their end', () => children() === 0)
  })
})

const children = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length

test('fetches no external resources', async () => {
  let calls = 0
  const server = createServer((socket) => {
    calls++
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  const createExternalRelation = (type: string, id: string) =>
    `<Relationship Id="${id}" Type="x/${type}" Target="${url}" TargetMode="External"/>`
  const relations = String(letterDocx.find(({ name }) => name === 'word/_rels/document2.xml.rels')?.bytes)
  const hostile = relations.replace(
    '</Relationships>',
    `${createExternalRelation('header', 'h')}${createExternalRelation('attachedTemplate', 't')}${createExternalRelation('image', 'i')}</Relationships>`,
  )
  const doctype = `<!DOCTYPE w SYSTEM "${url}"><?xml-stylesheet href="${url}"?>`
  const page = `<link rel="stylesheet" href="${url}"/><img src="${url}"/><iframe src="${url}"></iframe><p>seen</p>`
  const action = `<< /S /JavaScript /JS (app.launchURL\\('${url}'\\)) >>`
  try {
    await withDocuments({}, async (documents) => {
      const all: readonly (readonly [DocumentFormat, Buffer])[] = [
        [
          'docx',
          docx(
            { bytes: doctype + body('<w:p><w:r><w:t>seen</w:t></w:r></w:p>') },
            { name: 'word/_rels/document2.xml.rels', bytes: hostile },
          ),
        ],
        ['epub', zip(withParts(novelEpub, { name: 'OEBPS/text/one.xhtml', bytes: page }))],
        [
          'pdf',
          pdf([
            `<< /Type /Catalog /Pages 2 0 R /OpenAction ${action} >>`,
            '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
            `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /AA << /O ${action} >> /Resources << /Font << /F1 5 0 R >> >> >>`,
            stream('BT /F1 9 Tf (seen) Tj ET'),
            '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
          ]),
        ],
      ]
      for (const [format, bytes] of all) {
        await withFile(bytes, async (path) =>
          assert.match(words(await documents.read(path, format)), 'seen', format),
        )
      }
    })
    assert.is(calls, 0)
  } finally {
    server.close()
  }
})

test.run()
