/**
 * Reads the `charset` in the media type of a part. busboy drops the parameters of this header, and only its
 * private header parser has the whole header. If a version of busboy lacks this parser, parts have no charset
 * and their encodings are detected.
 */
import { MIMEType } from 'node:util'

interface HeaderParser {
  cb?: (header: Readonly<Record<string, readonly string[]>>) => void
}

/** Returns a function that returns the charset of the part whose header was read last. */
export const watchPartCharset = (parser: object): (() => string | null) => {
  let charset: string | null = null
  let current: HeaderParser | null = null
  const watchedHeaders = new WeakSet<HeaderParser>()
  const watch = (headers: HeaderParser) => {
    const { cb } = headers
    if (typeof cb !== 'function') return
    watchedHeaders.add(headers)
    headers.cb = (header) => {
      charset = getCharset(header['content-type']?.[0])
      cb(header)
    }
  }
  Object.defineProperty(parser, '_hparser', {
    get: () => current,
    set: (headers: HeaderParser | null) => {
      if (headers && !watchedHeaders.has(headers)) watch(headers)
      current = headers
    },
  })
  return () => charset
}

const getCharset = (type: string | undefined): string | null => {
  try {
    return type === undefined ? null : (new MIMEType(type).params.get('charset') ?? null)
  } catch {
    return null
  }
}
