/** Reads plain text in any common encoding. */
import { createReadStream } from 'node:fs'
import { decodeChunks } from './encodings.ts'
import { type Limits, Unreadable } from './limits.ts'
import type { Paper } from './paper.ts'
import { findEncoding, guessNote } from './text-encoding.ts'
import { takeSample } from './text-sample.ts'

const chunkBytes = 256 * 1024

/** Writes the text unchanged, except for line ends. `encoding`: the encoding that the user names. */
export const readPlain = async (
  path: string,
  { characters }: Limits,
  paper: Paper,
  encoding?: string,
): Promise<void> => {
  const open = (): AsyncIterable<Buffer> => createReadStream(path, { highWaterMark: chunkBytes })
  const textEncoding = await findEncoding(await takeSample(open()), encoding)
  if (!textEncoding) throw new Unreadable('not_text')
  const note = guessNote(textEncoding, 'file')
  if (note) paper.note(note)
  let text = ''
  for await (const piece of decodeChunks(open(), textEncoding.label)) {
    if (piece.includes('\0')) throw new Unreadable('not_text')
    text += piece
    if (text.length > characters) break
  }
  if (text.includes('\ufffd')) paper.note(lostCharacters)
  paper.verbatim(text)
}

const lostCharacters = 'Some characters in it are damaged and show as \ufffd.'
