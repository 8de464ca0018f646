/**
 * The recovery words that the user has not confirmed. The daemon knows the state for every browser; the words
 * exist only in this page and are lost with it.
 */
import { SvelteMap } from 'svelte/reactivity'
import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { type HeldPhrase, phrases } from '../shared/held.ts'
import { readStorage, writeStorage } from '../shared/local-storage.ts'
import type { Shape } from '../shared/shapes.ts'
import { subscribe } from '../shared/system-line.ts'

/** The persona whose recovery words are shown in place of its room. */
let gate = $state.raw<string | null>(null)

type PhraseState = Shape<'PhraseState'>
const states = new SvelteMap<string, PhraseState>()

/** `phrases` is not reactive, so changes are counted by persona id. */
const changes = new SvelteMap<string, number>()
const markChanged = (id: string) => changes.set(id, (changes.get(id) ?? 0) + 1)

const unshown = 'untold'
/** One week. */
const postponementMs = 7 * 24 * 3_600_000
const createParams = (id: string) => ({ params: { path: { persona_id: id } } })

const drop = (id: string) => {
  phrases.delete(id)
  markChanged(id)
}

/** Applies the daemon's state: the current recovery words, and if they are confirmed. */
const applyState = (id: string, state: PhraseState) => {
  const heldPhrase = phrases.get(id)
  // Confirmed elsewhere, or replaced by new words: the ones in this page are obsolete.
  if (heldPhrase && (state.confirmed || heldPhrase.recipient !== state.recipient)) drop(id)
  // Removes the entry of older versions of the page, which stored the state themselves.
  if (readStorage('words', id) !== unshown || state.confirmed) writeStorage('words', id, '')
  states.set(id, state)
}

const requests = new Map<string, number>()

/** Loads the state. Drops responses to older requests. */
const loadState = async (id: string): Promise<void> => {
  const request = (requests.get(id) ?? 0) + 1
  requests.set(id, request)
  const answer = await answerTo(client.GET('/api/persona/{persona_id}/phrase', createParams(id)))
  if (answer.ok && requests.get(id) === request) applyState(id, answer.value)
}

subscribe(({ type, of, fact }) => {
  if (type === 'reset') for (const id of requests.keys()) void loadState(id)
  else if (requests.has(of) && (fact === 'PhraseChanged' || fact === 'PhraseConfirmed')) void loadState(of)
})

export const words = {
  look: (id: string): void => void loadState(id),
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
    return readStorage('words', id) !== unshown
  },
  get gate(): string | null {
    return gate
  },
  /** Called with new recovery words, which the daemon sends only once. The user may look at them later. */
  onReceived(id: string, phrase: HeldPhrase): void {
    phrases.set(id, phrase)
    writeStorage('words', id, unshown)
    markChanged(id)
    void loadState(id)
  },
  /** Called when the recovery words are on the screen. */
  onShown(id: string): void {
    if (readStorage('words', id) === unshown) writeStorage('words', id, '')
  },
  /** Hides the reminder for a week, in this browser. */
  postpone(id: string): void {
    writeStorage('words-later', id, String(Date.now() + postponementMs))
    if (gate === id) gate = null
    markChanged(id)
  },
  isPostponed(id: string): boolean {
    changes.get(id)
    return Number(readStorage('words-later', id)) > Date.now()
  },
  /** Called if the recovery words were created, but the response with them was lost. */
  onLost(id: string): void {
    writeStorage('words', id, unshown)
    drop(id)
  },
  /** Confirms the words of this page, or the current ones if this page has none. */
  async confirm(id: string): Promise<Answer<PhraseState>> {
    const recipient = phrases.get(id)?.recipient
    const body = recipient === undefined ? {} : { recipient }
    const answer = await answerTo(
      client.POST('/api/persona/{persona_id}/phrase/confirm', { ...createParams(id), body }),
    )
    if (!answer.ok) {
      void loadState(id)
      return answer
    }
    drop(id)
    applyState(id, answer.value)
    if (gate === id) gate = null
    return answer
  },
  /** The user has typed the words to restore the persona, so they are confirmed. */
  onRestored(id: string): void {
    drop(id)
    void loadState(id)
  },
  open(id: string): void {
    gate = id
  },
  leave(): void {
    gate = null
  },
}
