/** The secret of a channel: the token of a bot, or the session of a Matrix account as JSON. */
import type { ChannelKind } from '../facts/fact-values.ts'

/** The session of a Matrix account. */
export interface MatrixCredentials {
  /** Base URL of the client-server API, without a slash at its end. */
  readonly homeserver: string
  readonly token: string
  /** Null if the server named none. Then encryption is impossible. */
  readonly device: string | null
  /** `password`: the daemon began the session, and ends it when the channel is removed. */
  readonly login: 'token' | 'password'
  /**
   * Which addresses the homeserver may have (`packages/kit/network/zone.ts`): all if the user typed the
   * address, otherwise none nearer than the server that named it.
   */
  readonly zone: 'machine' | 'network' | 'internet'
}

/** Returns null if the stored text is damaged. */
export const parseMatrixCredentials = (secret: string): MatrixCredentials | null => {
  try {
    const session = JSON.parse(secret)
    return isSession(session) ? session : null
  } catch {
    return null
  }
}

const isSession = (value: unknown): value is MatrixCredentials => {
  if (typeof value !== 'object' || value === null) return false
  const { homeserver, token, device, login, zone } = value as Partial<
    Record<keyof MatrixCredentials, unknown>
  >
  return (
    typeof homeserver === 'string' &&
    typeof token === 'string' &&
    token !== '' &&
    (device === null || (typeof device === 'string' && device !== '')) &&
    (login === 'token' || login === 'password') &&
    (zone === 'machine' || zone === 'network' || zone === 'internet')
  )
}

export const formatMatrixCredentials = (credentials: MatrixCredentials): string => JSON.stringify(credentials)

/** Credentials in the raw record of a persona. */
export interface ChannelCredentials {
  readonly token: string
  /** Only of Matrix. */
  readonly homeserver?: string
}

/** Texts are empty if the secret is missing. */
export const toChannelCredentials = (kind: ChannelKind, secret: string | null): ChannelCredentials => {
  if (kind !== 'matrix') return { token: secret ?? '' }
  const { token = '', homeserver = '' } = (secret !== null && parseMatrixCredentials(secret)) || {}
  return { token, homeserver }
}

/** Returns the parts of a stored secret that must not appear in any text. */
export const listTokens = (kind: ChannelKind, secret: string): readonly string[] => {
  const session = kind === 'matrix' ? parseMatrixCredentials(secret) : null
  return session ? [secret, session.token] : [secret]
}
