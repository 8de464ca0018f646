/** Why a diary cannot be opened. */

/**
 * `not_a_diary`: no age file. `other_phrase`: sealed for another phrase, or its first lines are damaged.
 * `damaged`: cut, changed, or made by somebody who wanted it to be so. `newer`: of a later version of the
 * service.
 */
export type DiaryTrouble = 'not_a_diary' | 'other_phrase' | 'damaged' | 'newer'

export class DiaryUnopened extends Error {
  override readonly name = 'DiaryUnopened'
  readonly code: DiaryTrouble
  constructor(code: DiaryTrouble, what: string, options?: ErrorOptions) {
    super(what, options)
    this.code = code
  }
}

/** A disk's refusal, and no word about the file. */
export const isOfTheSystem = (error: unknown): boolean =>
  typeof (error as { syscall?: unknown } | null)?.syscall === 'string'
