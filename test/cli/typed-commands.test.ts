/** Commands for the routes of the API, run in this process to avoid starting one for each. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { groups } from '../../src/cli/command-table.ts'
import { createDaemonClient } from '../../src/cli/daemon-client.ts'
import { CommandFailed } from '../../src/cli/exit-codes.ts'
import { formatTrouble } from '../../src/cli/health.ts'
import { call, waitFor } from '../calls.ts'
import { startDaemon, type TestDaemon } from '../daemon.ts'
import {
  calendarPassword,
  calendarText,
  calendarUser,
  eventText,
  openCalendarServer,
} from '../stand-ins/calendars.ts'
import { mailPassword, mailText, mailUser, openMailServer } from '../stand-ins/imap.ts'
import { createMatrixStandIn } from '../stand-ins/matrix.ts'
import {
  close,
  doneEvent,
  hi,
  openServer,
  stop,
  json as toJson,
  type World,
} from '../strangers/odd-server.ts'

let daemon: TestDaemon
let folder: string
let id: string

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typed-'))
  daemon = await startDaemon()
  const ada = { name: 'Ada', thinking_model: 'embedded/practice' }
  id = (await call(daemon.url, 'POST', '/api/persona/create', ada)).body.persona.id
  await call(daemon.url, 'POST', `/api/persona/${id}/read?wait=60`, { message: 'I have a cat called Miso.' })
})
test.after(async () => {
  await daemon.close()
  await rm(folder, { recursive: true, force: true })
})

/** Returns standard output. Throws if the command fails. */
const runCommand = async (...args: readonly string[]): Promise<string> => {
  const program = new Command('daimon').exitOverride()
  const means = {
    daemon: () => createDaemonClient(new URL(daemon.url)),
    isJson: () => args.includes('--json'),
  }
  for (const { names, load } of groups) if (names.includes(args[0] ?? '')) (await load())(program, means)
  const { write } = process.stdout
  let output = ''
  process.stdout.write = (text: string | Uint8Array) => {
    output += text
    return true
  }
  try {
    await program.parseAsync(
      args.filter((word) => word !== '--json'),
      { from: 'user' },
    )
  } finally {
    process.stdout.write = write
    process.exitCode = 0
  }
  return output
}

const json = async (...args: readonly string[]) => JSON.parse(await runCommand(...args, '--json'))

const refusal = async (...args: readonly string[]): Promise<CommandFailed> => {
  try {
    await runCommand(...args)
  } catch (error) {
    if (error instanceof CommandFailed) return error
    throw error
  }
  throw new Error(`${args.join(' ')} is not refused`)
}

// A command that is missing from its row's module cannot be loaded alone.
test('a command is loaded by the row that names it', async () => {
  for (const { names, load } of groups) {
    const program = new Command()
    const add = await load()
    add(program, { daemon: () => createDaemonClient(new URL(daemon.url)), isJson: () => false })
    assert.equal(
      program.commands.map((command) => command.name()).filter((name) => !name.startsWith('__')),
      names,
    )
  }
})

test('adds a server without a file, and its secret appears nowhere', async () => {
  const server = fileURLToPath(
    new URL('../../node_modules/@modelcontextprotocol/server-memory/dist/index.js', import.meta.url),
  )
  process.env.NOTES_KEY = 'marked-value'
  const commandArgs = ['Ada', 'diary', '--env-from', 'NOTES_KEY', '--', process.execPath, server]
  assert.is(
    await runCommand('tools', 'add', ...commandArgs),
    'diary (stdio): off\nstored as secrets: NOTES_KEY. If one is not a secret, pass --plain-value <value>\n',
  )
  assert.match(await runCommand('tools', 'try', 'Ada', 'diary'), /^diary \(stdio\): ready\n/)
  assert.equal((await json('tools', 'Ada')).servers[0].server.env, { NOTES_KEY: '***' })
  const argued = ['Ada', 'argued', '--secret-value-from', 'NOTES_KEY', '--plain-value', 'x7Gk2pQ9zT']
  const args = ['--pat', 'x7Gk2pQ9zT', '--theme', 'marked-value', '--token', '4711']
  assert.is(
    await runCommand('tools', 'add', ...argued, '--', 'notes', ...args),
    'argued (stdio): off\nstored as secrets: --theme ***, --token ***. If one is not a secret, pass --plain-value <value>\n',
  )
  await runCommand('tools', 'remove', 'Ada', 'argued')
  delete process.env.NOTES_KEY
  assert.is((await refusal('tools', 'add', 'Ada', 'none')).code, 2)
  assert.is((await refusal('tools', 'import', 'Ada', join(folder, 'nowhere.json'))).code, 2)
  await runCommand('tools', 'remove', 'Ada', 'diary')
  await runCommand('tools', 'host', 'Ada', 'example.org', 'allow')
  assert.match(await runCommand('tools', 'Ada'), /^pages of example\.org: allow$/m)
  assert.is(await runCommand('approvals', 'Ada'), 'no calls are waiting\n')
})

