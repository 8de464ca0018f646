import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const uvu = `import { test } from 'uvu'; import * as assert from 'uvu/assert'\n`

const files = {
  good: `${uvu} test('a', () => {}); test('b', () => {}); test.run()`,
  forgotten: `${uvu} test('a', () => {}); /* test.run */`,
  suites: `import { suite } from 'uvu'; const one = suite('one'); const two = suite('two'); one('a', () => {}); two('b', () => {}); one.run()`,
  failing: `${uvu} test('a', () => {}); test('b', () => assert.is(1, 2, 'seen in the report')); test.run()`,
  crashing: `${uvu} test.run(); throw new Error('never got there')`,
  hanging: `${uvu} test('a', () => new Promise(() => setInterval(() => {}, 1000))); test.run()`,
  skipped: `${uvu} test('a', () => {}); test.skip('b', () => {}); test.run()`,
  only: `${uvu} test('a', () => {}); test.only('b', () => {}); test.run()`,
  empty: `${uvu} test.run()`,
  unprepared: `${uvu} test.before(() => { throw new Error('no room') }); test('a', () => {}); test.run()`,
  leaving: `${uvu} test('a', () => process.exit(0)); test('b', () => {}); test.run()`,
  waiting: `${uvu} test('a', () => new Promise(() => {})); test.run()`,
  holding: `${uvu} test('a', () => { setInterval(() => {}, 1000) }); test.run()`,
  changing: `${uvu} test('a', () => { process.env.TZ = 'Asia/Tokyo' }); test.run()`,
  // Measured: files after one that had replaced `setImmediate` waited forever.
  replacing: `${uvu} globalThis.setImmediate = (act) => setTimeout(act); test('a', () => {}); test.run()`,
  late: `${uvu} test('a', () => { setTimeout(() => Promise.reject(new Error('lost')), 50) }); test.run()`,
  littering: `${uvu} import { spawn } from 'node:child_process'
    test('a', () => { spawn('sleep', ['60'], { stdio: 'inherit' }).unref() }); test.run()`,
  sheltered: `${uvu} test('a', () => {
    const names = ['DAIMON_HOME', 'OLLAMA_HOST', 'XAI_API_KEY', 'DISCORD_API_BASE_URL', 'WEB_PORT', 'NODE_EXTRA_CA_CERTS']
    assert.equal(names.filter((name) => name in process.env), [])
    assert.match(process.env.HOME ?? '', process.env.TMPDIR ?? 'no TMPDIR')
  }); test.run()`,
}

const createTestScript = (name: string) =>
  `${uvu} test('a', () => console.log('· process of | ${name} | ' + process.pid)); test.run()`
const kin = {
  one: createTestScript('one'),
  other: createTestScript('other'),
  reserved: `// Runs alone: it is shy.\n${createTestScript('reserved')}`,
  sinking: `${uvu} test('a', () => { setTimeout(() => process.kill(process.pid, 'SIGKILL')); return new Promise(() => {}) }); test.run()`,
  third: createTestScript('third'),
  very: createTestScript('very'),
}

const luck = {
  /** The second run finds the file of the first one, because it lies in its own folder. */
  wavering: `${uvu}import { existsSync, writeFileSync } from 'node:fs'
    test('a', () => {
      const seen = new URL('./seen', import.${'meta'}.url)
      const before = existsSync(seen)
      writeFileSync(seen, '')
      assert.ok(before, 'too slow')
    }); test.run()`,
  broken: `${uvu} test('a', () => assert.unreachable('as before')); test.run()`,
  wrong: `${uvu} test('a', () => assert.unreachable('as before')); test.run()`,
}

/** Halts the runner meanwhile, which looks like a suspend of the whole machine. */
const stalls = {
  halted: `${uvu}import { spawnSync } from 'node:child_process'
    test('a', () => {
      const runner = String(process.ppid)
      spawnSync('sh', ['-c', 'kill -STOP ' + runner + '; sleep 2.6; kill -CONT ' + runner])
      assert.unreachable('gave up')
    }); test.run()`,
  quick: `${uvu} test('a', () => assert.unreachable('at once')); test.run()`,
}

