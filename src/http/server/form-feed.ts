/**
 * Texts of a form stay in memory until all of it is read: long ones are counted in the budget of all bodies.
 */
import type { Readable, Writable } from 'node:stream'
import { HttpRefused } from '../schema/refused.ts'
import { smallBody } from './body-reader.ts'

interface Counting {
  /** In UTF-16 units. */
  readonly maxTexts: number
  /** Waits until so many bytes are free. */
  readonly hold: (bytes: number) => Promise<unknown>
  /** Called once the form cannot be taken. */
  readonly fail: (error: Error) => void
}

/** Pipes the request into the parser, and stops while it waits for bytes of the budget. */
export const feedForm = (request: Readable, parser: Writable, { maxTexts, hold, fail }: Counting): void => {
  let texts = 0
  let isCounted = false
  const waitForRoom = async () => {
    request.unpipe(parser)
    await hold(maxTexts)
    request.pipe(parser)
  }
  parser.on('field', (_name: string, text: string | undefined) => {
    // A part in an encoding that the parser does not know has no text.
    texts += text?.length ?? 0
    if (texts > maxTexts)
      return fail(new HttpRefused({ code: 'body_too_large', what: 'form', most: maxTexts }))
    if (texts <= smallBody || isCounted) return
    isCounted = true
    void waitForRoom().catch(fail)
  })
  request.pipe(parser)
}
