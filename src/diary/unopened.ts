/** Why a diary cannot be opened. */

/**
 * `not_a_diary`: not an age file. `other_phrase`: another recipient, or a damaged header. `damaged`:
 * truncated, changed or malicious. `newer`: a later version of the format.
 */
export type DiaryTrouble = 'not_a_diary' | 'other_phrase' | 'damaged' | 'newer'

export class DiaryUnopened extends Error {
  override readonly name = 'DiaryUnopened'
  readonly code: DiaryTrouble
  constructor(code: DiaryTrouble, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.code = code
  }
}

/** Whether the error comes from the system, not from the file. */
export const isOfTheSystem = (error: unknown): boolean =>
  typeof (error as { syscall?: unknown } | null)?.syscall === 'string'
