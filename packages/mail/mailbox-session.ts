/**
 * Reads one folder of a mailbox over IMAP (RFC 3501), read-only: the folder is opened with EXAMINE, and mails
 * are fetched with BODY.PEEK, which changes no flag.
 */
import type { ConnectionOptions } from 'node:tls'
import type { ImapFlow } from 'imapflow'
import { isOwnPort } from '../kit/network/own-listeners.ts'
import { isLoopback } from '../kit/network/zone.ts'
import { MailFailed } from './mail-failed.ts'
import {
  maxAnswerBytes,
  maxCommandMs,
  maxConnectMs,
  maxMailBytes,
  maxNamedFolders,
  maxNewMails,
  maxRenumberedMails,
} from './mail-limits.ts'

/** `none`: without encryption, only on this machine. */
export type MailSecurity = 'tls' | 'starttls' | 'none'

export interface MailboxAddress {
  readonly host: string
  readonly port: number
  readonly security: MailSecurity
  readonly user: string
  readonly password: string
  /** A folder or label, as the server names it. */
  readonly folder: string
}

export interface FetchedMail {
  /** The mail, or its beginning. */
  readonly bytes: Buffer
  /** True if the mail is longer than `bytes`. */
  readonly isCut: boolean
}

export interface ListedMail {
  readonly uid: number
  /** Header fields that identify it. */
  readonly header: Buffer
}

/** All methods throw MailFailed, or the signal's reason. The session is closed afterwards. */
export interface MailboxSession {
  readonly uidValidity: number
  /** Returns the numbers of at most the oldest 500 mails after `uid`, ascending. */
  listAfter(uid: number): Promise<readonly number[]>
  /** Returns the numbers of the newest mails, ascending. */
  listNewest(count: number): Promise<readonly number[]>
  /** Lists the newest mails that arrived on this day or later, ascending. `time`: epoch ms. */
  listSince(time: number): Promise<readonly ListedMail[]>
  /** Returns null if the mail is gone. */
  fetch(uid: number): Promise<FetchedMail | null>
  /** Resolves after `ms`, when the server reports a change, or when the signal aborts. */
  waitForNews(ms: number, signal: AbortSignal): Promise<void>
  /** Never rejects. */
  close(): Promise<void>
}

export interface SessionOptions {
  readonly signal: AbortSignal
  /** Replaced in tests. */
  readonly tls?: Pick<ConnectionOptions, 'ca' | 'checkServerIdentity'>
  readonly connectMs?: number
  readonly commandMs?: number
}

