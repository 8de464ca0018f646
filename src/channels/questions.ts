/**
 * Questions with buttons: which call a question is about, and where its buttons are to be taken away again.
 */
import type { AskedCall, Channel, PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import { openApprovals } from '../../projections/talk.ts'
import type { Committed } from '../bus.ts'
import type { Personas } from '../persona/persona-store.ts'
import type { Gateways } from './gateways.ts'

/** A message of a platform. */
interface SentQuestion {
  readonly channel: Channel
  /** The platform's own id of it. */
  readonly message: string
}

export interface Questions {
  /** The approval that a question waits for; null once it is settled. */
  open(id: PersonaId, asks: AskedCall): Promise<Seq | null>
  /** Its buttons are there; where it was settled meanwhile they are taken away again. */
  sent(id: PersonaId, approval: Seq, question: SentQuestion): Promise<void>
  /** Takes the buttons of what is settled away, as far as is known where they are. Must not throw. */
  heed(committed: Committed): void
}

interface Deps {
  readonly personas: Pick<Personas, 'read'>
  readonly to: Gateways['to']
}

/** Approvals whose messages are remembered. */
const mostRemembered = 500

export const createQuestions = ({ personas, to }: Deps): Questions => {
  const remembered = new Map<string, readonly SentQuestion[]>()

  const isOpen = (id: PersonaId, approval: Seq) =>
    personas.read(id, async ({ persona }) => openApprovals(persona.talk).some((one) => one.id === approval))

  /** `pressed`: where it was decided by a press, which takes away the buttons there. */
  const unbutton = (id: PersonaId, approval: Seq, pressed: Channel | null) => {
    const key = keyOf(id, approval)
    for (const { channel, message } of remembered.get(key) ?? [])
      if (channel.type !== pressed?.type || channel.name !== pressed.name)
        void to(id, channel)?.gateway.unbutton(channel.name, message)
    remembered.delete(key)
  }

  return {
    open: (id, asks) =>
      personas.read(id, async ({ persona }) => {
        const same = openApprovals(persona.talk).findLast(
          ({ turn, step, call }) => turn === asks.turn && step === asks.step && call === asks.call,
        )
        return same?.id ?? null
      }),
    sent: async (id, approval, question) => {
      const key = keyOf(id, approval)
      remembered.set(key, [...(remembered.get(key) ?? []), question])
      if (remembered.size > mostRemembered) remembered.delete([...remembered.keys()][0] ?? '')
      // It has arrived, whatever becomes of this: a rejection would send it again.
      const open = await isOpen(id, approval).catch(() => true)
      if (!open) unbutton(id, approval, null)
    },
    heed: ({ id, entries }) => {
      for (const { event } of entries)
        if (event.type === 'ApprovalSettled') unbutton(id, event.approval, event.channel)
    },
  }
}

const keyOf = (id: PersonaId, approval: Seq): string => `${id} ${approval}`
