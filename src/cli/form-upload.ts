/** Uploads a form to the daemon. Its file is read while it is sent. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CommandFailed, exitCodes } from './exit-codes.ts'

export type FormFile = { readonly field: string } & (
  | { readonly path: string }
  | { readonly name: string; readonly bytes: Buffer; readonly type?: string }
)

export interface Form {
  readonly file?: FormFile
  /** Further files, sent after `file`. */
  readonly otherFiles?: readonly FormFile[]
  readonly fields: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Default: POST. */
  readonly method?: 'POST' | 'PUT'
}

interface RequestFunctions {
  begin(options: RequestOptions): Promise<ClientRequest>
  waitForAnswer(request: ClientRequest): Promise<IncomingMessage>
}

interface Sending {
  readonly path: string
  readonly form: Form
  readonly onProgress: ((ratio: number) => void) | undefined
}

export const sendForm = async (
  { begin, waitForAnswer: readResponse }: RequestFunctions,
  { path, form, onProgress }: Sending,
): Promise<IncomingMessage> => {
  const { content, size, length, type } = await frameForm(form)
  const headers = { 'content-type': type, 'content-length': length }
  const request = await begin({
    method: form.method ?? 'POST',
    path,
    headers: { ...headers, ...form.headers },
  })
  const response = readResponse(request)
  const refusedFirst = response.then(
    () => null,
    () => null,
  )
  const wholeSent = pipeline(countBytes(content, size, onProgress), request, { end: false }).then(
    () => void request.end(),
    (error: NodeJS.ErrnoException) => error,
  )
  // The daemon may refuse before the whole file is sent. The refusal then counts.
  const sendError = await Promise.race([wholeSent, refusedFirst])
  if (sendError && /^(open|read)$/.test(sendError.syscall ?? '') && 'path' in sendError)
    throw new CommandFailed(`${sendError.path} cannot be read (${sendError.code})`, exitCodes.usage)
  return response
}

/** `totalBytes`: of all files. Counts also the bytes between them, which are few. */
async function* countBytes(
  content: AsyncIterable<Buffer>,
  totalBytes: number,
  onProgress: ((ratio: number) => void) | undefined,
) {
  let sentBytes = 0
  for await (const bytes of content) {
    yield bytes
    sentBytes += bytes.length
    onProgress?.(Math.min(1, sentBytes / Math.max(totalBytes, 1)))
  }
}

interface OpenedFile {
  readonly field: string
  readonly name: string
  readonly size: number
  readonly type: string
  readonly content: AsyncIterable<Buffer> | readonly Buffer[]
}

/** Frames the form by RFC 7578. Names are escaped as in browsers. */
const frameForm = async ({ file, otherFiles = [], fields }: Form) => {
  const files: OpenedFile[] = []
  for (const next of file ? [file, ...otherFiles] : otherFiles) files.push(await openContent(next))
  const boundary = `daimon-${Math.random().toString(36).slice(2)}${Date.now().toString(36)}`
  const head = Object.entries(fields)
    .map(
      ([field, value]) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
    )
    .join('')
  const parts = files.map((part) => ({ ...part, header: Buffer.from(toFileHeader(part, boundary)) }))
  const ends = { head: Buffer.from(head), tail: Buffer.from(`--${boundary}--\r\n`) }
  const size = files.reduce((sum, part) => sum + part.size, 0)
  const framing = parts.reduce((sum, { header }) => sum + header.length + lineEnd.length, 0)
  return {
    size,
    content: joinParts(ends, parts),
    type: `multipart/form-data; boundary=${boundary}`,
    length: ends.head.length + framing + size + ends.tail.length,
  }
}

const lineEnd = Buffer.from('\r\n')

const toFileHeader = ({ field, name, type }: OpenedFile, boundary: string): string => {
  const label = name.replace(/[\r\n"]/g, (sign) => encodeURIComponent(sign))
  return `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${label}"\r\ncontent-type: ${type}\r\n\r\n`
}

async function* joinParts(
  { head, tail }: { readonly head: Buffer; readonly tail: Buffer },
  parts: readonly (OpenedFile & { readonly header: Buffer })[],
): AsyncGenerator<Buffer> {
  yield head
  for (const { header, content } of parts) {
    yield header
    yield* content
    yield lineEnd
  }
  yield tail
}

const openContent = async (file: FormFile): Promise<OpenedFile> => {
  const { field } = file
  if ('bytes' in file) {
    const { name, bytes, type = unknownFileType } = file
    return { field, name, size: bytes.length, type, content: [bytes] }
  }
  const { path } = file
  const stats = await stat(path).catch(() => null)
  if (!stats?.isFile()) throw new CommandFailed(`there is no file ${path}`, exitCodes.usage)
  const content = createReadStream(path) as AsyncIterable<Buffer>
  return { field, name: basename(path), size: stats.size, type: unknownFileType, content }
}

const unknownFileType = 'application/octet-stream'
