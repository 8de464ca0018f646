/** Generates one picture from a description, and checks that the bytes are a picture. */
import * as z from 'zod'
import { NetworkError } from '../../kit/network/network-error.ts'
import { getZone, isLoopback, isNear } from '../../kit/network/zone.ts'
import { detectMediaType } from '../media-type.ts'
import { MindError } from '../mind.ts'
import type { Imagination } from '../sense-models.ts'
import type { Asked, Drawn, Posted } from './adapter.ts'
import type { Address } from './address.ts'
import { ask, keyHeader, lacksPath, toUsage, unable, unableAt } from './asking.ts'
import { quote, toModelError, toRefusalError } from './failures.ts'
import { getAdapter } from './provider-table.ts'
import type { At } from './read-address.ts'

/** Makes no request by itself. */
export const createImagination = (target: At): Imagination => ({
  draw: async (wish, signal) => {
    const unableError = unableAt('Imagination', target.provider)
    if (unableError) throw unableError
    const description = wish.trim()
    if (!description) throw new MindError('refused', 'There is nothing to draw.', { calls: 0 })
    return ask(target, signal, async (connection) => {
      const adapter = await getAdapter(connection.address.service)
      const picture = await (adapter.draw ?? atOpenAi)(connection, description)
      if (!picture) throw undrawn(connection.context.model)
      const { bytes, input, output } = picture
      const mime = await checkPicture(bytes, connection)
      return { bytes, mime, usage: toUsage({ input, output, made: { unit: 'image', count: 1 } }) }
    })
  },
})

const maxBytes = 20 * 1024 * 1024

const checkPicture = async (bytes: Uint8Array, { address: { title, at } }: Asked): Promise<string> => {
  const mime = await detectMediaType(bytes)
  if (!mime || !['image/png', 'image/jpeg', 'image/webp', 'image/gif'].includes(mime))
    throw new MindError(
      'refused',
      `${title} at ${at} answered with ${mime ?? 'something'} instead of a picture (PNG, JPEG, WebP or GIF).`,
    )
  if (bytes.byteLength > maxBytes)
    throw new MindError(
      'refused',
      `${title} at ${at} drew a picture of more than 20 MiB, which is too large.`,
    )
  return mime
}

const undrawn = (model: string | null) =>
  new MindError(
    'refused',
    `"${model}" would not draw this. Rephrase it, or choose another model for its Imagination.`,
  )

const Answer = z.object({
  data: z.array(
    z.object({
      b64_json: z.string().nullish(),
      url: z.string().nullish(),
      /** xAI: false if the picture was withheld. */
      respect_moderation: z.boolean().nullish(),
    }),
  ),
  usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).partial().nullish().catch(null),
})

/**
 * For OpenAI, xAI and compatible servers. Makes the request itself, because the libraries request a response
 * format that some servers refuse, and follow any address in an answer.
 */
const atOpenAi = async (connection: Asked, prompt: string): Promise<Drawn | undefined> => {
  const { address, context } = connection
  const response = await request(connection, prompt)
  if ('refusal' in response) {
    if (lacksPath(response.refusal))
      throw unable('Imagination', `${address.title} at ${address.at} has no /images/generations.`)
    throw toRefusalError(response.refusal, context)
  }
  const answer = Answer.safeParse(response.value).data
  if (!answer)
    throw response.value === undefined ? toUnreadableError(address) : toModelError(response.value, context)
  const [picture] = answer.data
  if (!picture || picture.respect_moderation === false) return undefined
  const { b64_json: text, url } = picture
  const bytes = text ? decodeBase64(text) : url ? await fetchPicture(connection, url) : undefined
  return bytes && { bytes, input: answer.usage?.input_tokens, output: answer.usage?.output_tokens }
}

const toUnreadableError = ({ title, at }: Address) =>
  new MindError('unreachable', `${title} at ${at} answered in a way that cannot be read. Check the address.`)

/**
 * Newer models of OpenAI always return the picture itself and refuse `response_format`. All others need it.
 */
const request = async ({ context, post }: Asked, prompt: string): Promise<Posted> => {
  const body = { model: context.model, prompt, n: 1 }
  if (/(^|\/)(gpt|chatgpt)-image-/.test(context.model ?? '')) return post('/images/generations', body)
  const result = await post('/images/generations', { ...body, response_format: 'b64_json' })
  const isFormatRefused =
    'refusal' in result &&
    [400, 422].includes(result.refusal.status) &&
    /response_format/.test(result.refusal.body)
  return isFormatRefused ? post('/images/generations', body) : result
}

const decodeBase64 = (text: string): Uint8Array => Buffer.from(text.replace(/^data:[^,]*,/, ''), 'base64')

/**
 * Fetches a picture from its address if this reveals nothing. The key is sent only to the original server.
 */
const fetchPicture = async ({ address, signal, network }: Asked, pictureUrl: string): Promise<Uint8Array> => {
  if (pictureUrl.startsWith('data:')) return decodeBase64(pictureUrl)
  const url = URL.canParse(pictureUrl, `${address.base}/`)
    ? new URL(pictureUrl, `${address.base}/`)
    : undefined
  const home = new URL(address.base)
  const host = quote(url?.host ?? '', address)
  const problem = `${address.title} at ${address.at} has drawn the picture, but`
  if (!url || !isOpen(url, home, address.near))
    throw new MindError('refused', `${problem} its address is not allowed${host && ` (${host})`}.`)
  try {
    const isSameOrigin = url.origin === home.origin
    // The server named the address, so it must be as public as the server itself.
    const fetch = isSameOrigin
      ? address.fetch
      : network.getNamedFetch(getZone(home), address.near ? 'local' : 'remote')
    const response = await fetch(url, { headers: isSameOrigin ? keyHeader(address) : {}, signal })
    if (response.ok) return new Uint8Array(await response.arrayBuffer())
    await response.body?.cancel()
    throw new NetworkError(`the answer was ${response.status}`)
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    // Not retried, because the picture would be generated and paid for again.
    throw new MindError('refused', `${problem} it could not be fetched from ${host}: ${error.message}.`)
  }
}

/**
 * Allows the server itself; this machine for a server on this machine; other hosts over TLS; addresses in the
 * daemon only for a server in the daemon.
 */
const isOpen = (url: URL, home: URL, isHomeNear: boolean): boolean => {
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return false
  if (url.origin === home.origin || (isLoopback(url.hostname) && isLoopback(home.hostname))) return true
  return url.protocol === 'https:' && (isHomeNear || !isNear(url.hostname))
}
