/** Tests office documents: formulas without results, comments. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { extract } from '../extract.ts'
import type { DocumentFormat } from '../formats.ts'
import { usualLimits } from '../limits.ts'
import { ledgerOds, letterOdt, talkOdp } from './made-odf.ts'
import { ledgerXlsx, letterDocx, talkPptx } from './made-office.ts'
import { withFile } from './place.ts'
import { type ZipEntry, zip } from './zip.ts'

const read = async (entries: readonly ZipEntry[], format: DocumentFormat): Promise<string> => {
  const extracted = await withFile(zip(entries), (path) => extract(path, format, usualLimits))
  return extracted.kind === 'text' ? extracted.text : extracted.reason
}

const withParts = (entries: readonly ZipEntry[], parts: Readonly<Record<string, string>>) => [
  ...entries.filter(({ name }) => !Object.hasOwn(parts, name)),
  ...Object.entries(parts).map(([name, bytes]) => ({ name, bytes })),
]

/** Returns the rows of a workbook's second sheet with the given cell markup. */
const readCells = async (cells: string): Promise<readonly string[]> => {
  const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${cells}</sheetData></worksheet>`
  const text = await read(withParts(ledgerXlsx, { 'xl/worksheets/sheet1.xml': sheet }), 'xlsx')
  return (text.split('# Büro & Haus\n')[1] ?? text).split('\n')
}

test('shows the formula of a cell without a result', async () => {
  assert.equal(
    await readCells(`<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>SUM(A1:A3)</f></c></row>
<row r="2"><c r="A2"><f>A1 &amp; "x"</f><v></v></c><c r="B2" t="str"><f>_xlfn.CONCAT(A1)</f></c></row>
<row r="3"><c r="A3" t="array"><f t="array" ref="A3:A4">A1:A2*2</f></c><c r="B3" t="b"><f>A1&gt;1</f></c></row>`),
    ['2 | =SUM(A1:A3)', '=A1 & "x" | =CONCAT(A1)', '{=A1:A2*2} | =A1>1'],
  )
})

test('shows the result of a formula even if it is an empty string', async () => {
  assert.equal(
    await readCells(
      `<row r="1"><c r="A1"><f>SUM(B1:B3)</f><v>7</v></c><c r="B1" t="str"><f>""</f><v></v></c><c r="C1"><f>C2</f><v>0</v></c></row>`,
    ),
    ['7 |  | 0'],
  )
})

test('marks the cells that share the formula of another one', async () => {
  assert.equal(
    await readCells(`<row r="1"><c r="A1"><f t="shared" ref="A1:A3" si="0">B1*C1</f><v>6</v></c></row>
<row r="2"><c r="A2"><f t="shared" si="0"/></c></row><row r="3"><c r="A3"><f t="shared" si="0"/><v>8</v></c></row>
<row r="4"><c r="A4"><f t="shared" si="9"/></c></row>`),
    ['6', '=… (like =B1*C1)', '8', '=…'],
  )
})

test('does not treat an empty cell as text or a boolean', async () => {
  assert.equal(
    await readCells(
      `<row r="1"><c r="A1"><v>1</v></c><c r="B1" t="s"/><c r="C1" t="b"/><c r="D1"><v>2</v></c></row>`,
    ),
    ['1 |  |  | 2'],
  )
})

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const relationships = (...relations: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`)
    .join('')}</Relationships>`
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const microsoft = 'http://schemas.microsoft.com/office/2018/10/relationships'

const createComment = (id: number, author: string, ...lines: readonly string[]) =>
  `<w:comment w:id="${id}" w:author="${author}" w:initials="x" w:date="2026-03-01T14:30:00Z">${lines
    .map((line) => `<w:p><w:r><w:annotationRef/><w:t>${line}</w:t></w:r></w:p>`)
    .join('')}</w:comment>`

test('reads Word comments at their positions, and those without one at the end', async () => {
  const body = `<w:p><w:commentRangeStart w:id="4"/><w:r><w:t>Rent: 610 €</w:t></w:r><w:commentRangeEnd w:id="4"/>
