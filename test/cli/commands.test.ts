/** Runs the command line of the built daemon like a user or a script. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { groups } from '../../src/cli/command-table.ts'
import { tempHome } from '../daemon.ts'
import { type DaemonProcess, mainFile, startProcess } from '../process/daemon.ts'

interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly err: string
}

let daemon: DaemonProcess
let folder: string

/** Runs `daimon` with these arguments; `typed` is its standard input. */
const daimon = (
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: object } = {},
): Promise<CommandResult> =>
  new Promise((resolve) => {
    const options = { env: { ...process.env, DAIMON_URL: daemon.url, NO_COLOR: '1', ...env } }
    const child = execFile(process.execPath, [mainFile, ...args], options, (error, stdout, err) =>
      resolve({ code: error ? Number(error.code) : 0, stdout: stdout, err }),
    )
    // A process that ends before it reads its input is judged by its exit code, not by the broken pipe.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })

const json = async (...args: readonly string[]) => JSON.parse(await fine('--json', ...args))

/** Returns standard output. Fails if the exit code is not 0. */
const fine = async (...args: readonly string[]): Promise<string> => {
  const { code, stdout, err } = await daimon(args)
  assert.is(code, 0, `${args.join(' ')}: ${err}`)
  return stdout
}

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-'))
  daemon = await startProcess({ home: await tempHome() })
  await daimon(['create', 'Ada'])
})
test.after(async () => {
  await daemon.kill('SIGTERM')
})

test('creates a persona, lists it, and talks with it in one line or through a pipe', async () => {
  const creation = await daimon(['create', 'Bruno'])
  assert.is(creation.code, 0)
  assert.is(
    creation.stdout.match(/\b\d+ [a-z]{3,8}(?= |$)/gm)?.filter((line) => !line.endsWith('recovery')).length,
    24,
  )
  assert.match((await daimon(['list'])).stdout, /^Ada +awake +embedded\/practice +[0-9a-f-]{36}$/m)

  const firstReply = await daimon(['talk', 'Ada', 'My name is Ines.'])
  assert.is(firstReply.code, 0)
  assert.match(firstReply.stdout, /Ines/)
  const pipedReply = await daimon(['talk', 'ada'], { input: 'What do you know about me?\n' })
  assert.match(pipedReply.stdout, /Your name is Ines/)
  const response = await fetch(`${daemon.url}/api/persona/${await getId('Ada')}/conversation`)
  const { messages } = (await response.json()) as { messages: readonly { role: string; content: string }[] }
  // The printed text is the stored answer, once.
  const answers = messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)
  assert.is(pipedReply.stdout.trim(), answers.at(-1))
  assert.is(firstReply.stdout.trim(), answers.slice(0, -1).join('\n'))
})

test('gets another answer, edits, hides and shows messages', async () => {
  await fine('create', 'Edda')
  await fine('talk', 'Edda', 'My name is Ines.')
  const list = async () =>
    (await json('conversation', 'Edda')).messages.map(({ content }: { content: string }) => content)
  const before = await list()
  const again = await fine('again', 'Edda')
  assert.is(again.trim(), (await list()).at(-1))
  assert.is((await list())[0], before[0])
  const other = await fine('again', 'Edda', '--model', 'embedded/practice')
  assert.is(other.trim(), (await list()).at(-1))
  const { messages } = await json('conversation', 'Edda')
  assert.is(messages.at(-1).model, 'embedded/practice')
  const editAnswer = await fine('edit', 'Edda', String(messages[0].id), 'My', 'name', 'is', 'Ida.')
  assert.match(editAnswer, /Ida/)
  const [question] = (await json('conversation', 'Edda')).messages
  assert.is(question.content, 'My name is Ida.')
  assert.is(await fine('hide', 'Edda', String(question.id)), `hidden: ${question.id}\n`)
  assert.not((await list()).includes('My name is Ida.'))
  assert.is(await fine('show', 'Edda', String(question.id)), `shown: ${question.id}\n`)
  assert.ok((await list()).includes('My name is Ida.'))
  assert.is((await daimon(['again', 'Edda', '--continue', '--model', 'x'])).code, 2)
  assert.is((await daimon(['again', 'Edda', '--provider', 'openai'])).code, 2)
  assert.is((await daimon(['edit', 'Edda', '999999', 'x'])).code, 4)
  await fine('create', 'Nora')
  const silent = await daimon(['again', 'Nora'])
  assert.equal([silent.code, silent.err], [1, 'daimon: there is no answer yet\n'])
})

