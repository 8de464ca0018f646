/** The syntax of iCalendar (RFC 5545): folded lines, escaped text, times. */

/** In octets, without the line end (3.1). */
const maxLineOctets = 75

/** Ends with CRLF. Continued lines begin with a space; multibyte characters stay whole. */
export const contentLine = (line: string): string => {
  let foldedText = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > maxLineOctets) {
      foldedText += '\r\n '
      octets = 1
    }
    foldedText += character
    octets += size
  }
  return `${foldedText}\r\n`
}

/** A value of type TEXT (3.3.11). Control characters that are not allowed become spaces. */
export const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, ' ')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** Formats a wall time: `20261124T090000`. */
export const localTime = (wall: string): string => wall.slice(0, 19).replace(/[-:]/g, '')

/** Formats epoch milliseconds: `20261124T080000Z`. */
export const utcTime = (epoch: number): string => `${localTime(new Date(epoch).toISOString())}Z`