<w:r><w:commentReference w:id="4"/></w:r><w:r><w:commentReference w:id="5"/></w:r><w:r><w:t>, monthly</w:t></w:r></w:p>
<w:p><w:del><w:r><w:commentReference w:id="6"/></w:r></w:del><w:r><w:commentReference w:id="99"/><w:t>End</w:t></w:r></w:p>`
  const entries = withParts(letterDocx, {
    'word/document2.xml': `<w:document ${word}><w:body>${body}</w:body></w:document>`,
    'word/comments.xml': `<w:comments ${word}>${createComment(4, 'Jörg', 'Too much?', 'Ask again')}${createComment(5, 'Ada', 'No')}${createComment(6, '', 'Removed')}${createComment(7, 'Eve', '')}</w:comments>`,
    'word/_rels/document2.xml.rels': relationships(['rId1', `${office}/comments`, 'comments.xml']),
  })
  assert.is(
    await read(entries, 'docx'),
    `Rent: 610 € [comment by Jörg, 2026-03-01 14:30: Too much? Ask again] [comment by Ada, 2026-03-01 14:30: No], monthly
End

[comment 2026-03-01 14:30: Removed]`,
  )
})

/** Returns the text of a presentation with these comments on its first slide. */
const readTalk = (authors: string, authorsType: string, comments: string, commentsType: string) => {
  const main = talkPptx.find(({ name }) => name === 'ppt/_rels/presentation.xml.rels')
  return read(
    withParts(talkPptx, {
      'ppt/_rels/presentation.xml.rels': `${main?.bytes}`.replace(
        '</Relationships>',
        `<Relationship Id="a" Type="${authorsType}" Target="people.xml"/></Relationships>`,
      ),
      'ppt/people.xml': authors,
      'ppt/slides/_rels/slide2.xml.rels': relationships(['c', commentsType, '../comments/c.xml']),
      'ppt/comments/c.xml': comments,
    }),
    'pptx',
  )
}

test('reads the comments of a sheet after its rows, each discussion once', async () => {
  const main = ledgerXlsx.find(({ name }) => name === 'xl/_rels/workbook.xml.rels')
  const text = await read(
    withParts(ledgerXlsx, {
      'xl/_rels/workbook.xml.rels': `${main?.bytes}`.replace(
        '</Relationships>',
        '<Relationship Id="p" Type="http://schemas.microsoft.com/office/2017/10/relationships/person" Target="persons/person.xml"/></Relationships>',
      ),
      'xl/persons/person.xml': '<personList xmlns="x"><person displayName="Ada" id="{1}"/></personList>',
      'xl/worksheets/_rels/sheet1.xml.rels': relationships(
        ['c', `${office}/comments`, '../comments1.xml'],
        ['t', 'http://schemas.microsoft.com/office/2017/10/relationships/threadedComment', '../t.xml'],
      ),
      'xl/comments1.xml': `<comments xmlns="x"><authors><author>Jörg</author><author>tc={9}</author></authors><commentList>
