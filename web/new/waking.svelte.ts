/** Creates and starts a persona. */
import type { Answer } from '../shared/answer.ts'
import * as api from '../shared/api.ts'
import { register } from '../shared/people.svelte.ts'
import type { Slot } from '../shared/shapes.ts'
import { words } from '../words/words.svelte.ts'

export interface NewPersona {
  readonly name: string
  readonly organs: Readonly<Partial<Record<Slot, api.OrganBody>>>
  readonly tokens?: Readonly<Record<string, string>>
  readonly character?: api.NewCharacter
  /** How often it writes by itself, and the zone of its quiet hours; null for that of the daemon. */
  readonly initiative?: { readonly level: string; readonly zone: string | null }
}

let busy = $state(false)

export const creation = {
  /**
   * True until `onArrived` has finished. The list already contains the new persona before that, so the screen
   * that creates it stays open.
   */
  get busy(): boolean {
    return busy
  },
}

/** Creates a persona. `onArrived` runs before the new persona is rendered. */
export const wake = async (
  { name, organs, tokens, character, initiative }: NewPersona,
  onArrived: (answer: Answer<api.Created>) => void | Promise<void>,
): Promise<void> => {
  busy = true
  const previousIds = idsNow()
  const answer = await api.create(name, organs, {
    ...tokens,
    ...(character && { character }),
    ...(initiative && { initiative: initiative.level }),
    ...(initiative?.zone && { initiative_zone: initiative.zone }),
  })
  if (answer.ok && answer.value.phrase) words.onReceived(answer.value.id, answer.value.phrase)
  // A persona that failed to start was created nevertheless, so the list is loaded in any case.
  await register.load()
  if (!answer.ok && (answer.failure.status ?? 500) >= 500)
    for (const id of idsNow()) if (!previousIds.has(id) && register.find(id)?.name === name) words.onLost(id)
  try {
    await onArrived(answer)
  } finally {
    busy = false
  }
}

const idsNow = (): ReadonlySet<string> => {
  const people = register.current()
  return new Set(people.phase === 'here' ? people.personas.map(({ id }) => id) : [])
}