test('adds a skill from a folder, shows, enables and removes it', async () => {
  const skill = join(folder, 'tea')
  await mkdir(join(skill, 'scripts'), { recursive: true })
  const skillText = '---\nname: tea\ndescription: How to make tea.\n---\nWarm the pot.\n'
  await writeFile(join(skill, 'SKILL.md'), skillText)
  await writeFile(join(skill, 'scripts', 'brew.sh'), 'echo brewing\n')
  assert.is(await runCommand('skills', 'Ada'), 'none yet\n')
  assert.is(await runCommand('skills', 'add', 'Ada', skill), 'tea: added, but not enabled yet\n')
  const skillOutput = await runCommand('skills', 'show', 'Ada', 'tea')
  assert.match(
    skillOutput,
    /Warm the pot\.[\s\S]*scripts\/brew\.sh {2}13 bytes, a script: never run\necho brewing/,
  )
  const sha256 = /sha256 (\w+)/.exec(skillOutput)?.[1] ?? ''
  assert.is((await refusal('skills', 'enable', 'Ada', 'tea', '--sha256', '0'.repeat(64))).code, 1)
  assert.is(await runCommand('skills', 'enable', 'Ada', 'tea', '--sha256', sha256), 'tea is enabled\n')
  assert.match(await runCommand('skills', 'Ada'), /^tea +enabled +How to make tea\.$/m)
  assert.is(await runCommand('skills', 'add', 'Ada', skill), 'tea: enabled, as before\n')
  assert.is(await runCommand('skills', 'disable', 'Ada', 'tea'), 'tea is disabled\n')
  assert.is(await runCommand('skills', 'remove', 'Ada', 'tea'), 'tea was removed\n')
  await symlink('/etc/passwd', join(skill, 'leak.md'))
  assert.match((await refusal('skills', 'add', 'Ada', skill)).message, /it contains a link/)
  assert.is((await refusal('skills', 'add', 'Ada', join(folder, 'nowhere'))).code, 2)
})

