/** Messages out of a stream of bytes, one on each line, none larger than is taken. */
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { plainLine } from './trouble.ts'

export interface MessageLines {
  /** Returns the messages that are whole now; false once a line is larger than is taken. */
  add(chunk: Buffer): readonly JSONRPCMessage[] | false
  /** The last line that was no message, masked and made plain; null where all were. */
  readonly strange: () => string | null
}

/** `parse` throws for what is no message. `most`: bytes of a line. */
export const createMessageLines = (
  parse: (line: string) => JSONRPCMessage,
  mask: (text: string) => string,
  most: number,
): MessageLines => {
  // Put together once: to do it with each chunk would copy a large message a thousand times.
  let pieces: Buffer[] = []
  let size = 0
  let strange: string | null = null

  const read = (line: Buffer): readonly JSONRPCMessage[] => {
    const text = line.toString('utf8').trim()
    if (text === '') return []
    try {
      return [parse(text)]
    } catch {
      // Masked before it is cut: half a secret is known to no mask.
      strange = mask(plainLine(mask(text.slice(0, 10_000)), 200))
      return []
    }
  }
  const add = (chunk: Buffer): readonly JSONRPCMessage[] | false => {
    const messages: JSONRPCMessage[] = []
    let rest = chunk
    for (let at = rest.indexOf(newline); at >= 0; at = rest.indexOf(newline)) {
      if (size + at > most) return false
      messages.push(...read(Buffer.concat([...pieces, rest.subarray(0, at)])))
      pieces = []
      size = 0
      rest = rest.subarray(at + 1)
    }
    size += rest.length
    if (size > most) return false
    if (rest.length > 0) pieces.push(rest)
    return messages
  }
  return { add, strange: () => strange }
}

const newline = 0x0a
