/**
 * Approval questions with buttons: finds the approval of a question, and removes the buttons once it is
 * settled.
 */
import type { AskedCall, Channel, PersonaId, Seq } from '../../facts/fact-values.ts'
import { listOpenApprovals } from '../../projections/talk.ts'
import type { PersonaCommit } from '../bus.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import type { Gateways } from './gateways.ts'

/** A sent message with buttons. */
interface SentQuestion {
  readonly channel: Channel
  /** The platform's message id. */
  readonly message: string
}

export interface Questions {
  /** Returns the approval that a question asks for, or null once it is settled. */
  open(id: PersonaId, askedCall: AskedCall): Promise<Seq | null>
  /** Remembers a sent question. Removes its buttons if the approval was settled meanwhile. */
  onSent(id: PersonaId, approval: Seq, question: SentQuestion): Promise<void>
  /** Removes the known buttons of settled approvals. Must not throw. */
  onCommit(commit: PersonaCommit): void
}

interface Deps {
  readonly personas: Pick<PersonaStore, 'read'>
  readonly to: Gateways['to']
}

/** Max approvals whose messages are remembered. */
const maxRemembered = 500

export const createQuestions = ({ personas, to }: Deps): Questions => {
  const sentQuestions = new Map<string, readonly SentQuestion[]>()

  const isOpen = (id: PersonaId, approval: Seq) =>
    personas.read(id, async ({ persona }) =>
      listOpenApprovals(persona.talk).some((candidate) => candidate.id === approval),
    )

  /** `pressedIn`: the chat of the press. The platform removes the buttons there. */
  const unbutton = (id: PersonaId, approval: Seq, pressedIn: Channel | null) => {
    const key = toKey(id, approval)
    for (const { channel, message } of sentQuestions.get(key) ?? [])
      if (channel.type !== pressedIn?.type || channel.name !== pressedIn.name)
        void to(id, channel)?.gateway.unbutton(channel.name, message)
    sentQuestions.delete(key)
  }

  return {
    open: (id, askedCall) =>
      personas.read(id, async ({ persona }) => {
        const approval = listOpenApprovals(persona.talk).findLast(
          ({ turn, step, call }) =>
            turn === askedCall.turn && step === askedCall.step && call === askedCall.call,
        )
        return approval?.id ?? null
      }),
    onSent: async (id, approval, question) => {
      const key = toKey(id, approval)
      sentQuestions.set(key, [...(sentQuestions.get(key) ?? []), question])
      if (sentQuestions.size > maxRemembered) sentQuestions.delete([...sentQuestions.keys()][0] ?? '')
      // The message has arrived. A rejection would send it again.
      const open = await isOpen(id, approval).catch(() => true)
      if (!open) unbutton(id, approval, null)
    },
    onCommit: ({ id, entries }) => {
      for (const { event } of entries)
        if (event.type === 'ApprovalSettled') unbutton(id, event.approval, event.channel)
    },
  }
}

const toKey = (id: PersonaId, approval: Seq): string => `${id} ${approval}`
