/** Reading a folder over IMAP: read-only, encryption, clear errors, and servers that break the protocol. */
import { test } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { waitFor } from '../../../test/calls.ts'
import { certificate } from '../../../test/network/certificate.ts'
import {
  type MailServer,
  mailPassword,
  mailText,
  mailUser,
  openMailServer,
} from '../../../test/stand-ins/imap.ts'
import { MailFailed } from '../mail-failed.ts'
import { maxMailBytes } from '../mail-limits.ts'
import { type MailboxAddress, openMailbox, type SessionOptions } from '../mailbox-session.ts'

const servers: MailServer[] = []
const openServer = async (options?: { secure?: boolean }) => {
  const server = await openMailServer(options)
  servers.push(server)
  return server
}
test.after.each(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const open = (
  server: MailServer,
  address: Partial<MailboxAddress> = {},
  options: Partial<SessionOptions> = {},
) =>
  openMailbox(
    {
      ...{ host: '127.0.0.1', port: server.port, security: 'none' },
      ...{ user: mailUser, password: mailPassword, folder: 'INBOX' },
      ...address,
    },
    { signal: new AbortController().signal, ...options },
  )
const getFailure = async (work: Promise<unknown>): Promise<MailFailed> => {
  try {
    await work
  } catch (error) {
    if (error instanceof MailFailed) return error
    throw error
  }
  throw new Error('It did not fail.')
}

test('reads mails without a command that changes the mailbox', async () => {
  const server = await openServer()
  for (const subject of ['one', 'two', 'three']) server.add(mailText({ subject }))
  const session = await open(server)
  is(session.uidValidity, 1)
  equal(await session.listAfter(1), [2, 3])
  equal(await session.listAfter(3), [])
  equal(await session.listNewest(2), [2, 3])
  const mail = await session.fetch(2)
  match(mail?.bytes.toString() ?? '', 'Subject: two')
  is(mail?.isCut, false)
  is(await session.fetch(99), null)
  const mails = await session.listSince(Date.now() - 86_400_000)
  equal(
    mails.map(({ uid }) => uid),
    [1, 2, 3],
  )
  match(mails[0]?.header.toString() ?? '', 'Subject: one')
  await session.close()
  const commands = server.lines.join('\n')
  match(commands, /EXAMINE "?INBOX/)
  not.match(commands, /SELECT|STORE|EXPUNGE|APPEND|COPY|MOVE|BODY\[/i)
  await waitFor('the connection to close', () => server.connections() === 0)
})

test('fetches only the beginning of a large mail', async () => {
  const server = await openServer()
  const uid = server.add(mailText({ body: 'x'.repeat(50 * 1024 * 1024) }))
  const session = await open(server)
  const mail = await session.fetch(uid)
  equal([mail?.bytes.length, mail?.isCut], [maxMailBytes, true])
  await session.close()
})

test('notices new mail by IDLE, and by asking if the server has no IDLE', async () => {
  const server = await openServer()
  const session = await open(server)
  const news = session.waitForNews(60_000, new AbortController().signal)
  await waitFor('IDLE', () => server.lines.some((line) => line.endsWith('IDLE')))
  server.add(mailText())
  await news
  equal(await session.listAfter(0), [1])
  await session.close()

  server.hasIdle = false
  const polling = await open(server)
  await polling.waitForNews(50, new AbortController().signal)
  equal(await polling.listAfter(0), [1])
  const controller = new AbortController()
  const pause = polling.waitForNews(60_000, controller.signal)
  controller.abort()
  await pause
  await polling.close()
})

test('connects with TLS and with STARTTLS', async () => {
  const tls = { ca: certificate.cert, checkServerIdentity: () => undefined }
  const session = await open(await openServer({ secure: true }), { security: 'tls' }, { tls })
  equal(await session.listAfter(0), [])
  await session.close()
  const server = await openServer()
  server.hasStartTls = true
  const upgraded = await open(server, { security: 'starttls' }, { tls })
  equal(await upgraded.listAfter(0), [])
  await upgraded.close()
  not.match(
    server.lines
      .slice(
        0,
        server.lines.findIndex((line) => line.endsWith('STARTTLS')),
      )
      .join(),
    'LOGIN',
  )
})

test('gives each cause of a failed connection its own error, without the password', async () => {
  const server = await openServer()
  server.add('', 'Work')
  const secure = await openServer({ secure: true })
  const ca = certificate.cert
  const cases = [
    [() => open(server, { password: 'wrong-4712' }), 'login', /refuses the user name or the password/],
    [
      () => open(server, { folder: 'Nothing' }),
      'folder',
      /folder does not exist; its folders are “INBOX”, “Work”/,
    ],
    [
      () => open(server, { host: 'no-such-host.invalid', security: 'tls' }),
      'unreachable',
      /no server with this name|could not be resolved/,
    ],
    [() => open(server, { port: 1 }), 'unreachable', /accepts no connection/],
    [() => open(secure, { security: 'tls' }), 'certificate', /signed by itself/],
    [() => open(secure, { security: 'tls' }, { tls: { ca } }), 'certificate', /another name/],
    [() => open(server, { security: 'tls' }), 'certificate', /does not speak TLS/],
    [() => open(server, { security: 'starttls' }), 'certificate', /offers no STARTTLS/],
    [() => open(server, { host: 'mail.example' }), 'certificate', /only servers on this machine/],
  ] as const
  for (const [work, kind, message] of cases) {
    const failure = await getFailure(work())
    is(failure.kind, kind, failure.message)
    match(failure.message, message)
    not.match(`${failure.message} ${failure.stack}`, /471[12]/)
  }
})

test('ends with a clear error when the server breaks the protocol', async () => {
  const short = { connectMs: 400, commandMs: 400 }
  const greetings: readonly (readonly [string | null, RegExp])[] = [
    ['HTTP/1.1 400 Bad Request\r\n\r\n', /./],
    ['\u0000\u00ff\u0007garbage\r\n', /./],
    ['* BYE go away\r\n', /./],
    [null, /does not answer in time/],
  ]
  for (const [greeting, message] of greetings) {
    const server = await openServer()
    server.greeting = greeting
    match((await getFailure(open(server, {}, short))).message, message)
    await waitFor('the connection to close', () => server.connections() === 0)
  }
  const lies: readonly (readonly [string, (send: (text: string) => void) => void, RegExp])[] = [
    ['UID FETCH', (send) => send('* 1 FETCH (UID 1 BODY[]<0> {900000000}\r\n'), /too large/],
    ['UID FETCH', (send) => send(`* 1 FETCH (UID 1 BODY[]<0> {500}\r\n${'x'.repeat(100)}`), /in time|closed/],
    ['UID FETCH', (send) => send(`* 1 FETCH (${'('.repeat(5000)}`), /in time|mail server|closed/],
    ['UID FETCH', (send) => send(`* ${'9'.repeat(3_000_000)}`), /too large/],
    ['UID FETCH', (send) => send('TAG NO never\r\n'), /./],
  ]
  for (const [command, lie, message] of lies) {
    const server = await openServer()
    const uid = server.add(mailText())
    const session = await open(server, {}, short)
    server.special = (line, send) => {
      if (!line.startsWith(command)) return false
      lie(send)
      return true
    }
    const result = await session.fetch(uid).catch((error: unknown) => error)
    ok(result === null || (result instanceof MailFailed && message.test(result.message)), String(result))
    await session.close()
    await waitFor('the connection to close', () => server.connections() === 0)
  }
})

test('ignores numbers that it did not ask for', async () => {
  const server = await openServer()
  server.add(mailText())
  const session = await open(server)
  server.special = (line, send) => {
    if (line.startsWith('UID SEARCH')) send('* SEARCH 0 1 7 7 99999999999999999999 -3\r\nTAG OK\r\n')
    else if (line.startsWith('UID FETCH')) send('* 1 FETCH (UID 12 BODY[]<0> {5}\r\nhello)\r\nTAG OK\r\n')
    else return false
    return true
  }
  equal(await session.listAfter(0), [1, 7])
  is(await session.fetch(7), null)
  await session.close()
})

test('ends with a clear error when the server drops the connection in any phase', async () => {
  for (const phase of ['LOGIN', 'LIST', 'EXAMINE', 'UID SEARCH', 'UID FETCH', 'IDLE', 'NOOP']) {
    const server = await openServer()
    const uid = server.add(mailText())
    server.special = (line, _, socket) => {
      if (!line.startsWith(phase)) return false
      socket.destroy()
      return true
    }
    const failure = await getFailure(
      (async () => {
        const session = await open(server)
        await session.listAfter(0)
        await session.fetch(uid)
        await session.waitForNews(20, new AbortController().signal)
      })(),
    )
    is(failure.kind, 'unreachable', `${phase}: ${failure.message}`)
  }
})

test('closes the connection when the signal aborts', async () => {
  const server = await openServer()
  server.special = (line) => line.startsWith('EXAMINE')
  const controller = new AbortController()
  const opening = open(server, {}, { signal: controller.signal })
  await waitFor('EXAMINE', () => server.lines.some((line) => line.includes('EXAMINE')))
  controller.abort(new Error('left'))
  await opening.then(
    () => ok(false),
    (error: Error) => is(error.message, 'left'),
  )
  await waitFor('the connection to close', () => server.connections() === 0)
})

test.run()
