/** Names of files that a browser saves. */

/** Characters that a file system does not allow, or that are invisible. */
const forbiddenCharacters = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu

const maxCharacters = 80

/** Returns the text without what cannot be part of a file name. It may be empty. */
export const toFileName = (text: string): string =>
  [...text.replace(forbiddenCharacters, ' ').replace(/\s+/g, ' ')]
    .slice(0, maxCharacters)
    .join('')
    .replace(/^[. ]+/, '')
    .replace(/(?<![. ])[. ]+$/, '')

/**
 * Returns the header `Content-Disposition` of a file to save (RFC 6266). `fallback`: a name in ASCII, for
 * clients that do not read RFC 5987.
 */
export const toDisposition = (fallback: string, name: string): string =>
  `attachment; filename="${fallback}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
