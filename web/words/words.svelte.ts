/**
 * The recovery words that the user has not confirmed. The daemon knows the state for every browser; the words
 * exist only in this page and are lost with it.
 */
import { SvelteMap } from 'svelte/reactivity'
import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { phrases } from '../shared/held.ts'
import { readStorage, writeStorage } from '../shared/local-storage.ts'
import type { Shape } from '../shared/shapes.ts'
import { subscribe } from '../shared/system-line.ts'

interface Gate {
  readonly id: string
  /** The user may postpone it without leaving the room. */
  readonly mayWait: boolean
}

let gate = $state.raw<Gate | null>(null)

type PhraseState = Shape<'PhraseState'>
const states = new SvelteMap<string, PhraseState>()

/** `phrases` is not reactive, so changes are counted by persona id. */
const changes = new SvelteMap<string, number>()
const changed = (id: string) => changes.set(id, (changes.get(id) ?? 0) + 1)

const untold = 'untold'
const at = (id: string) => ({ params: { path: { persona_id: id } } })

const drop = (id: string) => {
  phrases.delete(id)
  changed(id)
}

/** Applies the daemon's state: the current recovery words, and if they are confirmed. */
const take = (id: string, state: PhraseState) => {
  const held = phrases.get(id)
  if (held?.recipient === '') phrases.set(id, { ...held, recipient: state.recipient })
  // Confirmed elsewhere, or replaced by new words: the ones in this page are obsolete.
  else if (held && (state.confirmed || held.recipient !== state.recipient)) drop(id)
  // Removes the entry of older versions of the page, which stored the state themselves.
  if (readStorage('words', id) !== untold || state.confirmed) writeStorage('words', id, '')
  states.set(id, state)
}

const requests = new Map<string, number>()

/** Loads the state. Drops responses to older requests. */
const look = async (id: string): Promise<void> => {
  const mine = (requests.get(id) ?? 0) + 1
  requests.set(id, mine)
  const answer = await answerTo(client.GET('/api/persona/{persona_id}/phrase', at(id)))
  if (answer.ok && requests.get(id) === mine) take(id, answer.value)
}

subscribe(({ type, of, fact }) => {
  if (type === 'reset') for (const id of requests.keys()) void look(id)
  else if (requests.has(of) && (fact === 'PhraseChanged' || fact === 'PhraseConfirmed')) void look(of)
})

export const words = {
  look: (id: string): void => void look(id),
  /** Empty if this page does not have them. */
  of(id: string): string {
    changes.get(id)
    return phrases.get(id)?.phrase ?? ''
  },
  isUnconfirmed(id: string): boolean {
    changes.get(id)
    return phrases.has(id) || states.get(id)?.confirmed === false
  },
  /** False if the current recovery words were never shown. */
  wereShown(id: string): boolean {
    changes.get(id)
    return readStorage('words', id) !== untold
  },
  get gate(): Gate | null {
    return gate
  },
  /** Called with new recovery words, which the daemon sends only once. */
  received(id: string, phrase: string): void {
    phrases.set(id, { phrase, recipient: '' })
    writeStorage('words', id, '')
    changed(id)
    void look(id)
  },
  /** Called if the recovery words were created, but the response with them was lost. */
  lost(id: string): void {
    writeStorage('words', id, untold)
    drop(id)
  },
  /** Confirms the words of this page, or the current ones if this page has none. */
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
  /** The user has typed the words to restore the persona, so they are confirmed. */
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