/** Throws MailFailed, or the signal's reason. */
export const openMailbox = async (
  address: MailboxAddress,
  { signal, tls, connectMs = maxConnectMs, commandMs = maxCommandMs }: SessionOptions,
): Promise<MailboxSession> => {
  signal.throwIfAborted()
  checkAddress(address)
  const client = await createClient(address, { connectMs, commandMs, ...(tls && { tls }) })
  let failure: unknown = null
  client.on('error', (error: unknown) => {
    failure ??= error
  })
  const onAbort = () => client.close()
  signal.addEventListener('abort', onAbort, { once: true })
  const close = () => {
    signal.removeEventListener('abort', onAbort)
    client.close()
  }
  /** Closes the session after an error or a timeout. */
  const run = async <T>(work: Promise<T>, ms: number): Promise<T> => {
    try {
      return await withTimeout(work, ms)
    } catch (error) {
      close()
      signal.throwIfAborted()
      throw toFailure(failure ?? error, address)
    }
  }
  await run(client.connect(), connectMs * 2)
  const uidValidity = await run(openFolder(client, address), commandMs)
  const search = async (query: { readonly uid?: string; readonly since?: Date; readonly all?: true }) => {
    const uids = await client.search({ ...query }, { uid: true })
    if (!Array.isArray(uids)) throw new MailFailed('answer', 'the server could not search the folder')
    return [...new Set(uids.filter(isUid))].sort((first, second) => first - second)
  }
  return {
    uidValidity,
    // `n:*` always matches the last mail.
    listAfter: async (uid) =>
      (await run(search({ uid: `${uid + 1}:*` }), commandMs))
        .filter((foundUid) => foundUid > uid)
        .slice(0, maxNewMails),
    listNewest: async (count) => {
      const uids = await run(search({ all: true }), commandMs)
      return count > 0 ? uids.slice(-count) : []
    },
    listSince: (sinceMs) =>
      run(
        (async () => {
          const uids = (await search({ since: new Date(sinceMs) })).slice(-maxRenumberedMails)
          const listedMails: ListedMail[] = []
          if (uids.length === 0) return listedMails
          const query = { uid: true, headers: ['message-id', 'date', 'from', 'subject'] } as const
          const wantedUids = new Set(uids)
          const options = { uid: true } as const
          for await (const { uid, headers } of client.fetch(
            uids.join(','),
            { ...query, headers: [...query.headers] },
            options,
          ))
            if (wantedUids.delete(uid)) listedMails.push({ uid, header: headers ?? Buffer.alloc(0) })
          return listedMails.sort((first, second) => first.uid - second.uid)
        })(),
        commandMs * 2,
      ),
    fetch: (uid) =>
      run(
        (async () => {
          const query = { uid: true, source: { start: 0, maxLength: maxMailBytes + 1 } }
          const message = await client.fetchOne(String(uid), query, { uid: true })
          if (!message || message.uid !== uid || !message.source) return null
          const { source } = message
          return { bytes: source.subarray(0, maxMailBytes), isCut: source.length > maxMailBytes }
        })(),
        commandMs * 2,
      ),
    waitForNews: (ms, waitSignal) => run(waitForNews(client, ms, waitSignal), ms + commandMs),
    close: async () => {
      await withTimeout(client.logout(), 2000).catch(() => undefined)
      close()
    },
  }
}

const isUid = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0

/** Throws MailFailed. */
const checkAddress = ({ host, port, security }: MailboxAddress): void => {
  const isHere = isLoopback(host.toLowerCase()) || host === '::1'
  if (security === 'none' && !isHere)
    throw new MailFailed('certificate', 'without encryption only servers on this machine are read')
  if (isHere && isOwnPort(port))
    throw new MailFailed('unreachable', 'it is an address of Daimon itself, which Daimon never calls')
}

/** Loaded with the first mailbox. */
const createClient = async (
  { host, port, security, user, password }: MailboxAddress,
  {
    connectMs,
    commandMs,
    tls,
  }: Required<Pick<SessionOptions, 'connectMs' | 'commandMs'>> & Pick<SessionOptions, 'tls'>,
): Promise<ImapFlow> => {
  const { ImapFlow: Client } = await import('imapflow')
  return new Client({
    host,
    port,
    secure: security === 'tls',
    ...(security !== 'tls' && { doSTARTTLS: security === 'starttls' }),
    auth: { user, pass: password },
    logger: false,
    clientInfo: { name: 'Daimon' },
    disableAutoIdle: true,
    disableCompression: true,
    disableBinary: true,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: commandMs,
    maxLineLength: maxAnswerBytes,
    maxLiteralSize: maxAnswerBytes,
    maxResponseSize: 2 * maxAnswerBytes,
    maxResponseTokens: 50_000,
    ...(tls && { tls }),
  })
}

/** Returns the validity of the numbers of the mails. */
const openFolder = async (client: ImapFlow, { folder }: MailboxAddress): Promise<number> => {
  try {
    const { uidValidity } = await client.mailboxOpen(folder, { readOnly: true })
    const validity = Number(uidValidity)
    if (!isUid(validity)) throw new MailFailed('answer', 'the server does not number its mails')
    return validity
  } catch (error) {
    if (error instanceof MailFailed || !isRefusal(error)) throw error
    throw new MailFailed('folder', await describeFolders(client))
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'responseStatus' in error && error.responseStatus === 'NO'

const describeFolders = async (client: ImapFlow): Promise<string> => {
  const folders = await client.list().catch(() => [])
  const names = folders
    .filter(({ flags }) => !flags.has('\\Noselect'))
    .map(({ path }) => `“${path.replace(/[\p{Cc}“”]/gu, ' ').slice(0, 100)}”`)
  const more = names.length > maxNamedFolders ? ` and ${names.length - maxNamedFolders} more` : ''
  const list = names.slice(0, maxNamedFolders).join(', ')
  return `the folder does not exist${list === '' ? '' : `; its folders are ${list}${more}`}`
}

const waitForNews = async (client: ImapFlow, ms: number, signal: AbortSignal): Promise<void> => {
  let stop = () => {}
  const news = new Promise<void>((resolve) => {
    stop = resolve
  })
  const timer = setTimeout(stop, ms)
  for (const event of ['exists', 'close'] as const) client.on(event, stop)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  // Ends with the next command, or when the connection closes.
  client.idle().then(undefined, stop)
  await news
  clearTimeout(timer)
  for (const event of ['exists', 'close'] as const) client.off(event, stop)
  signal.removeEventListener('abort', stop)
  await client.noop()
  if (!client.usable) throw new MailFailed('unreachable', closedReason)
}

const withTimeout = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new MailFailed('unreachable', 'it does not answer in time')), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
  }
}

