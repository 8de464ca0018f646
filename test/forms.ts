/** Multipart forms as clients send them, byte by byte. */

export interface Part {
  readonly name: string
  /** The file name in the header; without one the part is a text. */
  readonly filename?: string
  readonly type?: string
  readonly content: string | Buffer
}

export interface SentForm {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

export const toForm = (parts: readonly Part[], boundary = 'frame'): SentForm => {
  const pieces = parts.flatMap(({ name, filename, type, content }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n`,
    ),
    Buffer.from(type === undefined ? '\r\n' : `Content-Type: ${type}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ])
  const body = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
  return {
    body,
    headers: {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': String(body.length),
    },
  }
}
