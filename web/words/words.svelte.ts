/**
 * Whose 24 words nobody has confirmed yet: the daemon knows it, for every browser. The words are held by this
 * page alone, and are gone with it.
 */
import { SvelteMap } from 'svelte/reactivity'
import type { Answer } from '../shared/answer.ts'
import { answerTo, client, type Shape } from '../shared/client.ts'
import { phrases } from '../shared/held.ts'
import { keep, kept } from '../shared/keep.ts'
import { hear } from '../shared/system-line.ts'

interface Gate {
  readonly id: string
  /** It may be left for later without going elsewhere. */
  readonly mayWait: boolean
}

let gate = $state.raw<Gate | null>(null)

type PhraseState = Shape<'PhraseState'>
const states = new SvelteMap<string, PhraseState>()

/** What is held does not tell by itself that it has changed. */
const changes = new SvelteMap<string, number>()
const changed = (id: string) => changes.set(id, (changes.get(id) ?? 0) + 1)

const untold = 'untold'
const at = (id: string) => ({ params: { path: { persona_id: id } } })

const drop = (id: string) => {
  phrases.delete(id)
  changed(id)
}

/** Which words are in force, and whether somebody has them. */
const take = (id: string, state: PhraseState) => {
  const held = phrases.get(id)
  if (held?.recipient === '') phrases.set(id, { ...held, recipient: state.recipient })
  // Confirmed elsewhere, or made anew: the words held here open nothing to come.
  else if (held && (state.confirmed || held.recipient !== state.recipient)) drop(id)
  // What pages kept before the daemon knew.
  if (kept('words', id) !== untold || state.confirmed) keep('words', id, '')
  states.set(id, state)
}

const asked = new Map<string, number>()

/** An answer that was overtaken by a later question counts for nothing. */
const look = async (id: string): Promise<void> => {
  const mine = (asked.get(id) ?? 0) + 1
  asked.set(id, mine)
  const answer = await answerTo(client.GET('/api/persona/{persona_id}/phrase', at(id)))
  if (answer.ok && asked.get(id) === mine) take(id, answer.value)
}

hear(({ type, of, fact }) => {
  if (type === 'reset') for (const id of asked.keys()) void look(id)
  else if (asked.has(of) && (fact === 'PhraseChanged' || fact === 'PhraseConfirmed')) void look(of)
})

export const words = {
  look: (id: string): void => void look(id),
  /** Empty where this page does not hold them. */
  of(id: string): string {
    changes.get(id)
    return phrases.get(id)?.phrase ?? ''
  },
  isUnconfirmed(id: string): boolean {
    changes.get(id)
    return phrases.has(id) || states.get(id)?.confirmed === false
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
    phrases.set(id, { phrase, recipient: '' })
    keep('words', id, '')
    changed(id)
    void look(id)
  },
  /** They were made, and nobody was told. */
  lost(id: string): void {
    keep('words', id, untold)
    drop(id)
  },
  /** Somebody has those that are held here, or the ones in force where none are. */
  async confirm(id: string): Promise<Answer<PhraseState>> {
    const recipient = phrases.get(id)?.recipient || undefined
    const body = recipient === undefined ? {} : { recipient }
    const answer = await answerTo(
      client.POST('/api/persona/{persona_id}/phrase/confirm', { ...at(id), body }),
    )
    if (!answer.ok) {
      void look(id)
      return answer
    }
    drop(id)
    take(id, answer.value)
    if (gate?.id === id) gate = null
    return answer
  },
  /** Who brought them back has the words: the daemon knows. */
  restored(id: string): void {
    drop(id)
    void look(id)
  },
  open(id: string, { mayWait }: { readonly mayWait: boolean }): void {
    gate = { id, mayWait }
  },
  leave(): void {
    gate = null
  },
}