const runTests = (
  args: readonly string[] = [],
  jobs = '',
): { readonly status: number | null; readonly lines: readonly string[] } => {
  const env = {
    ...process.env,
    DAIMON_TEST_LIMIT: '4',
    DAIMON_TEST_JOBS: jobs,
    DAIMON_HOME: '/nowhere',
    OLLAMA_HOST: 'x',
    XAI_API_KEY: 'x',
    DISCORD_API_BASE_URL: 'x',
    WEB_PORT: '1',
    NODE_EXTRA_CA_CERTS: '/nowhere',
  }
  const { status, stdout } = spawnSync(process.execPath, ['scripts/test.mjs', '--in', folder, ...args], {
    encoding: 'utf8',
    env,
  })
  return { status, lines: stdout.trimEnd().split('\n') }
}

let folder = ''
let report: ReturnType<typeof runTests>
let ofKin: ReturnType<typeof runTests>
let ofLuck: ReturnType<typeof runTests>
let moreRuns: ReturnType<typeof runTests>
let ofStalls: ReturnType<typeof runTests>

test.before(() => {
  mkdirSync('.tmp', { recursive: true })
  folder = mkdtempSync(join('.tmp', 'runner-')) // Inside the project, so that uvu is found.
  for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, `${name}.test.ts`), source)
  mkdirSync(join(folder, 'kin'))
  for (const [name, source] of Object.entries(kin))
    writeFileSync(join(folder, 'kin', `${name}.test.ts`), source)
  report = runTests(['--again', '0', ...Object.keys(files).map((name) => `/${name}.`)])
  ofKin = runTests(['--again', '0', '/kin/'], '1')
  mkdirSync(join(folder, 'luck'))
  for (const [name, source] of Object.entries(luck))
    writeFileSync(join(folder, 'luck', `${name}.test.ts`), source)
  ofLuck = runTests(['/luck/'], '1')
  moreRuns = runTests(['/luck/', '--again', '1'], '1')
  mkdirSync(join(folder, 'ordeal'))
  for (const [name, source] of Object.entries(stalls))
    writeFileSync(join(folder, 'ordeal', `${name}.test.ts`), source)
  ofStalls = runTests(['/ordeal/'], '1')
})

test.after(() => rmSync(folder, { recursive: true, force: true }))

const getLine = (name: keyof typeof files) =>
  report.lines.find((line) => line.endsWith(`/${name}.test.ts`)) ?? ''
const getReason = (name: keyof typeof files) =>
  /: (.*)$/.exec(report.lines.find((line) => line.includes(`/${name}.test.ts: `)) ?? '')?.[1]

test('passes a file whose tests all pass', () => {
  assert.match(getLine('good'), /^ok +2 /)
  assert.is(getReason('good'), undefined)
})

test('shows the output of a failing file, and the source line', () => {
  assert.match(getLine('failing'), /^FAIL +1 failed/)
  assert.ok(report.lines.some((line) => /\/failing\.test\.ts:2:\d+\b/.test(line)))
  assert.ok(report.lines.some((line) => line.includes('seen in the report')))
})

// Fails if the next file begins before the previous one has released its resources (`holding`, `late`), and
// if changed settings are not checked.
for (const [name, reason] of [
  ['forgotten', 'never calls test.run()'],
  ['suites', 'never calls two.run()'],
  ['crashing', 'ended without totals, exit code 1'],
  ['hanging', 'still running after 4 s'],
  ['skipped', '1 switched off'],
  ['only', '1 switched off'],
  ['empty', 'has no tests'],
  ['unprepared', '1 failed'],
  ['leaving', 'ended without totals, exit code 1'],
  ['waiting', 'ended without totals, exit code 1'],
  ['holding', 'still running after 4 s'],
  ['changing', 'left TZ changed'],
  ['replacing', 'left setImmediate changed'],
  ['late', 'exit code 1'],
] as const) {
  test(`fails a file that is ${name}: ${reason}`, () => {
    assert.match(getLine(name), /^FAIL/)
    assert.is(getReason(name), reason)
  })
}

