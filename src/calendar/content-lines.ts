/** The spelling of iCalendar, RFC 5545: lines that are folded, text that is escaped, times. */

/** Octets of a line, its end left out (3.1). */
const longestLine = 75

/** Ends with CRLF; continued lines begin with a space, and no character is cut in two. */
export const contentLine = (line: string): string => {
  let [folded, octets] = ['', 0]
  for (const character of line) {
    const more = Buffer.byteLength(character)
    if (octets + more > longestLine) {
      folded += '\r\n '
      octets = 1
    }
    folded += character
    octets += more
  }
  return `${folded}\r\n`
}

/** A value of the type TEXT (3.3.11). What must not stand in one, as a bell, becomes a space. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, ' ')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** `20261124T090000` of a wall time. */
export const localTime = (wall: string): string => wall.slice(0, 19).replace(/[-:]/g, '')

/** `20261124T080000Z` of epoch milliseconds. */
export const utcTime = (epoch: number): string => `${localTime(new Date(epoch).toISOString())}Z`
