/** The last message of each talk, for the list of personas and its order. */
import { SvelteMap } from 'svelte/reactivity'
import { conversation } from './api.ts'
import { keepCurrent } from './keep-current.ts'
import { seenPositions } from './seen.svelte.ts'
import type { Message, Persona } from './shapes.ts'

const messages = new SvelteMap<string, Message>()
const requests = new Map<string, number>()

/** Max hidden messages after the last one that is shown. */
const maxHidden = 10

export const lastMessages = {
  get: (id: string): Message | undefined => messages.get(id),
  load: async (id: string): Promise<void> => {
    const request = (requests.get(id) ?? 0) + 1
    requests.set(id, request)
    const answer = await conversation(id, undefined, maxHidden)
    const last = answer.ok
      ? answer.value.messages.findLast(({ hidden, asks, help }) => hidden === null && !asks && !help)
      : undefined
    // Responses may arrive out of order.
    if (!last || request !== requests.get(id)) return
    messages.set(id, last)
    // Messages from before this browser first saw the persona do not count as new.
    if (seenPositions.upTo(id) === null) seenPositions.note(id, last.id)
  },
  /**
   * Loads the messages now and after each turn, until the returned function is called. One after the other,
   * because the daemon may have to open the journal of each persona.
   */
  follow: (ids: readonly string[]): (() => void) => {
    let isStopped = false
    const stops = ids.map((id) =>
      keepCurrent(id, /^(Turn(Began|Ended)|Messages(Hidden|Shown))$/, () => void lastMessages.load(id)),
    )
    const loadAll = async () => {
      for (const id of ids) if (!isStopped && !messages.has(id)) await lastMessages.load(id)
    }
    void loadAll()
    return () => {
      isStopped = true
      for (const stop of stops) stop()
    }
  },
}

/** Returns the persona with the newest message first. Those without a message are last, in their order. */
export const sortByLastMessage = (personas: readonly Persona[]): readonly Persona[] => {
  const getTime = ({ id }: Persona) => Date.parse(messages.get(id)?.time ?? '') || 0
  return personas.toSorted((a, b) => getTime(b) - getTime(a))
}
