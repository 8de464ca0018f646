/** What is kept of an authorization, as one text beside the other secrets. */
import * as z from 'zod'
import type { AuthStore } from './server-config.ts'

const Kept = z.looseObject({
  /** What was given for one address is sent to no other. */
  url: z.string(),
  /** The first authorization server that saw a client registered by hand. */
  issuer: z.string().optional(),
  /** As the server registered us, and the address of ours that it knows. */
  client: z.looseObject({ client_id: z.string(), issuer: z.string().optional() }).optional(),
  redirect: z.string().optional(),
  /** Where tokens come from, as it was found. */
  discovery: z.looseObject({ authorizationServerUrl: z.string() }).optional(),
  /** RFC 8707. */
  resource: z.string().optional(),
  tokens: z
    .looseObject({ access_token: z.string(), token_type: z.string(), refresh_token: z.string().optional() })
    .optional(),
  /** What the tokens are for, as it was told; else as it was asked for. */
  scope: z.string().optional(),
  /** Epoch milliseconds. */
  expires: z.number().optional(),
})
export type Kept = z.infer<typeof Kept>

export interface KeptAuthorization {
  read(): Promise<Kept>
  /** Changes these of its fields; what is undefined goes. */
  change(fields: Partial<{ [Name in keyof Kept]: Kept[Name] | undefined }>): Promise<void>
}

export const createKeptAuthorization = (store: AuthStore, url: string): KeptAuthorization => {
  let known: Kept | undefined
  const read = async (): Promise<Kept> => {
    known ??= parsed(await store.read(), url)
    return known
  }
  return {
    read,
    change: async (fields) => {
      const next = Kept.parse({ ...(await read()), ...fields })
      await store.write(JSON.stringify(next))
      known = next
    },
  }
}

/** What cannot be read counts as nothing: it is asked for again. */
const parsed = (text: string | null, url: string): Kept => {
  try {
    const kept = Kept.parse(JSON.parse(text ?? 'null'))
    return kept.url === url ? kept : { url }
  } catch {
    return { url }
  }
}