test('prints messages, knowledge, plans, costs and status', async () => {
  assert.match(await runCommand('conversation', 'Ada'), /person\n {2}I have a cat called Miso\./)
  assert.match(await runCommand('knowledge', 'Ada'), /^person\n[\s\S]*Miso/m)
  assert.match(await runCommand('usage', 'Ada'), /^in all +\d+ +0 +0 +no price$/m)
  assert.match(await runCommand('providers'), /^anthropic +https:\/\/api\.anthropic\.com$/m)
  assert.is(await runCommand('hush', 'Ada'), 'quiet\n')
  assert.match(await runCommand('phrase', 'Ada', '--yes'), /24 \w+ *$/m)
  assert.is(await runCommand('phrase', 'Ada', '--confirm'), 'noted\n')
  assert.match(
    await runCommand('pair', 'Ada', 'KPMXQA2Z').catch((error) => error.message),
    /invalid or has expired/,
  )
  await runCommand('calendar', 'add', 'Ada', '2090-01-02T10:00', 'tea')
  assert.match(await runCommand('calendar', 'feed', 'Ada'), /^BEGIN:VCALENDAR\r\n[\s\S]*SUMMARY:tea/)
  const [{ seq }] = (await runCommand('journal', 'Ada', '--type', 'TurnBegan', '--json'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.is((await refusal('compare', 'Ada', String(seq))).code, 2)
})

test('feed passes the name of the user on, and prints the remarks about the file', async () => {
  const file = join(folder, 'chat.txt')
  await writeFile(file, '12.03.24, 14:05 - Ben: Hallo\n12.03.24, 14:06 - Mia: Hallo Ben\n')
  const preview = ['feed', 'Ada', file, '--source', 'whatsapp', '--preview']
  assert.match(await runCommand(...preview), /Which of them is you: “Ben”, “Mia”\?/)
  assert.match(
    await runCommand(...preview, '--me', 'Mia'),
    /“Mia” was taken for you[\s\S]*new +WhatsApp: Ben/,
  )
})

// Without a failure the status would be fine in every case.
test('status and doctor name the failing part', async () => {
  assert.match(
    await runCommand('diagnose', 'Ada'),
    /^thinking +embedded\/practice: well\njournal +\d+ facts/m,
  )
  const failingOrgan = {
    model: 'x',
    state: 'failing',
    last_error: { reason: 'its key was refused' },
  } as const
  assert.is(formatTrouble(failingOrgan), 'its key was refused')
  assert.is(formatTrouble({ model: 'x', state: 'well', last_error: { reason: 'long ago' } }), null)
})

test('shows the refusal of a model server next to the organ, and the doctor warns about it', async () => {
  const world: World = { closers: [] }
  const { url } = await openServer(world, ({ method, body }) => {
    if (method === 'GET') return toJson({}, 404)
    if ('tools' in body) return toJson({ error: 'm does not support tools' }, 400)
    return body.stream
      ? { body: hi + stop + doneEvent }
      : toJson({ choices: [{ message: { content: 'hello' } }] })
  })
  const bob = { name: 'Bob', thinking_model: 'm', thinking_provider: 'openai', thinking_url: url }
  const { body } = await call(daemon.url, 'POST', '/api/persona/create', bob)
  try {
    await call(daemon.url, 'POST', `/api/persona/${body.persona.id}/read?wait=60`, { message: 'Hi.' })
    const expectedLine =
      /^thinking +m: well; its server refuses tools \(the persona can talk, and use none\)$/m
    assert.match(await runCommand('diagnose', 'Bob'), expectedLine)
    const { findings } = await json('doctor')
    assert.equal(
      findings
        .filter(({ what }: { what: string }) => what === 'Bob')
        .map(({ state }: { state: string }) => state),
      ['well', 'note'],
    )
  } finally {
    await call(daemon.url, 'POST', `/api/persona/${body.persona.id}/delete`)
    await close(world)
  }
})

test('accepts and declines proposals of programs', async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const propose = async (text: string) => {
    const params = { name: 'remember', arguments: { document: 'person', text } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const request = { method: 'POST', headers: { ...headers, 'mcp-protocol-version': '2025-06-18' }, body }
    await (await fetch(`${daemon.url}/mcp/${id}`, request)).text()
  }
  await propose('Likes the sea.')
  await propose('Likes the rain.')
  const [sea, rain] = (await json('memories', 'Ada')).proposed
  assert.match(
    await runCommand('memories', 'Ada'),
    new RegExp(`${sea.id} +\\(proposed by [^)]+\\) Likes the sea\\.`),
  )
  await runCommand('memories', 'accept', 'Ada', sea.id)
  await runCommand('memories', 'decline', 'Ada', rain.id)
  const memoriesText = await runCommand('memories', 'Ada')
  assert.match(memoriesText, /^person +\S+ +Likes the sea\.$/m)
  assert.not.match(memoriesText, 'rain')
  assert.is((await refusal('memories', 'decline', 'Ada', sea.id)).code, 4)
})

const soon = new Date(Date.now() + 2 * 24 * 60 * 60_000).toISOString().slice(0, 19).replace(/[-:]/g, '')

test('calendars of others are subscribed to, listed and removed', async () => {
  const server = await openCalendarServer()
  process.env.CALENDAR_ADDRESS = `${server.url}/a.ics`
  process.env.CALENDAR_PASSWORD = calendarPassword
  try {
    server.files.set('/a.ics', calendarText([eventText('1', `${soon}Z`, 'Dentist')]))
    const subscribed = await json('calendar', 'subscribe', 'Ada', '--address-from', 'CALENDAR_ADDRESS')
    const [{ id: subscription }] = subscribed.subscriptions
    assert.match(await runCommand('calendar', 'list', 'Ada'), /\[Work\] +Dentist/)
    assert.match(await runCommand('calendar', 'subscriptions', 'Ada'), /Work +127\.0\.0\.1:\d+ +1 events/)
    assert.match(await runCommand('calendar', 'refresh', 'Ada', subscription), /Work/)
    assert.match(await runCommand('diagnose', 'Ada'), /calendar +Work: well/)
    assert.is(await runCommand('calendar', 'unsubscribe', 'Ada', subscription), 'unsubscribed\n')
    assert.match(await runCommand('calendar', 'subscriptions', 'Ada'), /no calendar is subscribed/)

    server.calendars.set('work', { name: 'Work', events: [], tag: 1 })
    server.calendars.set('home', { name: 'Home', events: [], tag: 1 })
    const login = ['--caldav', '--user', calendarUser, '--password-from', 'CALENDAR_PASSWORD']
    const { message } = await refusal('calendar', 'subscribe', 'Ada', server.url, ...login)
    assert.is(message, 'choose with --calendar from: "Home", "Work"')
    const chosen = await json('calendar', 'subscribe', 'Ada', server.url, ...login, '--calendar', 'Home')
    assert.equal(
      chosen.subscriptions.map(({ kind, name }: { kind: string; name: string }) => [kind, name]),
      [['caldav', 'Home']],
    )
    await runCommand('calendar', 'unsubscribe', 'Ada', chosen.subscriptions[0].id)
    assert.match((await refusal('calendar', 'subscribe', 'Ada')).message, /give an address/)
  } finally {
    delete process.env.CALENDAR_ADDRESS
    delete process.env.CALENDAR_PASSWORD
    await server.close()
  }
})

test('a Matrix account is added by a token or a password from a variable', async () => {
  const matrix = await createMatrixStandIn()
  const account = matrix.register('fern')
  const name = account.id.slice(1)
  const server = ['--homeserver', matrix.url]
  process.env.MATRIX_SECRET = 'fern-password'
  try {
    const password = ['--user', 'fern', '--password-from', 'MATRIX_SECRET']
    assert.match(await runCommand('channels', 'add', 'Ada', 'matrix', ...server, ...password), /^added\./)
    assert.match(await runCommand('channels', 'Ada'), new RegExp(`matrix +${name} +not paired yet`))
    await runCommand('channels', 'remove', 'Ada', name)
    process.env.MATRIX_SECRET = 'syt_wrong_0123456789'
    const token = ['--token-from', 'MATRIX_SECRET']
    const wrong = await refusal('channels', 'add', 'Ada', 'matrix', ...server, ...token)
    assert.match(wrong.message, /^matrix validation failed: The homeserver does not know this access token/)
    process.env.MATRIX_SECRET = matrix.createToken(account.id)
    assert.equal(await json('channels', 'add', 'Ada', 'matrix', ...server, ...token), { kind: 'matrix' })
    await runCommand('channels', 'remove', 'Ada', name)
    assert.match((await refusal('channels', 'add', 'Ada', 'telegram')).message, /--token-from is missing/)
  } finally {
    delete process.env.MATRIX_SECRET
    await matrix.close()
  }
})

test('mailboxes are connected, listed, read and disconnected', async () => {
  const server = await openMailServer()
  process.env.MAIL_PASSWORD = mailPassword
  try {
    server.add(mailText({ subject: 'Lunch', body: 'Lunch on Friday? Tell me.' }))
    const address = ['127.0.0.1', mailUser, '--port', String(server.port), '--security', 'none']
    const password = ['--password-from', 'MAIL_PASSWORD']
    const wrong = await refusal('mail', 'connect', 'Ada', ...address, ...password, '--folder', 'None')
    assert.match(wrong.message, /its folders are “INBOX”/)
    const { id } = await json('mail', 'connect', 'Ada', ...address, ...password, '--recent', '1')
    await waitFor('the mail', async () => /Lunch/.test(await runCommand('mail', 'show', 'Ada', id)))
    assert.match(await runCommand('mail', 'show', 'Ada', id), /Lunch on Friday\?/)
    assert.match(await runCommand('mail', 'list', 'Ada'), /INBOX/)
    assert.match(await runCommand('mail', 'refresh', 'Ada', id), /127\.0\.0\.1/)
    assert.match(await runCommand('diagnose', 'Ada'), /mailbox +\S+: well/)
    await runCommand('stop', 'Ada')
    assert.match(await runCommand('diagnose', 'Ada'), /mailbox +\S+: not read yet/)
    await runCommand('start', 'Ada')
    assert.is(await runCommand('mail', 'disconnect', 'Ada', id), 'disconnected\n')
    assert.match(await runCommand('mail', 'list', 'Ada'), /no mailbox is connected/)
  } finally {
    delete process.env.MAIL_PASSWORD
    await server.close()
  }
})

test.run()
