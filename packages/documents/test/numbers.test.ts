/** Tests how numbers are shown in the formats of a workbook. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { getNumberShape, numberAs } from '../numbers.ts'

for (const [id, code, shape] of [
  [0, undefined, 'number'],
  [0, 'General', 'number'],
  [14, undefined, 'date'],
  [22, undefined, 'moment'],
  [46, undefined, 'duration'],
  [10, undefined, 'percent'],
  [164, 'yyyy\\-mm\\-dd', 'date'],
  [164, '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 'date'],
  [164, 'TT.MM.JJJJ', 'date'],
  [164, 'd. mmm h:mm AM/PM', 'moment'],
  [164, 'h:mm', 'time'],
  [164, 'mm:ss.0', 'time'],
  [164, 'mmm', 'date'],
  [164, '[h]:mm', 'duration'],
  [164, '0.0%', 'percent'],
  [164, '#,##0.00 "days"', 'number'],
  [164, '[Red]#,##0.00;[Blue]-0.00', 'number'],
  [164, '_-* #,##0.00\\ "€"_-', 'number'],
  [164, '0.00E+00', 'number'],
] as const) {
  test(`detects format ${code ?? id} as ${shape}`, () => assert.is(getNumberShape(id, code), shape))
}

for (const [raw, shape, from1904, shownText] of [
  ['1', 'date', false, '1900-01-01'],
  ['59', 'date', false, '1900-02-28'],
  ['61', 'date', false, '1900-03-01'],
  ['45292', 'date', false, '2024-01-01'],
  ['43830', 'date', true, '2024-01-01'],
  ['45292.75', 'moment', false, '2024-01-01 18:00'],
  ['0.503483796296', 'time', false, '12:05:01'],
  ['45292.5', 'time', false, '2024-01-01 12:00'],
  ['1.25', 'duration', false, '30:00:00'],
  ['-0.5', 'duration', false, '-12:00:00'],
  ['-3', 'date', false, '-3'],
  ['99999999', 'date', false, '99999999'],
  ['0.1', 'percent', false, '10%'],
  ['0.30000000000000004', 'number', false, '0.3'],
  ['1234567890123', 'number', false, '1234567890123'],
  ['', 'number', false, ''],
  ['NaN', 'date', false, 'NaN'],
] as const) {
  test(`shows ${raw} as a ${shape} as ${shownText}`, () =>
    assert.is(numberAs(raw, shape, from1904), shownText))
}

test.run()
