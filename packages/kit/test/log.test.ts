import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createLog, type Fields, type LogOptions } from '../log.ts'

const logInto = async (options: Partial<Omit<LogOptions, 'stream'>> & { readonly isTTY?: boolean } = {}) => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line), isTTY: options.isTTY ?? false }
  const log = await createLog({ level: options.level ?? 'info', stream })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') }
}

test('writes a JSON line with the name of the level, the time and the chosen fields', async () => {
  const { log, last } = await logInto()
  log.warn({ id: 'ada', seq: 4, ms: 12.5 }, 'slow')
  const { time, ...line } = last()
  assert.equal(line, { level: 'warn', id: 'ada', seq: 4, ms: 12.5, msg: 'slow' })
  assert.match(time, /^\d{4}-\d{2}-\d{2}T.*Z$/)
})

test('writes nothing below its level', async () => {
  const { log, lines } = await logInto({ level: 'warn' })
  log.info({}, 'quiet')
  assert.equal(lines, [])
})

test('omits fields that are not listed, even if a cast allows them', async () => {
  const { log, lines } = await logInto()
  log.info(
    {
      id: 'ada',
      organ: { api_key: 'sk-123456789' },
      reason: { api_key: 'sk-123456789' },
    } as unknown as Fields,
    'replaced',
  )
  assert.not.match(lines.join(), /sk-|organ|reason/)
})

test('describes an error by name, message and code, never by its cause or its other properties', async () => {
  const { log, last } = await logInto()
  const error = Object.assign(
    new TypeError('fetch failed', { cause: new Error('https://host/bot123:token') }),
    {
      code: 'ECONNREFUSED',
      requestBody: 'all she was told',
    },
  )
  log.error({ err: error }, 'unreachable')
  assert.equal(last().err, { name: 'TypeError', message: 'fetch failed', code: 'ECONNREFUSED' })
})

test('describes a thrown value that is not an error', async () => {
  const { log, last } = await logInto()
  log.error({ err: 'plain words' }, 'thrown')
  assert.equal(last().err, { name: 'string', message: 'plain words' })
  log.error({ err: { api_key: 'sk-123456789' } }, 'thrown')
  assert.equal(last().err, { name: 'object', message: '' })
})

test('writes a stack only at the level debug', async () => {
  const { log, last } = await logInto({ level: 'debug' })
  const err = new Error('broken')
  log.error({ err }, 'failed')
  // The position in this file, compiled or not.
  const [place = 'none'] = /log\.test\.\w+:\d+:\d+/.exec(err.stack ?? '') ?? []
  assert.ok(last().err.stack.includes(place), place)
})

test('masks a known secret in the sentence, in the fields and in errors', async () => {
  const { log, lines } = await logInto({ level: 'debug' })
  log.hide('sk-(a+b).*[c]|d')
  log.info(
    { reason: 'key sk-(a+b).*[c]|d refused', err: new Error('401 for sk-(a+b).*[c]|d') },
    'tried sk-(a+b).*[c]|d',
  )
  assert.not.match(lines.join(), /sk-/)
  assert.match(lines.join(), /key \*\*\* refused/)
})

test('masks all of a secret that starts with another', async () => {
  const { log, last } = await logInto()
  log.hide('12345678')
  log.hide('12345678-and-more')
  log.info({}, 'tried 12345678-and-more')
  assert.is(last().msg, 'tried ***')
})

test('does not mask words that are too short for a secret', async () => {
  const { log, last } = await logInto()
  log.hide('')
  log.hide('key')
  log.info({}, 'the key was refused')
  assert.is(last().msg, 'the key was refused')
})

test('masks a secret before truncating long text', async () => {
  const { log, last } = await logInto()
  log.hide('a-long-secret')
  log.info({ reason: `${'x'.repeat(1994)}a-long-secret` }, 'cut')
  assert.not.match(last().reason, /a-lo/)
  log.info({ reason: 'x'.repeat(5000) }, 'cut')
  assert.is(last().reason.length, 2001)
})

test('replaces control characters', async () => {
  const { log, lines } = await logInto({ isTTY: true })
  log.info({ reason: 'a\u001b]0;owned\u0007b' }, 'heard \u001b[2Jthis')
  for (const order of ['\u001b]0', '\u0007', '\u001b[2J']) assert.not.ok(lines.join().includes(order))
})

test('writes readable lines on a terminal', async () => {
  const { log, lines } = await logInto({ isTTY: true })
  log.info({ id: 'ada' }, 'awake')
  assert.throws(() => JSON.parse(lines.join()))
  assert.match(lines.join(), /awake/)
  assert.match(lines.join(), /ada/)
})

const program = `
  import { createLog } from './packages/kit/log.ts'
  const log = await createLog({ level: 'info' })
  log.info({}, 'the last words')
  process.exit(3)
`

test('does not write to stdout and writes the last line before the end', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', program],
    {
      encoding: 'utf8',
    },
  )
  assert.is(status, 3)
  assert.is(stdout, '')
  assert.is(JSON.parse(stderr).msg, 'the last words')
})

test('survives a reader that has left', () => {
  const noisy = `
    import { createLog } from './packages/kit/log.ts'
    const log = await createLog({ level: 'info' })
    for (let i = 0; i < 20000; i++) log.info({}, 'words that nobody reads')
    console.log('alive')
  `
  const { execPath } = process
  const output = execFileSync(
    'bash',
    ['-c', `'${execPath}' --import tsx --input-type=module -e "$1" 2> >(head -1 >/dev/null)`, 'bash', noisy],
    {
      encoding: 'utf8',
    },
  )
  assert.is(output, 'alive\n')
})

test.run()