test('sends a file by its path', async () => {
  const path = join(folder, 'note.txt')
  await writeFile(path, 'The garden gate is green.')
  const { code, err } = await daimon(['talk', 'Ada', 'Look at this.', '--file', path])
  assert.is(code, 0, err)
  const [file] = (await json('search', 'Ada', 'note')).found
  assert.ok(file)
  const missingReply = await daimon(['talk', 'Ada', '--file', join(folder, 'nowhere.txt')])
  assert.is(missingReply.code, 2)
  assert.match(missingReply.err, /there is no file/)
})

test('prints the causes and the effects of a fact as a tree', async () => {
  await fine('create', 'Ilka')
  await fine('talk', 'Ilka', 'My name is Ines.')
  const facts = (await fine('journal', 'Ilka', '--type', 'MessageHeard,MemoryKept', '--json'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { seq: number; type: string })
  const message = facts.find(({ type }) => type === 'MessageHeard')?.seq
  const statement = facts.find(({ type }) => type === 'MemoryKept')?.seq
  const causes = await fine('causes', 'Ilka', `${statement}`, '--depth', '20')
  assert.match(causes, new RegExp(`^${statement}  [-\\d]+ [\\d:]+  MemoryKept  .*Ines`))
  assert.match(causes, new RegExp(`[├└]─ ${message}  .*MessageHeard  My name is Ines\\.  \\(source\\)`))
  assert.match(causes, /│ {2}|└─ /)
  assert.match(causes, new RegExp(`${message}  \\(above\\)  \\(message\\)`))
  const only = await fine('effects', 'Ilka', `${message}`, '--depth', '20', '--kind', 'MemoryKept')
  assert.is(only.trim().split('\n').length, 2)
  const graph = await json('causes', 'Ilka', `${statement}`)
  assert.is(graph.cut, false)
  assert.is((await daimon(['causes', 'Ilka', '99999'])).code, 4)
  assert.is((await daimon(['causes', 'Ilka', '1', '--depth', 'x'])).code, 1)
})

test('lists, adds, corrects, forgets and restores statements', async () => {
  const { id } = await json('memories', 'add', 'Ada', 'wishes', 'a', 'garden')
  assert.match((await daimon(['memories', 'Ada'])).stdout, new RegExp(`wishes +${id} +a garden`))
  await fine('memories', 'correct', 'Ada', id, 'a', 'roof', 'garden')
  await fine('memories', 'pin', 'Ada', id)
  assert.match((await daimon(['memories', 'Ada'])).stdout, /\(pinned\) a roof garden/)
  await fine('memories', 'unpin', 'Ada', id)
  assert.not.match((await daimon(['memories', 'Ada'])).stdout, /pinned/)
  const dated = await daimon(['memories', 'date', 'Ada', id, '--from', '2024', '--until', '2027-03'])
  assert.match(dated.stdout, /a roof garden \(from 2024\) \(until 2027-03\)/)
  await fine('memories', 'date', 'Ada', id, '--until', '')
  assert.not.match((await daimon(['memories', 'Ada'])).stdout, /until/)
  const reversed = await daimon(['memories', 'date', 'Ada', id, '--until', '2023'])
  assert.match(reversed.err, /would begin after its end/)
  assert.match((await daimon(['memories', 'date', 'Ada', id])).err, /--from or --until is required/)
  await fine('memories', 'forget', 'Ada', id)
  assert.not.match((await daimon(['memories', 'Ada'])).stdout, /roof/)
  assert.match((await daimon(['memories', 'Ada', '--forgotten'])).stdout, /\(forgotten\) a roof garden/)
  await fine('memories', 'restore', 'Ada', id)
  assert.match((await daimon(['search', 'Ada', 'roof'])).stdout, /a roof garden/)
})

test('shows, sets and removes a character', async () => {
  assert.match(await fine('character', 'presets'), /^steady +Warm and steady/m)
  const card = join(folder, 'vera.json')
  const data = { name: 'Vera', description: 'x '.repeat(3000), personality: '', scenario: '' }
  await writeFile(card, JSON.stringify({ spec: 'chara_card_v2', data: { ...data, first_mes: 'Ahoy!' } }))
  const { code, err } = await daimon(['create', 'Vera', '--card', card])
  assert.is(code, 0, err)
  assert.match(err, /Description: \d+ characters did not fit and were left out\./)
  assert.match(await fine('character', 'show', 'Vera'), /^x x x[\s\S]*From the card Vera\.$/m)
  await fine('character', 'set', 'Vera', 'You', 'are', 'brief.')
  assert.is(await fine('character', 'show', 'Vera'), 'You are brief.\n')
  await fine('character', 'set', 'Vera', '--preset', 'direct')
  assert.match(await fine('character', 'show', 'Vera'), /^You are calm, exact and direct\./)
  await fine('character', 'remove', 'Vera')
  assert.is(await fine('character', 'show', 'Vera'), 'no character\n')
  await writeFile(card, 'nothing')
  for (const complete of [['Vera'], ['Vera', 'words', '--preset', 'direct'], ['Vera', '--preset', 'none']])
    assert.is((await daimon(['character', 'set', ...complete])).code, 2, complete.join(' '))
  const refusedReply = await daimon(['character', 'set', 'Vera', '--card', card])
  assert.match(refusedReply.err, /not a character card/)
})

test('sets, saves and removes a portrait', async () => {
  const picture = join(folder, 'me.gif')
  const bytes = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
  await writeFile(picture, bytes)
  assert.is(await fine('portrait', 'Ada', picture), 'changed\n')
  const copy = join(folder, 'copy.gif')
  await fine('portrait', 'Ada', '--save', copy)
  assert.equal(await readFile(copy), bytes)
  assert.is((await daimon(['portrait', 'Ada', '--save', copy])).code, 1)
  assert.is(await fine('portrait', 'Ada', '--remove'), 'removed\n')
  for (const words of [[], [picture, '--remove'], [join(folder, 'none.gif')]])
    assert.is((await daimon(['portrait', 'Ada', ...words])).code, 2, words.join(' '))
  await writeFile(picture, 'nothing')
  assert.match((await daimon(['portrait', 'Ada', picture])).err, /must be a PNG, JPEG, WebP or GIF/)
})

test('creates, moves and cancels a plan', async () => {
  const { id } = await json('calendar', 'add', 'Ada', '2090-01-02T10:00', 'buy', 'tea')
  await fine('calendar', 'move', 'Ada', id, '2090-01-03T10:00')
  const rangeArgs = ['--from', '2090-01-01', '--to', '2090-02-01']
  assert.match((await daimon(['calendar', 'list', 'Ada', ...rangeArgs])).stdout, /2090-01-03 10:00 .*buy tea/)
  await fine('calendar', 'cancel', 'Ada', id)
  assert.match((await daimon(['calendar', 'list', 'Ada', ...rangeArgs])).stdout, /nothing is planned/)

  assert.match(await fine('initiative', 'Ada'), /^off\nno reasons are noted/)
  const choice = ['--level', 'gentle', '--zone', 'Europe/Lisbon', '--quiet', '22:00-08:30']
  assert.match(
    await fine('initiative', 'set', 'Ada', ...choice),
    /^gentle, quiet from 22:00 to 08:30 \(Europe\/Lisbon\)/,
  )
  assert.is((await daimon(['initiative', 'set', 'Ada', '--quiet', 'at night'])).code, 2)
  assert.match((await daimon(['initiative', 'less', 'Ada', 'i9'])).err, /Reason to write not found/)
})

test('reads, compares, undoes, opens and erases facts', async () => {
  const facts = (await daimon(['--json', 'journal', 'Ada', '--type', 'MemoryKept'])).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.ok(facts.length > 0)
  assert.ok(facts.every(({ type }) => type === 'MemoryKept'))
  const [{ seq }] = facts
  assert.is((await json('at', 'Ada', String(seq))).at.seq, seq)
  assert.ok((await json('changes', 'Ada', '1', String(seq))).memories.kept.length > 0)
  assert.match((await daimon(['undo', 'Ada', '1'])).err, /cannot be undone/)
  const { by } = await json('undo', 'Ada', String(seq))
  assert.is(by.length, 1)
  const [turn] = (await daimon(['--json', 'journal', 'Ada', '--type', 'TurnBegan'])).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.is((await json('turn', 'Ada', String(turn.seq))).id, turn.seq)
  const [heard] = (await daimon(['--json', 'journal', 'Ada', '--type', 'MessageHeard'])).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.match((await daimon(['erase', 'Ada', String(heard.seq)])).err, /add --yes/)
  await fine('erase', 'Ada', String(heard.seq), '--also', '--yes')
  assert.not.match((await daimon(['search', 'Ada', 'Ines'])).stdout, /My name is Ines/)
  assert.match((await daimon(['fork', 'Ada', '--name', 'Ada the second'])).stdout, /Ada the second/)
})

test('lets a model answer past turns again, and marks example lines', async () => {
  await fine('create', 'Dora')
  await fine('talk', 'Dora', 'My name is Ines.')
  const talk = await fine('conversation', 'Dora')
  assert.match(talk, /assistant {2}embedded\/practice\n/)
  const { turn, id } = (await json('conversation', 'Dora')).messages.at(-1)
  const printed = await fine('audition', 'Dora', '--model', 'embedded/practice', '--turns', String(turn))
  assert.match(printed, /memory {2}My name is Ines\.\n {2}embedded\/practice {2}\d\.\d s, /)
  assert.match(printed, /would call remember with \{/)
  assert.match(printed, /^embedded\/practice: \d\.\d s, no price$/m)
  const lines = await json('audition', 'Dora', '--model', 'embedded/practice')
  assert.equal([lines.length, lines.at(-1).type], [4, 'done'])
  assert.is((await daimon(['audition', 'Dora'])).code, 2)
  assert.is((await daimon(['audition', 'Dora', '--model', 'x', '--turns', '1,x'])).code, 2)
  assert.is(await fine('character', 'mark', 'Dora', String(id)), 'marked: 1 of 10\n')
  assert.match(await fine('character', 'lines', 'Dora'), new RegExp(`^${id} +\\S`))
  assert.is(await fine('character', 'unmark', 'Dora', String(id)), 'unmarked: 0 of 10\n')
})

// Fails if the phrase is an argument: it would show in the list of processes.
test('writes a diary and restores it in another home without the phrase on a command line', async () => {
  const { recovery_phrase: phrase } = await json('create', 'Clara')
  const diary = join(folder, 'clara.diary')
  await fine('export', 'Clara', diary)
  assert.is((await stat(diary)).mode & 0o077, 0)
  const otherReply = await startProcess({ home: await tempHome() })
  try {
    const options = { env: { DAIMON_URL: otherReply.url } }
    const wrong = await daimon(['restore', diary], {
      ...options,
      input: phrase.split(' ').toReversed().join(' '),
    })
    assert.is(wrong.code, 1)
    assert.not.match(wrong.err, new RegExp(phrase.slice(0, 12)))
    const restoreReply = await daimon(['restore', diary], { ...options, input: phrase })
    assert.is(restoreReply.code, 0, restoreReply.err)
    assert.match((await daimon(['list'], options)).stdout, /^Clara +awake/m)
  } finally {
    await otherReply.kill('SIGTERM')
  }
})

test('writes its knowledge as Markdown, and rewrites only changed pages', async () => {
  const target = join(folder, 'pages')
  assert.match((await daimon(['markdown', target, '--persona', 'Ada'])).stdout, /memory\.md/)
  assert.match(await readFile(join(target, 'Ada', 'memory.md'), 'utf8'), /^## wishes\n\n- a roof garden$/m)
  assert.match((await daimon(['markdown', target, '--persona', 'Ada'])).stdout, /nothing has changed/)
})

test('each kind of error has its own exit code, and a line that says what to do', async () => {
  const nobodyReply = await daimon(['talk', 'Nobody', 'hello'])
  assert.is(nobodyReply.code, 4)
  assert.match(nobodyReply.err, /there is no persona Nobody; there is Ada/)
  const unreachableReply = await daimon(['list'], { env: { DAIMON_URL: 'http://127.0.0.1:9' } })
  assert.is(unreachableReply.code, 3)
  assert.match(unreachableReply.err, /no daemon answers at http:\/\/127\.0\.0\.1:9/)
  assert.is((await daimon(['list'], { env: { DAIMON_URL: 'ftp://elsewhere' } })).code, 2)
  const unknownReply = await daimon(['tlak', 'Ada'])
  assert.is(unknownReply.code, 2)
  assert.match(unknownReply.err, /unknown command 'tlak'/)
  await fine('stop', 'Bruno')
  const stoppedReply = await daimon(['talk', 'Bruno', 'hello'])
  assert.is(stoppedReply.code, 1)
  assert.match(stoppedReply.err, /Persona is not active/)
  await daimon(['create', 'Bruno'])
  const secondReply = await daimon(['talk', 'Bruno', 'hello'])
  assert.is(secondReply.code, 2)
  assert.match(secondReply.err, /2 personas are called Bruno/)
})

test('prints no control sequences of a name', async () => {
  await daimon(['create', 'Eve\u001b[2J\u0007'])
  const { stdout } = await daimon(['list'])
  assert.not.match(stdout, /[^\P{Cc}\n]/u)
})

// Fails if the hint names a command that does not exist.
test('prints help for all commands and for one', async () => {
  const help = await fine('help')
  for (const { names } of groups)
    for (const name of names) assert.match(help, new RegExp(`^ {2}${name}\\b`, 'm'))
  assert.match(await fine('help', 'skills'), /^Usage: daimon skills/)
})

test('completes commands in a shell', async () => {
  const complete = async (...given: readonly string[]) =>
    (await daimon(['__complete', ...given])).stdout.trim().split('\n')
  assert.equal(await complete('ta'), ['talk'])
  assert.ok((await complete('talk', 'A')).includes('Ada'))
  assert.ok((await complete('memories', '')).includes('forget'))
  for (const shell of ['bash', 'zsh', 'fish'])
    assert.match((await daimon(['completion', shell])).stdout, /daimon __complete/)
})

test('the doctor reports problems, and the service definition is printed', async () => {
  const well = await daimon(['doctor'])
  assert.match(well.stdout, new RegExp(`port +${new URL(daemon.url).port} is used by the daemon`))
  assert.match(well.stdout, /ok +daemon/)
  const { stdout, code } = await daimon(['service', 'install', '--print'])
  assert.is(code, 0)
  if (process.platform === 'linux') assert.match(stdout, /^ExecStart=".*" ".*main\.js"$/m)
})

const getId = async (name: string): Promise<string> =>
  (await json('list')).personas.find((server: { name: string }) => server.name === name).id

test('imports, tries, permits and removes tool servers', async () => {
  const file = join(folder, 'servers.json')
  const server = fileURLToPath(
    new URL('../../node_modules/@modelcontextprotocol/server-memory/dist/index.js', import.meta.url),
  )
  const entry = { command: process.execPath, args: [server], env: { KEY: 'marked-variable' } }
  await writeFile(file, JSON.stringify({ mcpServers: { notes: entry, old: { ...entry, disabled: true } } }))
  assert.match(
    await fine('tools', 'import', 'Ada', file),
    /^notes \(stdio\): off\nstored as secrets: KEY\. If one is not a secret, pass --plain-value <value>\nleft out.*: old\n$/,
  )
  assert.match(
    await fine('tools', 'try', 'Ada', 'notes'),
    /^notes \(stdio\): ready\n {2}create_entities +ask +/,
  )
  assert.is(await fine('tools', 'set', 'Ada', 'notes', 'read_graph', 'allow'), 'notes read_graph: allow\n')
  const { servers } = await json('tools', 'Ada')
  assert.is(servers[0].tools.find(({ name }: { name: string }) => name === 'read_graph').mode, 'allow')
  assert.equal(servers[0].server.env, { KEY: '***' })
  assert.equal(await json('approvals', 'Ada'), { approvals: [] })
  assert.is((await daimon(['approvals', 'answer', 'Ada', '7', 'once'])).code, 4)
  assert.is((await daimon(['tools', 'set', 'Ada', 'notes', 'read_graph', 'often'])).code, 2)
  assert.is(await fine('tools', 'remove', 'Ada', 'notes'), 'notes was removed\n')
  await daimon(['tools', 'import', 'Ada', await writeBrokenServers()])
  assert.is((await daimon(['tools', 'try', 'Ada', 'gone'])).code, 1)
})

// Fails if a closed pipe ends in a stack trace.
test('prints a system error as one line, and exits cleanly if the reader closes the pipe', async () => {
  const { code, err } = await daimon(['markdown', join(mainFile, 'pages')])
  assert.is(code, 1)
  assert.match(err, /^daimon: [^\n]*\n$/)
  if (existsSync('/proc/self')) {
    // Fails with Node's recursive mkdir, which never returned here.
    const refusal = await daimon(['markdown', '/proc/pages/of'])
    assert.is(refusal.code, 1)
    assert.match(refusal.err, /^daimon: [^\n]*\n$/)
  }
  const line = `"${process.execPath}" "${mainFile}" journal Ada --json | head -1`
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', line], {
    env: { ...process.env, DAIMON_URL: daemon.url },
  })
  assert.is(JSON.parse(stdout).seq, 1)
  assert.is(stderr, '')
})

/** A program that does not exist. */
const writeBrokenServers = async (): Promise<string> => {
  const file = join(folder, 'broken.json')
  await writeFile(file, JSON.stringify({ mcpServers: { gone: { command: 'no-such-program-here' } } }))
  return file
}

test.run()
