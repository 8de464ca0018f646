/** Uploads a form to the daemon. Its file is read while it is sent. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CommandFailed, exitCodes } from './exit-codes.ts'

type FormFile = { readonly field: string } & (
  | { readonly path: string }
  | { readonly name: string; readonly bytes: Buffer }
)

export interface Form {
  readonly file?: FormFile
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
  const { head, tail, content, size, type } = await frameForm(form)
  const headers = { 'content-type': type, 'content-length': head.length + size + tail.length }
  const request = await begin({
    method: form.method ?? 'POST',
    path,
    headers: { ...headers, ...form.headers },
  })
  const response = readResponse(request)
  request.write(head)
  const refusedFirst = response.then(
    () => null,
    () => null,
  )
  const wholeSent = pipeline(countBytes(content, size, onProgress), request, { end: false }).then(
    () => void request.end(tail),
    (error: NodeJS.ErrnoException) => error,
  )
  // The daemon may refuse before the whole file is sent. The refusal then counts.
  const sendError = await Promise.race([wholeSent, refusedFirst])
  if (sendError && /^(open|read)$/.test(sendError.syscall ?? '') && 'path' in sendError)
    throw new CommandFailed(`${sendError.path} cannot be read (${sendError.code})`, exitCodes.usage)
  return response
}

async function* countBytes(
  content: AsyncIterable<Buffer> | readonly Buffer[],
  size: number,
  onProgress: ((ratio: number) => void) | undefined,
) {
  let sentBytes = 0
  for await (const bytes of content) {
    yield bytes
    sentBytes += bytes.length
    onProgress?.(sentBytes / Math.max(size, 1))
  }
}

/** Frames the form by RFC 7578. Names are escaped as in browsers. */
const frameForm = async ({ file, fields }: Form) => {
  const { name, size, content } = await openContent(file)
  const boundary = `daimon-${Math.random().toString(36).slice(2)}${Date.now().toString(36)}`
  const parts = Object.entries(fields).map(
    ([field, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const label = name.replace(/[\r\n"]/g, (sign) => encodeURIComponent(sign))
  const fileHeader = file
    ? `--${boundary}\r\ncontent-disposition: form-data; name="${file.field}"; filename="${label}"\r\ncontent-type: application/octet-stream\r\n\r\n`
    : ''
  return {
    size,
    content,
    type: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(`${parts.join('')}${fileHeader}`),
    tail: Buffer.from(`${file ? '\r\n' : ''}--${boundary}--\r\n`),
  }
}

const openContent = async (file: FormFile | undefined) => {
  if (!file) return { name: '', size: 0, content: [] }
  if ('bytes' in file) return { name: file.name, size: file.bytes.length, content: [file.bytes] }
  const { path } = file
  const stats = await stat(path).catch(() => null)
  if (!stats?.isFile()) throw new CommandFailed(`there is no file ${path}`, exitCodes.usage)
  return { name: basename(path), size: stats.size, content: createReadStream(path) as AsyncIterable<Buffer> }
}
