/**
 * The `charset` of the media type of a part. busboy reads the header and drops its parameters, and no event
 * has them: its header parser, which is private, is the only place that has the whole header. With
 * another version of busboy that lacks this parser, parts have no charset, and encodings are detected.
 */
import { MIMEType } from 'node:util'

interface HeaderParser {
  cb?: (header: Readonly<Record<string, readonly string[]>>) => void
}

/** Returns a function that returns the charset of the part whose header was read last. */
export const watchPartCharset = (parser: object): (() => string | null) => {
  let charset: string | null = null
  let current: HeaderParser | null = null
  const watched = new WeakSet<HeaderParser>()
  const watch = (headers: HeaderParser) => {
    const { cb } = headers
    if (typeof cb !== 'function') return
    watched.add(headers)
    headers.cb = (header) => {
      charset = charsetOf(header['content-type']?.[0])
      cb(header)
    }
  }
  Object.defineProperty(parser, '_hparser', {
    get: () => current,
    set: (headers: HeaderParser | null) => {
      if (headers && !watched.has(headers)) watch(headers)
      current = headers
    },
  })
  return () => charset
}

const charsetOf = (type: string | undefined): string | null => {
  try {
    return type === undefined ? null : (new MIMEType(type).params.get('charset') ?? null)
  } catch {
    return null
  }
}
