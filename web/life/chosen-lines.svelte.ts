/** Happenings that were chosen, so that one thing can be done with all of them. */
import { SvelteMap } from 'svelte/reactivity'
import type { JournalLine } from '../shared/journal-lines.ts'
import { rowOf } from './fact-kinds.ts'

/** The boxes of the list belong to the form at its foot: Enter on any of them goes on with all. */
export const formOfChosen = 'chosen-lines'

export const holdsWords = ({ type, erased }: JournalLine): boolean =>
  rowOf(type).words !== undefined && !erased

export class ChosenLines {
  /** Whether anybody is choosing. */
  on = $state(false)
  /** By position. What is shown of another kind meanwhile stays chosen. */
  readonly #lines = new SvelteMap<number, JournalLine>()

  /** The newest first, as the list has them. */
  get all(): readonly JournalLine[] {
    return [...this.#lines.values()].sort((one, other) => other.seq - one.seq)
  }

  has({ seq }: JournalLine): boolean {
    return this.#lines.has(seq)
  }

  set(line: JournalLine, chosen: boolean): void {
    if (chosen) this.#lines.set(line.seq, line)
    else this.#lines.delete(line.seq)
  }

  /** Words of some may have been erased elsewhere: nothing is left to choose of them. */
  look(lines: readonly JournalLine[]): void {
    for (const line of lines) if (!holdsWords(line)) this.#lines.delete(line.seq)
  }

  end(): void {
    this.on = false
    this.#lines.clear()
  }
}
