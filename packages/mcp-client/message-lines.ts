/** Splits a byte stream into JSON messages, one per line, with a size limit. */
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { plainLine } from './trouble.ts'

export interface MessageLines {
  /** Returns the messages that are complete now, or false if a line is too large. */
  add(chunk: Buffer): readonly JSONRPCMessage[] | false
  /** Returns the last line that was not a message, masked and on one line; null if there was none. */
  readonly getStrangeLine: () => string | null
}

/** `parse` throws for an invalid message. `most`: max bytes of a line. */
export const createMessageLines = (
  parse: (line: string) => JSONRPCMessage,
  mask: (text: string) => string,
  maxBytes: number,
): MessageLines => {
  // Concatenated once per line, because concatenating at each chunk would copy a large message many times.
  let pieces: Buffer[] = []
  let size = 0
  let strangeLine: string | null = null

  const read = (line: Buffer): readonly JSONRPCMessage[] => {
    const text = line.toString('utf8').trim()
    if (text === '') return []
    try {
      return [parse(text)]
    } catch {
      // Mask before cutting, because the mask does not recognize half a secret.
      strangeLine = mask(plainLine(mask(text.slice(0, 10_000)), 200))
      return []
    }
  }
  const add = (chunk: Buffer): readonly JSONRPCMessage[] | false => {
    const messages: JSONRPCMessage[] = []
    let rest = chunk
    for (let newlineIndex = rest.indexOf(newline); newlineIndex >= 0; newlineIndex = rest.indexOf(newline)) {
      if (size + newlineIndex > maxBytes) return false
      messages.push(...read(Buffer.concat([...pieces, rest.subarray(0, newlineIndex)])))
      pieces = []
      size = 0
      rest = rest.subarray(newlineIndex + 1)
    }
    size += rest.length
    if (size > maxBytes) return false
    if (rest.length > 0) pieces.push(rest)
    return messages
  }
  return { add, getStrangeLine: () => strangeLine }
}

const newline = 0x0a
