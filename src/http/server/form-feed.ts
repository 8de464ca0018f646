/**
 * Feeds a form into its parser. The texts of a form stay in memory until it is read, so long ones count
 * against the body budget.
 */
import type { Readable, Writable } from 'node:stream'
import { HttpRefused } from '../refused.ts'
import { smallBody } from './body-reader.ts'

interface FormFeedOptions {
  /** In UTF-16 units. */
  readonly maxTexts: number
  /** Waits until this many bytes are free. */
  readonly hold: (bytes: number) => Promise<unknown>
  /** Called when the form must be refused. */
  readonly fail: (error: Error) => void
}

/** Pipes the request into the parser, and pauses while it waits for bytes of the budget. */
export const feedForm = (
  request: Readable,
  parser: Writable,
  { maxTexts, hold, fail }: FormFeedOptions,
): void => {
  let texts = 0
  let isCounted = false
  const waitForRoom = async () => {
    request.unpipe(parser)
    await hold(maxTexts)
    request.pipe(parser)
  }
  parser.on('field', (_name: string, text: string | undefined) => {
    // The text is undefined if the parser does not know the encoding of a part.
    texts += text?.length ?? 0
    if (texts > maxTexts)
      return fail(new HttpRefused({ code: 'body_too_large', what: 'form', most: maxTexts }))
    if (texts <= smallBody || isCounted) return
    isCounted = true
    void waitForRoom().catch(fail)
  })
  request.pipe(parser)
}