const closedReason = 'it closed the connection'

const reasons: Readonly<Record<string, readonly [MailFailed['kind'], string]>> = {
  ENOTFOUND: ['unreachable', 'there is no server with this name'],
  EAI_AGAIN: ['unreachable', 'its name could not be resolved; check the network'],
  ECONNREFUSED: ['unreachable', 'it accepts no connection at this port'],
  EHOSTUNREACH: ['unreachable', 'it cannot be reached'],
  ENETUNREACH: ['unreachable', 'it cannot be reached'],
  ETIMEDOUT: ['unreachable', 'it does not answer in time'],
  ETIMEOUT: ['unreachable', 'it does not answer in time'],
  CONNECT_TIMEOUT: ['unreachable', 'it does not answer in time'],
  GREETING_TIMEOUT: ['unreachable', 'it does not answer in time; the port may expect another encryption'],
  UPGRADE_TIMEOUT: ['unreachable', 'it does not answer in time'],
  EPROTO: ['certificate', 'it does not speak TLS at this port; choose STARTTLS, or another port'],
  ERR_SSL_WRONG_VERSION_NUMBER: [
    'certificate',
    'it does not speak TLS at this port; choose STARTTLS, or another port',
  ],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: [
    'certificate',
    'it does not speak TLS at this port; choose STARTTLS, or another port',
  ],
  CERT_HAS_EXPIRED: ['certificate', 'its certificate has expired'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['certificate', 'its certificate is for another name'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['certificate', 'its certificate is signed by itself'],
  SELF_SIGNED_CERT_IN_CHAIN: ['certificate', 'its certificate is signed by an unknown authority'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['certificate', 'its certificate is signed by an unknown authority'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['certificate', 'its certificate is signed by an unknown authority'],
  STARTTLS_INJECTION: ['certificate', 'its encryption was manipulated'],
  LineTooLarge: ['answer', 'its answer is too large'],
  LiteralTooLarge: ['answer', 'its answer is too large'],
  ResponseTooLarge: ['answer', 'its answer is too large'],
  TooManyTokens: ['answer', 'its answer is too large'],
  TooManyResponses: ['answer', 'its answer is too large'],
}

/** Leaves out the text of the server, which could repeat the password. */
const toFailure = (error: unknown, { security }: MailboxAddress): MailFailed => {
  if (error instanceof MailFailed) return error
  if (!(error instanceof Error)) return new MailFailed('answer', 'reading it failed')
  if ('authenticationFailed' in error && error.authenticationFailed)
    return new MailFailed(
      'login',
      'the server refuses the user name or the password; many providers need an app password here',
    )
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  if (reason) return new MailFailed(...reason)
  if (code.startsWith('CERT_') || code.startsWith('ERR_TLS'))
    return new MailFailed('certificate', 'its certificate is not valid')
  if (security === 'starttls' && 'tlsFailed' in error && error.tlsFailed)
    return new MailFailed('certificate', 'it offers no STARTTLS; choose TLS and its port, mostly 993')
  if (code === 'NoConnection' || code.includes('Closed') || code === 'ECONNRESET' || code === 'EPIPE')
    return new MailFailed('unreachable', closedReason)
  return new MailFailed('answer', 'it does not answer as a mail server does')
}
