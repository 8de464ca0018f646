/** The secret of a channel: the token of a bot, or the session of a Matrix account as JSON. */
import * as z from 'zod'
import type { ChannelKind } from '../journal/facts/fact-values.ts'

/** The session of a Matrix account. */
export const MatrixCredentials = z.object({
  /** Base URL of the client-server API, without a slash at its end. */
  homeserver: z.string(),
  token: z.string().min(1),
  /** Null if the server named none. Then encryption is impossible. */
  device: z.string().min(1).nullable(),
  /** `password`: the daemon began the session, and ends it when the channel is removed. */
  login: z.enum(['token', 'password']),
  /**
   * Which addresses the homeserver may have (`packages/kit/network/zone.ts`): all if the user typed the
   * address, otherwise none nearer than the server that named it.
   */
  zone: z.enum(['machine', 'network', 'internet']),
})
export type MatrixCredentials = z.infer<typeof MatrixCredentials>

/** Returns null if the stored text is damaged. */
export const parseMatrixCredentials = (secret: string): MatrixCredentials | null => {
  try {
    return MatrixCredentials.parse(JSON.parse(secret))
  } catch {
    return null
  }
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
