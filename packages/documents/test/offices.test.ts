/** Office documents: formulas without results, comments. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { extract } from '../extract.ts'
import type { DocumentFormat } from '../formats.ts'
import { usualLimits } from '../limits.ts'
import { ledgerXlsx } from './made-office.ts'
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

/** The rows of the second sheet of a workbook, whose cells are this markup. */
const readCells = async (cells: string): Promise<readonly string[]> => {
  const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${cells}</sheetData></worksheet>`
  const text = await read(withParts(ledgerXlsx, { 'xl/worksheets/sheet1.xml': sheet }), 'xlsx')
  return (text.split('# Büro & Haus\n')[1] ?? text).split('\n')
}

test('shows the formula of a cell that has no result', async () => {
  assert.equal(
    await readCells(`<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>SUM(A1:A3)</f></c></row>
<row r="2"><c r="A2"><f>A1 &amp; "x"</f><v></v></c><c r="B2" t="str"><f>_xlfn.CONCAT(A1)</f></c></row>
<row r="3"><c r="A3" t="array"><f t="array" ref="A3:A4">A1:A2*2</f></c><c r="B3" t="b"><f>A1&gt;1</f></c></row>`),
    ['2 | =SUM(A1:A3)', '=A1 & "x" | =CONCAT(A1)', '{=A1:A2*2} | =A1>1'],
  )
})

test('shows the result of a formula that has one, though it is an empty text', async () => {
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

test('takes an empty cell for no text and no truth value', async () => {
  assert.equal(
    await readCells(
      `<row r="1"><c r="A1"><v>1</v></c><c r="B1" t="s"/><c r="C1" t="b"/><c r="D1"><v>2</v></c></row>`,
    ),
    ['1 |  |  | 2'],
  )
})

test.run()
