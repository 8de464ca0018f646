/** Reads a folder of Dovecot, a real mail server. Skipped where it is not installed. */
import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { waitFor } from '../../../test/calls.ts'
import { mailText } from '../../../test/stand-ins/imap.ts'
import type { MailFailed } from '../mail-failed.ts'
import { openMailbox } from '../mailbox-session.ts'

const isInstalled = spawnSync('dovecot', ['--version']).status === 0
if (!isInstalled) console.log('packages/mail/test/dovecot: skipped, because Dovecot is not installed')
const testIfInstalled = isInstalled ? test : test.skip

const password = 'dovecot-4711'
const { signal } = new AbortController()

const findPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })

/** Runs with the port of a server whose user `ada` has the folders INBOX and `Work`, as Maildir. */
const withDovecot = async (
  work: (port: number, deliver: (text: string) => Promise<void>) => Promise<void>,
) => {
  const folder = await mkdtemp(join(tmpdir(), 'dovecot-'))
  await chmod(folder, 0o755)
  const port = await findPort()
  const { username, ...own } = userInfo()
  // Dovecot refuses mail users and a login process that are root.
  const isRoot = own.uid === 0
  const loginUser = isRoot ? 'dovenull' : username
  const { uid, gid } = isRoot ? { uid: 65_534, gid: 65_534 } : own
  const maildir = join(folder, 'mail')
  for (const name of ['cur', 'new', 'tmp', '.Work/cur', '.Work/new', '.Work/tmp'])
    await mkdir(join(maildir, name), { recursive: true })
  if (isRoot) spawnSync('chown', ['-R', `${uid}:${gid}`, maildir])
  await writeFile(join(folder, 'users'), `ada:{PLAIN}${password}:${uid}:${gid}::${folder}\n`)
  const config = join(folder, 'dovecot.conf')
  await writeFile(
    config,
    `base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_internal_user = ${username}
default_internal_group = ${spawnSync('id', ['-gn']).stdout.toString().trim()}
default_login_user = ${loginUser}
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:${maildir}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = passwd-file
  args = ${folder}/users
}
`,
  )
  const child = spawn('dovecot', ['-F', '-c', config], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let count = 0
  const deliver = (text: string) => writeFile(join(maildir, 'new', `${Date.now()}.${count++}.host`), text)
  try {
    await waitFor('Dovecot', () => canConnect(port))
    await work(port, deliver)
  } finally {
    child.kill()
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}

testIfInstalled('reads new mails of Dovecot and leaves them unread', () =>
  withDovecot(async (port, deliver) => {
    const address = { host: '127.0.0.1', port, security: 'none', user: 'ada', password } as const
    await deliver(mailText({ subject: 'First' }))
    const session = await openMailbox({ ...address, folder: 'INBOX' }, { signal })
    equal(await session.listNewest(10), [1])
    match((await session.fetch(1))?.bytes.toString() ?? '', 'Subject: First')
    const news = session.waitForNews(60_000, signal)
    await deliver(mailText({ subject: 'Second' }))
    await news
    equal(await session.listAfter(1), [2])
    const mails = await session.listSince(Date.now() - 86_400_000)
    equal(
      mails.map(({ uid }) => uid),
      [1, 2],
    )
    await session.close()
    const { ImapFlow } = await import('imapflow')
    const client = new ImapFlow({
      ...{ host: '127.0.0.1', port, secure: false, logger: false },
      auth: { user: 'ada', pass: password },
    })
    await client.connect()
    equal(
      (await client.status('INBOX', { unseen: true })) && (await client.status('INBOX', { unseen: true })),
      {
        path: 'INBOX',
        unseen: 2,
      },
    )
    await client.logout()
    await openMailbox({ ...address, password: 'wrong', folder: 'INBOX' }, { signal }).catch(
      ({ kind }: MailFailed) => is(kind, 'login'),
    )
    await openMailbox({ ...address, folder: 'None' }, { signal }).catch(({ kind, message }: MailFailed) => {
      is(kind, 'folder')
      match(message, '“Work”')
    })
  }),
)

test.run()
