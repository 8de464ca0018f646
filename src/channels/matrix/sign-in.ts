/** Signs in to a Matrix account, finds out which account a token belongs to, and signs out again. */
import * as z from 'zod'
import type { DiscreetLog } from '../../../packages/kit/log.ts'
import type { Network } from '../../../packages/kit/network/network.ts'
import { NetworkError } from '../../../packages/kit/network/network-error.ts'
import { readLimited } from '../../../packages/kit/network/read-limited.ts'
import {
  formatMatrixCredentials,
  type MatrixCredentials,
  parseMatrixCredentials,
} from '../../../projections/channel-credentials.ts'
import { type Bot, type GivenCredentials, TokenRefused } from '../../commands/bots.ts'
import type { Platform } from '../platform.ts'
import { discoverHomeserver, type Homeserver } from './discover-homeserver.ts'

export type SignIn = Required<Pick<Platform, 'signIn' | 'signOut' | 'check'>>

/** Timeout of one request in ms. */
const maxWaitMs = 10_000
const maxBytes = 256 * 1024
/** Max UTF-16 units of a reason that a server gives. */
const maxReasonLength = 200

/** Max UTF-16 units of a user name and of a password. */
const maxTypedLength = 512

const Token = z.string().regex(/^[\x21-\x7e]{1,4096}$/)
/** https://spec.matrix.org/v1.16/appendices/#user-identifiers. Max 255 bytes. */
const UserId = z
  .string()
  .max(255)
  .regex(/^@[^:\s\p{Cc}]*:[^\s\p{Cc}/?#]+$/u)
const Device = z.string().min(1).max(255)
const Session = z.object({ user_id: UserId, access_token: Token, device_id: Device })
const Account = z.object({ user_id: UserId, device_id: Device.optional() })
const Failure = z.object({
  errcode: z.string(),
  error: z.string().catch(''),
  retry_after_ms: z.number().optional().catch(undefined),
})
type Failure = z.infer<typeof Failure>

interface Answer {
  readonly status: number
  readonly body: unknown
}

export const createSignIn = ({
  network,
  log,
}: {
  readonly network: Network
  readonly log: Pick<DiscreetLog, 'hide'>
}): SignIn => {
  const ask = async (
    { base, zone }: Homeserver,
    request: {
      readonly method: 'GET' | 'POST'
      readonly path: string
      readonly token?: string
      readonly body?: object
    },
    signal: AbortSignal,
  ): Promise<Answer> => {
    const { host } = new URL(base)
    try {
      const response = await network.getNamedFetch(zone)(`${base}/_matrix/client/v3${request.path}`, {
        method: request.method,
        headers: {
          ...(request.token !== undefined && { authorization: `Bearer ${request.token}` }),
          ...(request.body && { 'content-type': 'application/json' }),
        },
        ...(request.body && { body: JSON.stringify(request.body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]),
      })
      const bytes = await readLimited(response.body, maxBytes)
      return { status: response.status, body: bytes && parseJson(bytes) }
    } catch (error) {
      const reason = error instanceof NetworkError ? error.message : 'no answer came in time'
      throw new TokenRefused(`The homeserver could not be reached at ${host}: ${reason}.`)
    }
  }

  const askAccount = async (server: Homeserver, token: string, signal: AbortSignal) => {
    const answer = await ask(server, { method: 'GET', path: '/account/whoami', token }, signal)
    return readAnswer(Account, answer, server, unknownToken)
  }

  const signInByToken = async (server: Homeserver, givenToken: string, signal: AbortSignal) => {
    const token = Token.safeParse(givenToken.trim())
    if (!token.success) throw new TokenRefused('This is not an access token.')
    log.hide(token.data)
    const { device_id: device = null } = await askAccount(server, token.data, signal)
    return { ...toPlace(server), token: token.data, device, login: 'token' } as const
  }

  const signInByPassword = async (
    server: Homeserver,
    { user, password }: { readonly user: string; readonly password: string },
    signal: AbortSignal,
  ) => {
    log.hide(password)
    const body = {
      type: 'm.login.password',
      identifier: { type: 'm.id.user', user },
      password,
      initial_device_display_name: 'Daimon',
    }
    const answer = await ask(server, { method: 'POST', path: '/login', body }, signal)
    const session = readAnswer(Session, answer, server, wrongPassword)
    log.hide(session.access_token)
    const { access_token: token, device_id: device } = session
    return { ...toPlace(server), token, device, login: 'password' } as const
  }

  return {
    signIn: async (given, signal) => {
      const wayIn = chooseWayIn(given)
      const server = await discoverHomeserver(given.homeserver || wayIn.homeserver, network, signal)
      const credentials: MatrixCredentials =
        'token' in wayIn
          ? await signInByToken(server, wayIn.token, signal)
          : await signInByPassword(server, wayIn, signal)
      return formatMatrixCredentials(credentials)
    },
    signOut: async (stored, signal) => {
      const credentials = parseMatrixCredentials(stored)
      if (credentials?.login !== 'password') return
      const { homeserver: base, zone, token } = credentials
      await ask({ base, zone }, { method: 'POST', path: '/logout', token, body: {} }, signal)
    },
    check: async (stored, signal): Promise<Bot> => {
      const credentials = parseMatrixCredentials(stored)
      if (!credentials) throw new TokenRefused('The saved session is damaged.')
      const { homeserver: base, zone, token } = credentials
      const { user_id: id } = await askAccount({ base, zone }, token, signal)
      return { id, name: id.slice(1) }
    },
  }
}

type WayIn =
  | { readonly homeserver: string; readonly token: string }
  | { readonly homeserver: string; readonly user: string; readonly password: string }

/** `homeserver`: the server in the user id, or empty. Throws TokenRefused. */
const chooseWayIn = ({ token = '', user = '', password = '' }: GivenCredentials): WayIn => {
  if (token.trim() !== '') {
    if (password !== '') throw new TokenRefused('Give an access token or a password, not both.')
    return { homeserver: '', token }
  }
  const name = user.trim()
  if (Math.max(name.length, password.length) > maxTypedLength) throw new TokenRefused(wrongPassword)
  if (name === '' || password === '')
    throw new TokenRefused('Give an access token, or a user name and a password.')
  return { homeserver: name.startsWith('@') && name.includes(':') ? name : '', user: name, password }
}

const toPlace = ({ base, zone }: Homeserver) => ({ homeserver: base, zone })

const unknownToken =
  'The homeserver does not know this access token. Copy it again, or sign in with a user name and a password.'
const wrongPassword = 'The homeserver refuses this user name or password.'

/** Throws TokenRefused. `denied`: the reason if the credentials are wrong. */
const readAnswer = <T extends z.ZodType>(
  schema: T,
  { status, body }: Answer,
  { base }: Homeserver,
  denied: string,
): z.output<T> => {
  if (status === 200) {
    const answer = schema.safeParse(body)
    if (answer.success) return answer.data
    throw new TokenRefused(`The server at ${new URL(base).host} does not answer like a Matrix homeserver.`)
  }
  const failure = Failure.safeParse(body)
  if (!failure.success)
    throw new TokenRefused(
      `The server at ${new URL(base).host} does not answer like a Matrix homeserver (status ${status}).`,
    )
  throw new TokenRefused(toReason(failure.data, status, denied))
}

const toReason = ({ errcode, error, retry_after_ms: waitMs }: Failure, status: number, denied: string) => {
  switch (errcode) {
    case 'M_UNKNOWN_TOKEN':
    case 'M_MISSING_TOKEN':
      return denied
    case 'M_FORBIDDEN':
      return denied
    case 'M_USER_DEACTIVATED':
      return 'This account was deactivated.'
    case 'M_LIMIT_EXCEEDED':
      return `The homeserver takes no more attempts now. Try again ${toTime(waitMs)}.`
    case 'M_UNRECOGNIZED':
    case 'M_UNKNOWN':
      if (denied === wrongPassword) return 'The homeserver takes no password here. Use an access token.'
  }
  const words = [...error.replace(/[\p{Cc}\s]+/gu, ' ').trim()].slice(0, maxReasonLength).join('')
  return `The homeserver refuses this (${status}${words === '' ? '' : `: ${words}`}).`
}

const toTime = (waitMs: number | undefined): string =>
  waitMs === undefined || !(waitMs >= 0 && waitMs < 86_400_000)
    ? 'in a while'
    : `in ${Math.max(1, Math.ceil(waitMs / 1000))} seconds`

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
