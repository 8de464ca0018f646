/** The form state of the seven organs of a new persona. */
import type { Failure } from '../shared/answer.ts'
import type { OrganBody } from '../shared/api.ts'
import { type Slot, slots } from '../shared/shapes.ts'
import { OrganChoice } from './organ-choice.svelte.ts'
import type { OrganPart } from './organ-trouble.ts'

const parts: readonly OrganPart[] = ['model', 'api_key', 'url']

export class OrganSet {
  readonly mind = new OrganChoice({ slot: 'thinking', required: true })
  /** All organs except the Mind. */
  readonly others: readonly OrganChoice[]

  constructor() {
    // The Mind's key is used for every organ of the same provider.
    const borrowKey = (provider: string) => {
      const { provider: mindProvider, url, api_key } = this.mind.at
      return mindProvider === provider && url === '' ? api_key : ''
    }
    this.others = slots
      .filter((slot) => slot !== 'thinking')
      .map((slot) => new OrganChoice({ slot, borrowKey }))
  }

  get all(): readonly OrganChoice[] {
    return [this.mind, ...this.others]
  }

  clear(): void {
    for (const choice of this.all) choice.clear()
  }

  /** Returns a message about the first missing field, or an empty string. */
  findProblem(): string {
    for (const choice of this.all) {
      const words = choice.findProblem()
      if (words) return words
    }
    return ''
  }

  /**
   * Marks the first field that the daemon rejected. `getFieldName` returns the daemon's name of a field.
   * Returns true if the field shows the whole error.
   */
  complain(
    failure: Failure,
    getFieldName = (slot: Slot, part: OrganPart): string => `${slot}_${part}`,
  ): boolean {
    if (failure.fault && this.all.some((choice) => choice.complain(failure))) return true
    const { fields } = failure
    for (const choice of this.all) {
      const part = parts.find((candidate) => fields[getFieldName(choice.slot, candidate)])
      if (!part) continue
      choice.wrongPart = part
      return false
    }
    return false
  }

  read(): Partial<Record<Slot, OrganBody>> {
    return Object.fromEntries(
      this.all.flatMap((choice) => {
        const organ = choice.read()
        return organ ? [[choice.slot, organ]] : []
      }),
    )
  }
}
