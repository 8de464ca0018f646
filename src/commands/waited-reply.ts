/** Waits for the reply to a message: the end of the turn that took it. */
import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import type { Log } from '../../packages/kit/log.ts'
import { type Clock, isoWithOffset } from '../../packages/kit/time/clock.ts'
import { type MediaView, toMessage } from '../../projections/conversation.ts'
import { inboxKey } from '../../projections/talk.ts'
import { type Bus, listen } from '../bus.ts'
import type { ExecuteResult, PersonaStore } from '../persona/persona-store.ts'
import { toWebChannel } from '../web-channel.ts'

export interface ReplyView {
  readonly id: Seq
  readonly content: string
  readonly media: MediaView | null
  readonly time: string
}

interface WaitOptions {
  readonly id: PersonaId
  /** Dedupe key. A message that was received before is found by it. */
  readonly key: string | null
  readonly seconds: number
  /** Cancels the wait. */
  readonly abortSignal: AbortSignal
  readonly send: () => Promise<ExecuteResult>
}

/** Returns null on timeout or when the persona is stopped. Removes its listener in any case. */
export const waitForReply = async (
  { bus, clock, log, personas }: { bus: Bus; clock: Clock; log: Log; personas: PersonaStore },
  { id, key, seconds, abortSignal, send }: WaitOptions,
): Promise<ReplyView | null> => {
  const endController = new AbortController()
  const end = () => endController.abort()
  const earlyEntries: Entry[] = []
  let takeEntry = (entry: Entry): void => void earlyEntries.push(entry)
  // Before sending, so that no turn is missed.
  const stop = listen(bus.commitsFrom(id), log, ({ entries }) => {
    for (const entry of entries) takeEntry(entry)
  })
  abortSignal.addEventListener('abort', end, { once: true })
  try {
    const { entries } = await send()
    const heardSeq =
      entries[0]?.seq ??
      (key === null ? undefined : await personas.read(id, ({ journal }) => journal.findByKey(key)))
    if (heardSeq === undefined) return null
    const turn = createTurnReader(id, heardSeq)
    const from = entries.length > 0 ? heardSeq : await replay(personas, id, heardSeq, turn.take)
    takeEntry = (entry) => {
      if (entry.seq <= from) return
      turn.take(entry)
      if (turn.reply() || stopsPersona(entry)) end()
    }
    earlyEntries.forEach(takeEntry)
    if (!turn.reply() && !abortSignal.aborted) await clock.wait(seconds * 1000, endController.signal)
    return turn.reply()
  } finally {
    stop()
    abortSignal.removeEventListener('abort', end)
  }
}

/** Set by a person: it does not answer until it is woken again. A status set by the daemon does not count. */
const stopsPersona = (entry: Entry): boolean => {
  if (entry.type === 'PersonaDeleted' || entry.type === 'StopAsked') return true
  const event = entry.type === 'StatusSet' ? entry.event : undefined
  return event?.type === 'StatusSet' && event.status !== 'active' && event.reason === null
}

/** Replays facts after a message. Returns the last position. */
const replay = (
  personas: PersonaStore,
  id: PersonaId,
  heardSeq: Seq,
  takeEntry: (entry: Entry) => void,
): Promise<Seq> =>
  personas.read(id, async ({ journal }) => {
    let last = heardSeq
    for await (const entry of journal.read({ after: heardSeq })) {
      takeEntry(entry)
      last = entry.seq
    }
    return last
  })

/** Follows the newest turn that took the message. A turn that could not reach the Mind puts it back. */
const createTurnReader = (id: PersonaId, heardSeq: Seq) => {
  const channel = inboxKey(toWebChannel(id))
  let turn: Seq | undefined
  let words: Entry[] = []
  let end: Entry | undefined
  return {
    take: (entry: Entry): void => {
      if (entry.type !== 'TurnBegan' && entry.type !== 'MessageSpoken' && entry.type !== 'TurnEnded') return
      const { event, seq } = entry
      if (
        event.type === 'TurnBegan' &&
        inboxKey(event.channel) === channel &&
        event.stimuli.after < heardSeq &&
        heardSeq <= event.stimuli.upTo
      ) {
        turn = seq
        words = []
        end = undefined
      }
      if (event.type === 'MessageSpoken' && event.turn === turn && inboxKey(event.channel) === channel)
        words.push(entry)
      // A turn that put the message back without a notice gives no reply.
      const putBack = event.type === 'TurnEnded' && event.outcome === 'unreachable' && words.length === 0
      if (event.type === 'TurnEnded' && event.turn === turn && !putBack) end = entry
    },
    reply: (): ReplyView | null => (end ? toReply(id, words, end) : null),
  }
}

/** A turn without messages gives an empty reply. */
const toReply = (id: PersonaId, words: readonly Entry[], end: Entry): ReplyView => {
  const messages = words.flatMap((entry) => toMessage(id, entry, '') ?? [])
  const last = words.at(-1) ?? end
  return {
    id: last.seq,
    content: messages.flatMap(({ content }) => content || []).join('\n\n'),
    media: messages.find(({ media }) => media !== null)?.media ?? null,
    time: isoWithOffset(last.at, last.offset),
  }
}
