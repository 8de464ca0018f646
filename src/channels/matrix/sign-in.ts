/** Signs in to a Matrix account, finds out which account a token belongs to, and signs out again. */
import * as z from 'zod'
import type { DiscreetLog } from '../../../packages/kit/log.ts'
import type { Network } from '../../../packages/kit/network/network.ts'
import { createMatrixApi, createServer, type MatrixCall, MatrixError } from '../../../packages/matrix/api.ts'
import { formatMatrixCredentials, parseMatrixCredentials } from '../../../projections/channel-credentials.ts'
import { type GivenCredentials, TokenRefused } from '../../commands/bots.ts'
import type { Platform } from '../platform.ts'
import { discoverHomeserver, type Homeserver } from './discover-homeserver.ts'
import type { LoginPasswords } from './login-passwords.ts'

type SignIn = Required<Pick<Platform, 'signIn' | 'signOut' | 'check'>>

/** Timeout of one request in ms. */
const timeoutMs = 10_000
/** Max UTF-16 units of what a user types. */
const maxTypedLength = 512

const Token = z.string().regex(/^[\x21-\x7e]{1,4096}$/)
/** https://spec.matrix.org/v1.16/appendices/#user-identifiers. Max 255 bytes. */
const UserId = z
  .string()
  .max(255)
  .regex(/^@[^:\s\p{Cc}]*:[^\s\p{Cc}/?#]+$/u)
const Device = z.string().min(1).max(255)
const Session = z.object({ user_id: UserId, access_token: Token, device_id: Device })
const Account = z.object({ user_id: UserId, device_id: Device.nullish() })

interface Place {
  readonly homeserver: string
  readonly zone: Homeserver['zone']
}

export const createSignIn = ({
  network,
  log,
  passwords,
}: {
  readonly network: Network
  readonly log: Pick<DiscreetLog, 'hide'>
  readonly passwords: LoginPasswords
}): SignIn => {
  /** Throws MatrixError. */
  const ask = async <T extends z.ZodType>(
    { homeserver: base, zone, token }: Place & { readonly token: string | null },
    call: Pick<MatrixCall, 'method' | 'path' | 'body'>,
    answer: T,
    signal: AbortSignal,
  ): Promise<z.output<T>> => {
    const server = createServer(network, base, zone)
    const body = await createMatrixApi({ server, token }).call({ ...call, signal, timeoutMs })
    const parsedBody = answer.safeParse(body)
    if (parsedBody.success) return parsedBody.data
    throw new TokenRefused(`The server at ${new URL(base).host} does not answer like a homeserver.`)
  }
  const askAccount = (session: Place & { readonly token: string }, signal: AbortSignal) =>
    orRefused(unknownToken, () =>
      ask(session, { method: 'GET', path: '/_matrix/client/v3/account/whoami' }, Account, signal),
    )

  const signInByToken = async (place: Place, givenToken: string, signal: AbortSignal) => {
    const { success: isToken, data: token } = Token.safeParse(givenToken.trim())
    if (!isToken) throw new TokenRefused('This is not an access token.')
    log.hide(token)
    const { device_id: device = null } = await askAccount({ ...place, token }, signal)
    return { ...place, token, device, login: 'token' } as const
  }
  const signInByPassword = async (
    place: Place,
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
    const call = { method: 'POST', path: '/_matrix/client/v3/login', body } as const
    const session = await orRefused(wrongPassword, () =>
      ask({ ...place, token: null }, call, Session, signal),
    )
    const { access_token: token, device_id: device } = session
    passwords.add(token, password)
    return { ...place, token, device, login: 'password' } as const
  }

  return {
    signIn: async (credentials, signal) => {
      const { homeserver: address, ...way } = readGiven(credentials)
      const { base: homeserver, zone } = await discoverHomeserver(address, network, signal)
      const place = { homeserver, zone }
      return formatMatrixCredentials(
        'token' in way
          ? await signInByToken(place, way.token, signal)
          : await signInByPassword(place, way, signal),
      )
    },
    signOut: async (secret, signal) => {
      const session = parseMatrixCredentials(secret)
      if (session?.login !== 'password') return
      passwords.remove(session.token)
      const call = { method: 'POST', path: '/_matrix/client/v3/logout', body: {} } as const
      await ask(session, call, z.unknown(), signal)
    },
    check: async (secret, signal) => {
      const session = parseMatrixCredentials(secret)
      if (!session) throw new TokenRefused('The saved session is damaged.')
      const { user_id: id } = await askAccount(session, signal)
      return { id, name: id.slice(1) }
    },
  }
}

type Given =
  | { readonly homeserver: string; readonly token: string }
  | { readonly homeserver: string; readonly user: string; readonly password: string }

/** Throws TokenRefused. */
const readGiven = ({ homeserver = '', token = '', user = '', password = '' }: GivenCredentials): Given => {
  const name = user.trim()
  if (Math.max(homeserver.length, name.length, password.length) > maxTypedLength)
    throw new TokenRefused(
      `The address, the user name and the password have at most ${maxTypedLength} characters.`,
    )
  if (token.trim() !== '') {
    if (password !== '') throw new TokenRefused('Give an access token or a password, not both.')
    return { homeserver, token }
  }
  if (name === '' || password === '')
    throw new TokenRefused('Give an access token, or a user name and a password.')
  const isWhole = name.startsWith('@') && name.includes(':')
  return { homeserver: homeserver.trim() || (isWhole ? name : ''), user: name, password }
}

const unknownToken =
  'The homeserver does not know this access token. Copy it again, or sign in with a user name and a password.'
const wrongPassword = 'The homeserver refuses this user name or this password.'

/** Throws TokenRefused. `denial`: the sentence for wrong credentials. */
const orRefused = async <T>(denial: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof MatrixError)) throw error
    const isDenied = error.code === 'M_UNKNOWN_TOKEN' || error.code === 'M_FORBIDDEN'
    throw new TokenRefused(isDenied ? denial : `${error.message}${adviceFor(error, denial)}`)
  }
}

const adviceFor = ({ code, wait, status }: MatrixError, denial: string): string => {
  if (wait !== null) return ' Try again then.'
  const takesNoPassword = code === 'M_UNRECOGNIZED' || (code === 'M_UNKNOWN' && status === 400)
  return denial === wrongPassword && takesNoPassword
    ? ' It may take no passwords here: use an access token.'
    : ''
}
