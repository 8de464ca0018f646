/** A mail server that speaks IMAP (RFC 3501, with IDLE and STARTTLS), for one user. */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { certificate } from '../network/certificate.ts'

export interface StoredMail {
  readonly uid: number
  readonly text: string
  /** Epoch ms. */
  readonly arrived: number
}

export interface StoredFolder {
  uidValidity: number
  mails: StoredMail[]
}

export interface MailServer {
  readonly port: number
  readonly folders: Map<string, StoredFolder>
  /** Lines of all clients, without the password. */
  readonly lines: string[]
  /** Number of open connections. */
  readonly connections: () => number
  /** Greeting instead of the usual one. Null: none. */
  greeting: string | null | undefined
  /** Answers a command instead of the server. Returns true if it did. `send` adds no line end. */
  special: ((command: string, send: (text: string) => void, socket: Socket) => boolean) | null
  hasIdle: boolean
  hasStartTls: boolean
  /** Adds a mail to a folder and reports it to clients that idle. */
  add(text: string, folder?: string, arrived?: number): number
  close(): Promise<void>
}

export const mailUser = 'ada@example.org'
export const mailPassword = 'app-password-4711'

export interface MailText {
  readonly from?: string
  readonly subject?: string
  readonly body?: string
  /** More lines of the header. */
  readonly header?: readonly string[]
}

