/** Names of files that a browser saves. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toDisposition, toFileName } from '../../src/http/server/download-name.ts'

test('leaves out characters that file names cannot have', () => {
  assert.is(toFileName('Ada'), 'Ada')
  assert.is(toFileName('../../etc/passwd'), 'etc passwd')
  assert.is(toFileName(' a:b*c?"<>|\u0000\u202egnp.exe. '), 'a b c gnp.exe')
  assert.is(toFileName('..'), '')
  assert.is([...toFileName('🦊'.repeat(200))].length, 80)
})

test('encodes names for every client', () => {
  assert.is(
    toDisposition('1.diary', "Zoë's (مريم) 1.diary"),
    `attachment; filename="1.diary"; filename*=UTF-8''Zo%C3%AB%27s%20%28%D9%85%D8%B1%D9%8A%D9%85%29%201.diary`,
  )
  assert.not.throws(() => toDisposition('1.diary', toFileName('\ud800')))
})

test.run()