<comment ref="B1" authorId="0"><text><r><t>Is this </t></r><r><t>net?</t></r></text></comment>
<comment ref="A1" authorId="1"><text><t>[Threaded comment] Your version of Excel</t></text></comment></commentList></comments>`,
      'xl/t.xml':
        '<ThreadedComments xmlns="x"><threadedComment ref="A1" dT="2026-03-01T14:30:00.00" personId="{1}" id="{9}"><text>Too high?</text></threadedComment></ThreadedComments>',
    }),
    'xlsx',
  )
  assert.match(
    text,
    /# Büro & Haus\nGebühr \| 12\.5\n\[comment on B1, by Jörg: Is this net\?\]\n\[comment on A1, by Ada, 2026-03-01 14:30: Too high\?\]$/,
  )
  assert.not.match(text, /Threaded/)
})

test('reads the comments of a slide', async () => {
  const text = await readTalk(
    '<p:cmAuthorLst xmlns:p="p"><p:cmAuthor id="0" name="Jörg" initials="J"/></p:cmAuthorLst>',
    `${office}/commentAuthors`,
    '<p:cmLst xmlns:p="p"><p:cm authorId="0" dt="2026-03-01T14:30:00.5" idx="1"><p:pos x="1" y="1"/><p:text>Which streets?</p:text></p:cm></p:cmLst>',
    `${office}/comments`,
  )
  assert.match(text, /\n\[comment by Jörg, 2026-03-01 14:30: Which streets\?\]\n\n\[slide 2\]/)
})

test('reads the comments of a slide in the format of PowerPoint 2021, with their replies', async () => {
  const body = (text: string) =>
    `<c:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p><a:p><a:r><a:t>Please.</a:t></a:r></a:p></c:txBody>`
  const text = await readTalk(
    '<c:authorLst xmlns:c="c"><c:author id="{1}" name="Jörg"/><c:author id="{2}" name="Ada"/></c:authorLst>',
    `${microsoft}/authors`,
    `<c:cmLst xmlns:c="c" xmlns:a="a"><c:cm id="{9}" authorId="{1}" created="2026-03-01T14:30:00.000"><c:replyLst><c:reply id="{8}" authorId="{2}" created="2026-03-02T09:00:00.000">${body('All.')}</c:reply></c:replyLst>${body('Which?')}</c:cm></c:cmLst>`,
    `${microsoft}/comments`,
  )
  assert.match(
    text,
    /\[comment by Jörg, 2026-03-01 14:30: Which\? Please\.\]\n\[comment by Ada, 2026-03-02 09:00: All\. Please\.\]/,
  )
})

/** Replaces text of the main part of an OpenDocument file. */
const withContent = (entries: readonly ZipEntry[], from: string, to: string) =>
  entries.map((entry) =>
    entry.name === 'content.xml' ? { ...entry, bytes: `${entry.bytes}`.replace(from, to) } : entry,
  )
const annotation =
  '<office:annotation office:name="1"><dc:creator>Ada</dc:creator><dc:date>2026-03-01T14:30:00.123</dc:date><text:list><text:list-item><text:p>One</text:p></text:list-item></text:list><text:p>Two<text:s/></text:p></office:annotation>'

test('reads the comments of OpenDocument texts, presentations and spreadsheets', async () => {
  const comment = '[comment by Ada, 2026-03-01 14:30: One Two]'
  const letter = await read(withContent(letterOdt, 'am <text:span>', `am ${annotation}<text:span>`), 'odt')
  assert.match(letter, `Wir fahren am  ${comment}Dienstag`)
  const talk = await read(withContent(talkOdp, '</draw:page>', `${annotation}</draw:page>`), 'odp')
  assert.match(talk, `\n${comment}\n`)
  const ledger = await read(
    withContent(ledgerOds, '<text:p>Wofür</text:p>', `${annotation}<text:p>Wofür</text:p>`),
    'ods',
  )
  assert.match(ledger, `Tag | Wofür ${comment} | Betrag\n2026-03-01`)
})

test('shows the value or the formula of an OpenDocument cell without text', async () => {
  const cells = `<table:table-cell office:value-type="float" office:value="3"/><table:table-cell table:formula="of:=SUM([.A1:.B2];[$Two.C3])"/><table:table-cell table:formula="of:=&quot;&quot;" office:value-type="string" office:string-value=""/><table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell>`
  const ledger = await read(
    withContent(
      ledgerOds,
      '<table:table-row>',
      `<table:table-row>${cells}</table:table-row><table:table-row>`,
    ),
    'ods',
  )
  assert.match(ledger, '\n3 | =SUM(A1:B2;$Two.C3) |  | x\n')
})

test.run()
