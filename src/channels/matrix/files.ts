/** Files of messages: downloads those of others, and describes and uploads those of the persona. */
import { open } from 'node:fs/promises'
import * as z from 'zod'
import { isSizedType, readPictureSize } from '../../../packages/documents/picture-size.ts'
import { MatrixError } from '../../../packages/matrix/api.ts'
import { requestMaxUpload, toMediaPaths, uploadFile } from '../../../packages/matrix/media.ts'
import type { Connection } from '../../../packages/matrix/send-event.ts'
import { type IncomingFile, SendError, type SentFile } from '../platform.ts'
import { createVoiceMessage } from '../voice-message.ts'

const EncryptedFile = z.object({
  url: z.string(),
  key: z.record(z.string(), z.unknown()),
  iv: z.string(),
  hashes: z.record(z.string(), z.string()),
  v: z.string(),
})

export const FileContent = z
  .object({
    body: z.string().catch(''),
    filename: z.string().optional().catch(undefined),
    url: z.string().optional().catch(undefined),
    file: EncryptedFile.optional().catch(undefined),
    info: z.object({ mimetype: z.string().optional().catch(undefined) }).catch({}),
    'org.matrix.msc3245.voice': z.unknown().optional(),
    'm.voice': z.unknown().optional(),
  })
  .refine(({ url, file }) => url !== undefined || file !== undefined)
export type FileContent = z.infer<typeof FileContent>

export const createIncomingFile = (
  content: FileContent,
  connect: () => Promise<Connection>,
): IncomingFile => ({
  name:
    content.filename ||
    content.body ||
    `file.${/^\w+\/(\w+)/.exec(content.info.mimetype ?? '')?.[1] ?? 'bin'}`,
  voice: content['org.matrix.msc3245.voice'] !== undefined || content['m.voice'] !== undefined,
  from: 'person',
  by: null,
  bytes: (signal) => readFile(content, connect, signal),
})

async function* readFile(
  { url, file }: FileContent,
  connect: () => Promise<Connection>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const paths = toMediaPaths(file?.url ?? url ?? '')
  if (!paths) throw new SendError('The message gives no valid address for the file.', { lasting: true })
  const { decryptFile, FileDamaged } = await import('../../../packages/matrix/crypto/encrypted-file.ts')
  try {
    const { api } = await connect()
    const bytes = withFallback(api, paths, signal)
    yield* file ? decryptFile(bytes, file) : bytes
  } catch (error) {
    if (error instanceof FileDamaged) throw new SendError(`${error.message}.`, { lasting: true })
    throw error instanceof MatrixError
      ? new SendError(`The file could not be fetched: ${error.message}`, {
          lasting: error.kind === 'lasting',
          wait: error.wait,
        })
      : error
  }
}

/** Servers before version 1.11 of the specification have only the old path. */
async function* withFallback(
  api: Connection['api'],
  { path, oldPath }: { readonly path: string; readonly oldPath: string },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let hasBegun = false
  try {
    for await (const chunk of api.download(path, signal)) {
      hasBegun = true
      yield chunk
    }
  } catch (error) {
    const isUnknown =
      error instanceof MatrixError &&
      (error.code === 'M_UNRECOGNIZED' || (error.status === 404 && !error.code))
    if (hasBegun || !isUnknown) throw error
    yield* api.download(oldPath, signal)
  }
}

/** Files are read into memory, so larger ones are refused. */
const maxBytes = 100 * 1024 * 1024

const readBytes = async (path: string): Promise<Buffer> => {
  const handle = await open(path).catch(() => {
    throw new SendError('The file is not there any more.', { lasting: true })
  })
  try {
    if ((await handle.stat()).size > maxBytes)
      throw new SendError('The file is too large for Matrix: at most 100 MiB are sent.', { lasting: true })
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** Uploads a file, encrypted for an encrypted room. Returns the content of its message. */
export const createFileContent = async (
  { api }: Connection,
  file: SentFile,
  isEncrypted: boolean,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> => {
  const bytes = await readBytes(file.path)
  const maxUpload = await requestMaxUpload(api, signal)
  if (maxUpload !== null && bytes.length > maxUpload)
    throw new SendError('The file is too large for the homeserver.', { lasting: true })
  const description = describeFile(file, bytes)
  const base = { ...description, filename: file.name, 'm.mentions': {} }
  if (!isEncrypted) {
    const upload = { bytes, type: file.mime, name: file.name, signal }
    return { ...base, url: await uploadFile(api, upload) }
  }
  const { encryptFile } = await import('../../../packages/matrix/crypto/encrypted-file.ts')
  const { bytes: encrypted, file: key } = await encryptFile(bytes)
  const upload = { bytes: encrypted, type: 'application/octet-stream', name: null, signal }
  return { ...base, file: { ...key, url: await uploadFile(api, upload) } }
}

const describeFile = (
  { name, mime, caption, voice }: SentFile,
  bytes: Buffer,
): Readonly<Record<string, unknown>> => {
  const body = caption === '' ? name : caption
  const info = { mimetype: mime, size: bytes.length }
  if (/^image\//.test(mime)) {
    const size = isSizedType(mime) ? readPictureSize(bytes, mime) : undefined
    return { msgtype: 'm.image', body, info: { ...info, ...(size && { w: size.width, h: size.height }) } }
  }
  if (/^video\//.test(mime)) return { msgtype: 'm.video', body, info }
  if (!/^audio\//.test(mime)) return { msgtype: 'm.file', body, info }
  const recording = voice ? createVoiceMessage(bytes) : null
  if (!recording) return { msgtype: 'm.audio', body, info, ...(voice && { 'org.matrix.msc3245.voice': {} }) }
  const duration = Math.round(recording.seconds * 1000)
  // 0 to 1024 (MSC1767), from bytes of 0 to 255.
  const waveform = [...Buffer.from(recording.waveform, 'base64')].map((byte) => byte * 4)
  return {
    msgtype: 'm.audio',
    body,
    info: { ...info, duration },
    'org.matrix.msc1767.audio': { duration, waveform },
    'org.matrix.msc3245.voice': {},
  }
}
