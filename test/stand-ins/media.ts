/** The smallest files of their types, and a check of file types. */

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
export const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
export const webp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')
export const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
)
/** One frame of silence. */
export const mp3 = Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(413)])
export const ogg = Buffer.concat([
  Buffer.from('OggS\0\x02'),
  Buffer.alloc(20),
  Buffer.from('\x01\x13OpusHead'),
])
export const webm = Buffer.concat([
  Buffer.from('1a45dfa3', 'hex'),
  Buffer.alloc(1),
  Buffer.from('4282847765626d', 'hex'),
])
export const wav = Buffer.concat([
  Buffer.from(
    'RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\xc0\x5d\0\0\x80\xbb\0\0\x02\0\x10\0data\0\0\0\0',
    'latin1',
  ),
])

/** Returns true if the bytes contradict the type. Supports the types that providers check. */
export const contradictsType = (mime: string, bytes: Buffer): boolean => {
  const beginning = beginnings[mime]
  return beginning !== undefined && !beginning.test(bytes.subarray(0, 16).toString('latin1'))
}

const beginnings: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF[\s\S]{4}WEBP/,
  'image/heic': /^[\s\S]{4}ftyphei[cx]/,
  'application/pdf': /^%PDF-/,
}