test('does not wait for a process that a test left behind', () => assert.match(getLine('littering'), /^ok/))

const getProcess = (name: keyof typeof kin) =>
  ofKin.lines
    .map((line) => line.split(/ {2,}/))
    .find(([what, whose]) => what === 'process of' && whose === name)?.[2] ?? ''

// Fails if each file gets a process, and if a process gets files after its exit.
test('runs files of a folder one after another in one process, up to the end of that', () => {
  assert.match(getProcess('one'), /^\d+$/)
  assert.is(getProcess('other'), getProcess('one'))
  assert.ok(
    ofKin.lines.some((line) => line.endsWith('sinking.test.ts: ended by SIGKILL, ended without totals')),
  )
  assert.is(getProcess('very'), getProcess('third'))
  assert.is.not(getProcess('third'), getProcess('one'))
  assert.is(ofKin.lines.at(-1), '5 passed, 1 failed')
})

// Fails if one process runs all files.
test('gives a file that says why it runs alone a process of its own', () => {
  assert.match(getProcess('reserved'), /^\d+$/)
  for (const name of ['one', 'third'] as const) assert.is.not(getProcess('reserved'), getProcess(name))
})

// Fails if the result of the second run always counts.
test('repeats a failed file at the end, and says so', () => {
  const { lines, status } = ofLuck
  assert.is(lines.filter((line) => /^FAIL.*\.test\.ts: again at the end$/.test(line)).length, 3)
  assert.ok(lines.some((line) => /^ok +1 .*wavering\.test\.ts$/.test(line)))
  assert.ok(lines.some((line) => /^passed only when it ran again +.*wavering\.test\.ts$/.test(line)))
  for (const name of ['broken', 'wrong'])
    assert.ok(lines.some((line) => new RegExp(`^FAIL +1 failed .*${name}\\.test\\.ts$`).test(line)))
  assert.is(lines.at(-1), '1 passed, 2 failed')
  assert.is(status, 1)
})

// Fails without a limit.
test('repeats only a limited number of files', () => {
  const { lines, status } = moreRuns
  assert.is(lines.filter((line) => line.includes(': again at the end')).length, 1)
  assert.is(lines.at(-1), '1 passed, 2 failed')
  assert.is(status, 1)
})

// Fails if stalls before the file began count (`quick` ran again, too), and if none count.
test('repeats a fault suite only if it failed while the machine was suspended', () => {
  const { lines, status } = ofStalls
  const repeatedLines = lines.filter((line) => line.includes(': again at the end'))
  assert.is(repeatedLines.length, 1)
  assert.match(
    repeatedLines[0] ?? '',
    /halted\.test\.ts: again at the end, because the machine stalled for \d\.\d s$/,
  )
  assert.ok(lines.some((line) => /^FAIL +1 failed .*quick\.test\.ts$/.test(line)))
  assert.is(lines.at(-1), '0 passed, 2 failed')
  assert.is(status, 1)
})

test("hides the user's settings and home from the tests", () => assert.match(getLine('sheltered'), /^ok/))

test('ends with the count alone on its line, and fails', () => {
  assert.is(report.lines.at(-1), '11 passed, 15 failed')
  assert.is(report.status, 1)
})

test('runs only the files that a filter names, and succeeds when they do', () => {
  const { status, lines } = runTests(['good'])
  assert.is(lines.filter((line) => line.includes('.test.ts')).length, 1)
  assert.is(lines.at(-1), '2 passed, 0 failed')
  assert.is(status, 0)
})

test('fails when a filter names no file', () => {
  const { status, lines } = runTests(['nothing-like-this'])
  assert.is(lines.at(-1), '0 passed, 1 failed')
  assert.is(status, 1)
})

test.run()
