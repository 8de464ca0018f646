/** Finds a model file on the hub or in Ollama's registry, with the SHA-256 that it must have. */
import * as z from 'zod'
import type { Fetch, Network } from '../kit/network/network.ts'
import { NetworkError } from '../kit/network/network-error.ts'
import { getZone } from '../kit/network/zone.ts'
import { ModelError } from '../models/models.ts'
import type { ModelSource } from './model-names.ts'

export interface RemoteFile {
  readonly url: string
  readonly sha256: string
  /** Null if the hub does not report the size. */
  readonly bytes: number | null
}

export interface Hubs {
  /** Without a trailing slash, such as `https://huggingface.co`. */
  readonly hub: string
  readonly registry: string
}

export const usualHubs: Hubs = { hub: 'https://huggingface.co', registry: 'https://registry.ollama.ai' }

/** Throws ModelError if the file does not exist or its SHA-256 is unknown. */
export const findRemoteFile = async (
  source: Exclude<ModelSource, { kind: 'path' }>,
  { hub, registry }: Hubs,
  network: Network,
  signal: AbortSignal,
): Promise<RemoteFile> => {
  if (source.kind === 'ollama') return findInRegistry(source, registry, network, signal)
  const { repo, file, revision, row } = source
  const url = `${hub}/${repo}/resolve/${revision}/${file}`
  if (row) return { url, sha256: row.sha256, bytes: row.bytes }
  if (/-\d{5}-of-\d{5}\.gguf$/.test(file))
    throw new ModelError(
      `${file} is one part of a model that is split into several files. Choose a model in one file.`,
      true,
    )
  const response = await requestHead(network, url, signal)
  if (!isRedirect(response.status) && !response.ok) throw toStatusError(response.status, url)
  const { headers } = response
  const sha256 = /^(?:W\/)?"?([0-9a-f]{64})"?$/.exec(
    headers.get('x-linked-etag') ?? headers.get('etag') ?? '',
  )?.[1]
  if (sha256 === undefined)
    throw new ModelError(
      `${new URL(hub).host} does not report the SHA-256 of ${file}, so a download could not be verified. Choose a GGUF file.`,
      true,
    )
  const size = headers.get('x-linked-size')
  return { url, sha256, bytes: size && /^\d{1,15}$/.test(size) ? Number(size) : null }
}

/** Follows redirects on the same host, such as those of a renamed repository. */
const requestHead = async (network: Network, url: string, signal: AbortSignal): Promise<Response> => {
  let address = new URL(url)
  for (let hops = 0; ; hops += 1) {
    const init = { method: 'HEAD', redirect: 'manual', signal } as const
    const response = await request(network.remote, address.href, init)
    await response.body?.cancel()
    const location = response.headers.get('location') ?? ''
    const isMoved = isRedirect(response.status) && !response.headers.has('x-linked-etag')
    if (!isMoved || hops === 3 || !URL.canParse(location, address.href)) return response
    const next = new URL(location, address)
    if (next.origin !== address.origin) return response
    address = next
  }
}

const Manifest = z.object({
  layers: z.array(
    z.object({
      mediaType: z.string(),
      digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
      size: z.int().positive(),
    }),
  ),
})

const findInRegistry = async (
  { model, tag }: Extract<ModelSource, { kind: 'ollama' }>,
  registry: string,
  network: Network,
  signal: AbortSignal,
): Promise<RemoteFile> => {
  const url = `${registry}/v2/${model}/manifests/${tag}`
  const response = await request(network.remote, url, {
    headers: { accept: 'application/vnd.docker.distribution.manifest.v2+json' },
    signal,
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw toStatusError(response.status, url)
  }
  const manifest = Manifest.safeParse(await response.json().catch(() => null))
  const layer = manifest.data?.layers.find(({ mediaType }) => mediaType.endsWith('.image.model'))
  if (!layer)
    throw new ModelError(
      `${new URL(registry).host} has no model file under ${model}:${tag}. Check the name.`,
      true,
    )
  return {
    url: `${registry}/v2/${model}/blobs/${layer.digest}`,
    sha256: layer.digest.slice('sha256:'.length),
    bytes: layer.size,
  }
}

/** Sends a request and follows redirects. Only the first address is trusted: it comes from the user. */
export const fetchFollowing = async (
  network: Network,
  url: string,
  init: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
): Promise<Response> => {
  const zone = getZone(url)
  let address = new URL(url)
  let fetch = network.download
  for (let hops = 0; hops < 6; hops += 1) {
    const response = await request(fetch, address.href, { ...init, redirect: 'manual' })
    if (!isRedirect(response.status)) return response
    await response.body?.cancel()
    const location = response.headers.get('location') ?? ''
    if (!URL.canParse(location, address.href))
      throw new ModelError(`${address.host} redirects to an address that cannot be read.`, true)
    const next = new URL(location, address)
    if (!/^https?:$/.test(next.protocol) || (address.protocol === 'https:' && next.protocol !== 'https:'))
      throw new ModelError(
        `${address.host} redirects to ${next.protocol}//${next.host}, which is not encrypted. The download was stopped.`,
        true,
      )
    address = next
    fetch = network.getNamedFetch(zone, 'download')
  }
  throw new ModelError(`${new URL(url).host} redirects too often. The download was stopped.`, true)
}

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status)

/** Throws ModelError with the host only, because the address of a redirect may contain a signature. */
const request = async (fetch: Fetch, url: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, init)
  } catch (error) {
    throw toDownloadError(error, url)
  }
}

export const toDownloadError = (error: unknown, url: string): unknown => {
  if (!(error instanceof NetworkError)) return error
  const advice = error.advice === undefined ? '' : ` ${error.advice}`
  return new ModelError(
    `${new URL(url).host} could not be reached: ${error.message}.${advice}`,
    error.kind === 'barred',
  )
}

export const toStatusError = (status: number, url: string): ModelError => {
  const { host } = new URL(url)
  if (status === 404) return new ModelError(`${host} does not have this model. Check the name.`, true)
  if (status === 401 || status === 403)
    return new ModelError(`${host} gives this model only to users who are logged in (${status}).`, true)
  return new ModelError(`${host} answered with status ${status}. Try again later.`, status < 429)
}
