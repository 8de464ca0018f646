/** The stored state of an authorization, one text in the secrets file. */
import * as z from 'zod'
import type { AuthStore } from './server-config.ts'

const Kept = z.looseObject({
  /** Tokens of one address are never sent to another one. */
  url: z.string(),
  /** The first authorization server that received the manually registered client. */
  issuer: z.string().optional(),
  /** The registered client, and the redirect address of that registration. */
  client: z.looseObject({ client_id: z.string(), issuer: z.string().optional() }).optional(),
  redirect: z.string().optional(),
  /** The discovered authorization server. */
  discovery: z.looseObject({ authorizationServerUrl: z.string() }).optional(),
  /** RFC 8707. */
  resource: z.string().optional(),
  tokens: z
    .looseObject({ access_token: z.string(), token_type: z.string(), refresh_token: z.string().optional() })
    .optional(),
  /** The granted scopes if the server names them, else the requested ones. */
  scope: z.string().optional(),
  /** Epoch milliseconds. */
  expires: z.number().optional(),
})
export type Kept = z.infer<typeof Kept>

export interface KeptAuthorization {
  read(): Promise<Kept>
  /** Replaces these fields. Undefined removes a field. */
  change(fields: Partial<{ [Name in keyof Kept]: Kept[Name] | undefined }>): Promise<void>
}

export const createKeptAuthorization = (store: AuthStore, url: string): KeptAuthorization => {
  let cachedAuthorization: Kept | undefined
  const read = async (): Promise<Kept> => {
    cachedAuthorization ??= parseKept(await store.read(), url)
    return cachedAuthorization
  }
  return {
    read,
    change: async (fields) => {
      const next = Kept.parse({ ...(await read()), ...fields })
      await store.write(JSON.stringify(next))
      cachedAuthorization = next
    },
  }
}

/** Unreadable state counts as empty: the user is asked again. */
const parseKept = (text: string | null, url: string): Kept => {
  try {
    const state = Kept.parse(JSON.parse(text ?? 'null'))
    return state.url === url ? state : { url }
  } catch {
    return { url }
  }
}