let mailCount = 0
/** Returns a mail in plain text. */
export const mailText = ({
  from = 'Bob <bob@example.com>',
  subject = 'Hello',
  body = 'Hi.',
  header = [],
}: MailText = {}): string =>
  [
    `From: ${from}`,
    `To: ${mailUser}`,
    `Subject: ${subject}`,
    'Date: Sat, 28 Nov 2026 10:00:00 +0100',
    `Message-ID: <${++mailCount}@example.com>`,
    ...(header.some((line) => /^content-type:/i.test(line))
      ? []
      : ['Content-Type: text/plain; charset=utf-8']),
    ...header,
    '',
    body,
  ].join('\r\n')

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export const openMailServer = async ({ secure = false } = {}): Promise<MailServer> => {
  const folders: MailServer['folders'] = new Map([['INBOX', { uidValidity: 1, mails: [] }]])
  const lines: string[] = []
  const sockets = new Set<Socket>()
  const idling = new Set<() => void>()
  const state = { greeting: undefined, special: null, hasIdle: true, hasStartTls: false } as Pick<
    MailServer,
    'greeting' | 'special' | 'hasIdle' | 'hasStartTls'
  >

  const serve = (socket: Socket, isFirst: boolean) => {
    let folder: StoredFolder | null = null
    let isIn = false
    let idleTag: string | null = null
    let buffer = Buffer.alloc(0)
    const send = (text: string) => {
      if (socket.writable) socket.write(text, 'latin1')
    }
    const onNews = () => {
      if (idleTag !== null && folder) send(`* ${folder.mails.length} EXISTS\r\n`)
    }
    const capabilities = () =>
      [
        'IMAP4rev1',
        ...(state.hasIdle ? ['IDLE'] : []),
        ...(state.hasStartTls && !(socket instanceof TLSSocket) ? ['STARTTLS'] : []),
      ].join(' ')

    const fetchItems = (mail: StoredMail, items: string): string => {
      const parts = [`UID ${mail.uid}`]
      const bytes = Buffer.from(mail.text)
      const literal = (name: string, value: Buffer) =>
        parts.push(`${name} {${value.length}}\r\n${value.toString('latin1')}`)
      const whole = /BODY\.PEEK\[\](?:<(\d+)\.(\d+)>)?/i.exec(items)
      const [, start, length] = whole ?? []
      if (whole && start !== undefined)
        literal(`BODY[]<${start}>`, bytes.subarray(Number(start), Number(start) + Number(length)))
      else if (whole) literal('BODY[]', bytes)
      const fields = /BODY\.PEEK\[HEADER\.FIELDS \(([^)]*)\)\]/i.exec(items)?.[1]
      if (fields !== undefined) {
        const names = fields.toLowerCase().replaceAll('"', '').split(' ')
        const header = mail.text.slice(0, mail.text.indexOf('\r\n\r\n')).split('\r\n')
        const kept = header.filter((line) => names.includes(line.slice(0, line.indexOf(':')).toLowerCase()))
        literal(`BODY[HEADER.FIELDS (${fields})]`, Buffer.from(`${kept.join('\r\n')}\r\n\r\n`))
      }
      return parts.join(' ')
    }
    const inSet = (uid: number, set: string, last: number) =>
      set.split(',').some((range) => {
        const [from = 0, to = from] = range.split(':').map((end) => (end === '*' ? last : Number(end)))
        return uid >= Math.min(from, to) && uid <= Math.max(from, to)
      })

    const answer = (tag: string, line: string): void => {
      const ok = (text = 'done') => send(`${tag} OK ${text}\r\n`)
      const no = (text: string) => send(`${tag} NO ${text}\r\n`)
      const [command = '', ...rest] = line.split(' ')
      const name =
        command.toUpperCase() === 'UID' ? `UID ${(rest.shift() ?? '').toUpperCase()}` : command.toUpperCase()
      const text = rest.join(' ')
      if (state.special?.(`${name} ${text}`.trim(), (raw) => send(raw.replaceAll('TAG', tag)), socket)) return
      switch (name) {
        case 'CAPABILITY':
          send(`* CAPABILITY ${capabilities()}\r\n`)
          return ok()
        case 'STARTTLS': {
          ok('begin')
          socket.removeAllListeners('data')
          const tls = new TLSSocket(socket, { isServer: true, ...certificate })
          tls.on('error', () => tls.destroy())
          return serve(tls, false)
        }
        case 'LOGIN':
          isIn = text.replaceAll('"', '') === `${mailUser} ${mailPassword}`
          return isIn ? ok(`[CAPABILITY ${capabilities()}] in`) : no(`[AUTHENTICATIONFAILED] wrong: ${text}`)
        case 'LOGOUT':
          send('* BYE\r\n')
          ok()
          return void socket.end()
        case 'NOOP':
          if (folder) send(`* ${folder.mails.length} EXISTS\r\n`)
          return ok()
        default:
          if (!isIn) return no('log in first')
      }
      switch (name) {
        case 'LIST': {
          const pattern = text.split(' ').at(-1)?.replaceAll('"', '') ?? '*'
          for (const path of folders.keys())
            if (/[*%]/.test(pattern) || pattern === path) send(`* LIST () "/" "${path}"\r\n`)
          return ok()
        }
        case 'LSUB':
          return ok()
        case 'EXAMINE': {
          folder = folders.get(text.replaceAll('"', '')) ?? null
          if (!folder) return no('[NONEXISTENT] no such folder')
          send(`* FLAGS (\\Seen)\r\n* ${folder.mails.length} EXISTS\r\n* 0 RECENT\r\n`)
          send(
            `* OK [UIDVALIDITY ${folder.uidValidity}] valid\r\n* OK [UIDNEXT ${(folder.mails.at(-1)?.uid ?? 0) + 1}] next\r\n`,
          )
          return ok('[READ-ONLY] open')
        }
        case 'UID SEARCH': {
          const mails = folder?.mails ?? []
          const last = mails.at(-1)?.uid ?? 0
          const set = /UID (\S+)/i.exec(text)?.[1]
          const [, day, month, year] = /SINCE "?(\d+)-(\w+)-(\d+)/i.exec(text) ?? []
          const sinceTime =
            day === undefined ? 0 : Date.UTC(Number(year), months.indexOf(month ?? ''), Number(day))
          const found = mails.filter(
            ({ uid, arrived }) => (set === undefined || inSet(uid, set, last)) && arrived >= sinceTime,
          )
          send(`* SEARCH ${found.map(({ uid }) => uid).join(' ')}\r\n`)
          return ok()
        }
        case 'UID FETCH': {
          const [set = ''] = rest
          for (const [n, mail] of (folder?.mails ?? []).entries())
            if (inSet(mail.uid, set, folder?.mails.at(-1)?.uid ?? 0))
              send(`* ${n + 1} FETCH (${fetchItems(mail, text)})\r\n`)
          return ok()
        }
        case 'IDLE':
          if (!state.hasIdle) return send(`${tag} BAD no idle\r\n`)
          idleTag = tag
          return send('+ idling\r\n')
        default:
          return send(`${tag} BAD unknown\r\n`)
      }
    }
    const read = () => {
      for (;;) {
        const end = buffer.indexOf('\r\n')
        if (end < 0) return
        const line = buffer.subarray(0, end).toString('latin1')
        buffer = buffer.subarray(end + 2)
        lines.push(line.replaceAll(mailPassword, '***'))
        if (line === 'DONE' && idleTag !== null) {
          send(`${idleTag} OK done\r\n`)
          idleTag = null
          continue
        }
        const space = line.indexOf(' ')
        answer(line.slice(0, space), line.slice(space + 1))
      }
    }
    socket.on('data', (chunk: Buffer) => {
      buffer = Buffer.concat([buffer, chunk])
      read()
    })
    idling.add(onNews)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => idling.delete(onNews))
    if (!isFirst) return
    if (state.greeting === undefined) send(`* OK [CAPABILITY ${capabilities()}] ready\r\n`)
    else if (state.greeting !== null) send(state.greeting)
  }

  const server = createServer((plainSocket) => {
    sockets.add(plainSocket)
    plainSocket.on('error', () => plainSocket.destroy())
    plainSocket.on('close', () => sockets.delete(plainSocket))
    if (!secure) return serve(plainSocket, true)
    const socket = new TLSSocket(plainSocket, { isServer: true, ...certificate })
    socket.on('error', () => socket.destroy())
    serve(socket, true)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    port,
    folders,
    lines,
    connections: () => sockets.size,
    add: (text: string, path = 'INBOX', arrived = Date.now()) => {
      const folder = folders.get(path) ?? { uidValidity: 1, mails: [] }
      folders.set(path, folder)
      const uid = (folder.mails.at(-1)?.uid ?? 0) + 1
      folder.mails.push({ uid, text, arrived })
      for (const report of idling) report()
      return uid
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
