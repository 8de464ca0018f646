/** GET /api/persona/{persona_id}/media/{filename} */

import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Response } from 'express'
import * as z from 'zod'
import { WordsFrom } from '../../../facts/fact-values.ts'
import { sniff, unknownType } from '../../../packages/documents/media-types.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { HttpRefused } from '../refused.ts'
import { alreadySent, route } from '../route.ts'
import { fileRefusal } from '../server/sent-files.ts'

export const MediaView = z
  .object({
    filename: z.string(),
    name: z.string(),
    mime: z.string(),
    url: z.string(),
    caption: z.string(),
    from: WordsFrom.exactOptional().describe('How the user got it, if it was forwarded from someone else.'),
    by: z.string().nullable().exactOptional(),
  })
  .meta({ id: 'MediaView' })

/** Ms without progress. Node disconnects a client that stops in the middle of a write at its second check. */
const stallTimeoutMs = 30_000

export const getMediaRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/media/{filename}',
  summary: 'A file of its conversation',
  description: 'The original bytes, with ranges. A damaged file is not served.',
  tag: 'Talk',
  reply: 'file',
  refuses: ['persona_unknown', 'file_unknown', 'range_unsatisfiable', 'media_damaged'],
  head: true,
  handle:
    ({ personas }) =>
    async ({ params: { persona_id: id, filename }, response }) => {
      requireListed(personas, id)
      const folder = dirname(await personas.mediaPath(id, filename))
      const path = await fileIn(folder, filename)
      // Also for a part of the file: damaged bytes are never served.
      if (!(await personas.isSoundFile(id, filename))) throw new HttpRefused({ code: 'media_damaged' })
      // The type is detected from the content, never from the name.
      await sendMediaFile(response, { folder, filename, type: (await sniff(path)) ?? unknownType })
      return alreadySent
    },
})

interface SentFile {
  readonly folder: string
  readonly filename: string
  /** Detected from the content. */
  readonly type: string
}

/** Sends a file of a persona. The browser shows pictures, audio and video, and saves anything else. */
export const sendMediaFile = async (
  response: Response,
  { folder, filename, type }: SentFile,
): Promise<void> => {
  const inline = /^(?:image|audio|video)\/(?!svg)/.test(type)
  if (!inline) response.attachment(filename)
  response.setHeader('Content-Type', type)
  // Prevents scripts in the file from running as part of our page.
  response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
  response.setTimeout(stallTimeoutMs)
  await send(response, folder, filename)
}

/** Finds a plain file in the folder. A link may point to another name in the folder, but not out of it. */
const fileIn = async (folder: string, filename: string): Promise<string> => {
  if (filename.startsWith('.') || basename(filename) !== filename || /[\\\0]/.test(filename))
    throw createAbsent()
  try {
    const [home, path] = await Promise.all([realpath(folder), realpath(join(folder, filename))])
    if (dirname(path) === home && (await stat(path)).isFile()) return path
  } catch (error) {
    if (!isAbsence(error)) throw error
  }
  throw createAbsent()
}

const send = (response: Response, folder: string, filename: string): Promise<void> =>
  new Promise((resolve, reject) => {
    response.sendFile(filename, { root: folder, dotfiles: 'deny', cacheControl: false }, (error) => {
      // After the headers are sent, the status cannot be changed.
      if (!error || response.headersSent || response.destroyed) return resolve()
      reject(toRefusal(error))
    })
  })

const toRefusal = (error: Error & { status?: unknown }): Error =>
  error.status === 404 || error.status === 403 ? createAbsent() : fileRefusal(error)

const isAbsence = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(String(error.code))

const createAbsent = (): HttpRefused => new HttpRefused({ code: 'file_unknown' })
