/** The selected events, for actions on several at once. */
import { SvelteMap } from 'svelte/reactivity'
import type { JournalLine } from '../shared/journal-lines.ts'
import { getRow } from './fact-kinds.ts'

/** The checkboxes of the list belong to the form below it: Enter on any of them submits the form. */
export const chosenFormId = 'chosen-lines'

export const holdsWords = ({ type, erased }: JournalLine): boolean =>
  getRow(type).words !== undefined && !erased

export class ChosenLines {
  /** True while the user is selecting. */
  isChoosing = $state(false)
  /** By sequence number. A change of the filter keeps the selection. */
  readonly #lines = new SvelteMap<number, JournalLine>()

  /** Newest first, as in the list. */
  get all(): readonly JournalLine[] {
    return [...this.#lines.values()].sort((a, b) => b.seq - a.seq)
  }

  has({ seq }: JournalLine): boolean {
    return this.#lines.has(seq)
  }

  set(line: JournalLine, isChosen: boolean): void {
    if (isChosen) this.#lines.set(line.seq, line)
    else this.#lines.delete(line.seq)
  }

  /** Deselects lines whose text has been erased elsewhere. */
  update(lines: readonly JournalLine[]): void {
    for (const line of lines) if (!holdsWords(line)) this.#lines.delete(line.seq)
  }

  end(): void {
    this.isChoosing = false
    this.#lines.clear()
  }
}
