/** The words of a file that is nothing but words. */
import { createReadStream } from 'node:fs'
import { TextDecoder } from 'node:util'
import { encodingOf } from './encoding.ts'
import { type Limits, Unreadable } from './limits.ts'
import type { Paper } from './paper.ts'

/**
 * UTF-8; UTF-16 where its first bytes say so, as some editors still write it. As it stands, but for line
 * ends.
 */
export const readPlain = async (path: string, { characters }: Limits, paper: Paper): Promise<void> => {
  let decoder: TextDecoder | undefined
  let text = ''
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true })
      const piece = decoder.decode(chunk, { stream: true })
      if (piece.includes('\0')) throw new Unreadable('not_text')
      text += piece
      if (text.length > characters) return paper.verbatim(text)
    }
    text += decoder?.decode() ?? ''
  } catch (error) {
    // Bytes that are no characters.
    throw error instanceof TypeError ? new Unreadable('not_text') : error
  }
  paper.verbatim(text)
}
