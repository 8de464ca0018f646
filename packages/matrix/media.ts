/** Files on the homeserver: their addresses, uploads, and the largest upload. */
import * as z from 'zod'
import { encode, type MatrixApi, MatrixError, misunderstood } from './api.ts'

/** Returns the path of a file on the server, or null if the address is invalid. */
export const toMediaPaths = (mxc: string): { readonly path: string; readonly oldPath: string } | null => {
  const [, server, id] = /^mxc:\/\/([\w.[\]:-]{1,255})\/([\w-]{1,255})$/.exec(mxc) ?? []
  if (server === undefined || id === undefined) return null
  const rest = `${encode(server)}/${id}`
  return {
    path: `/_matrix/client/v1/media/download/${rest}`,
    oldPath: `/_matrix/media/v3/download/${rest}`,
  }
}

const Uploaded = z.object({ content_uri: z.string() })
const MediaConfig = z.object({ 'm.upload.size': z.number().nullable().optional() })

/** Returns the `mxc://` address. Rejects with MatrixError. */
export const uploadFile = async (
  api: MatrixApi,
  {
    bytes,
    type,
    name,
    signal,
  }: {
    readonly bytes: Uint8Array
    readonly type: string
    readonly name: string | null
    readonly signal: AbortSignal
  },
): Promise<string> => {
  const answer = await api.call({
    method: 'POST',
    path: '/_matrix/media/v3/upload',
    query: name === null ? {} : { filename: name },
    body: bytes,
    type,
    signal,
    timeoutMs: 10 * 60_000,
  })
  const { data } = Uploaded.safeParse(answer)
  if (!data) throw misunderstood()
  return data.content_uri
}

/** Returns the max bytes of an upload, or null if the server names no limit. */
export const requestMaxUpload = async (api: MatrixApi, signal: AbortSignal): Promise<number | null> => {
  for (const path of ['/_matrix/client/v1/media/config', '/_matrix/media/v3/config'])
    try {
      const { data } = MediaConfig.safeParse(await api.call({ method: 'GET', path, signal }))
      return data?.['m.upload.size'] ?? null
    } catch (error) {
      if (!(error instanceof MatrixError) || error.kind !== 'lasting') throw error
    }
  return null
}
