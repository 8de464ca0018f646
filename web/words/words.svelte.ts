/**
 * Whose 24 words nobody has confirmed yet. That alone is kept by this browser; the words are held by this
 * page, and are gone with it.
 */
import { SvelteMap } from 'svelte/reactivity'
import { phrases } from '../shared/held.ts'
import { keep, kept } from '../shared/keep.ts'
import { newKey } from '../shared/new-key.ts'

interface Gate {
  readonly id: string
  /** It may be left for later without going elsewhere. */
  readonly mayWait: boolean
}

let gate = $state.raw<Gate | null>(null)

/** Neither what is kept nor what is held tells by itself that it has changed. */
const changes = new SvelteMap<string, number>()
const changed = (id: string) => changes.set(id, (changes.get(id) ?? 0) + 1)

const untold = 'untold'
const prefix = 'daimon.words.'

addEventListener('storage', ({ key, newValue }) => {
  const id = key?.startsWith(prefix) ? key.slice(prefix.length) : ''
  if (!id) return
  // Confirmed in another tab, or made anew there: the words held here open nothing to come.
  if (newValue !== phrases.get(id)?.stamp) phrases.delete(id)
  changed(id)
})

export const words = {
  /** Empty where this page does not hold them. */
  of(id: string): string {
    changes.get(id)
    return phrases.get(id)?.phrase ?? ''
  },
  isUnconfirmed(id: string): boolean {
    changes.get(id)
    return phrases.has(id) || kept('words', id) !== ''
  },
  /** Nobody was ever told those that are in force. */
  wereTold(id: string): boolean {
    changes.get(id)
    return kept('words', id) !== untold
  },
  get gate(): Gate | null {
    return gate
  },
  /** They were told, this once. */
  received(id: string, phrase: string): void {
    const stamp = newKey()
    phrases.set(id, { phrase, stamp })
    keep('words', id, stamp)
    changed(id)
  },
  /** They were made, and nobody was told. */
  lost(id: string): void {
    phrases.delete(id)
    keep('words', id, untold)
    changed(id)
  },
  confirmed(id: string): void {
    phrases.delete(id)
    keep('words', id, '')
    changed(id)
    if (gate?.id === id) gate = null
  },
  open(id: string, { mayWait }: { readonly mayWait: boolean }): void {
    gate = { id, mayWait }
  },
  leave(): void {
    gate = null
  },
}
