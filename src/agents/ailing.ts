/** What is done while her Mind is away: its door is looked at, she falls sick when it takes long, and whoever speaks to her is told. */
import type { PersonaId } from '../../journal/events.ts'
import type { Persona } from '../../projections/persona.ts'
import { inboxKey } from '../../projections/talk.ts'
import type { Committed } from '../bus.ts'
import type { Clock } from '../clock.ts'
import type { Command } from '../persona/commands.ts'
import type { Personas } from '../persona/personas.ts'

interface Deps {
  readonly id: PersonaId
  readonly life: number
  readonly personas: Pick<Personas, 'execute'>
  readonly clock: Clock
  readonly execute: (command: Command) => Promise<unknown>
  /** Asks at her Mind's door; rejects when it does not answer. */
  readonly knock: () => Promise<void>
  /** Aborts when her life is over. */
  readonly ending: AbortSignal
}

export interface Ailing {
  /** Looks at the clock, and at the door. */
  beat(persona: Persona): Promise<void>
  /** Tells those who have just spoken that they are heard, and when they will be answered. */
  heard(committed: Committed): Promise<void>
}

const minute = 60_000
/** Milliseconds of failing before she is called sick. */
export const untilSick = 3 * minute
/** The door is looked at each minute for so long, and then less often. */
const often = 60 * minute
const seldom = 5 * minute
/** Whoever was spoken to within this time knows. */
const known = 5 * minute

export const createAiling = ({ id, life, personas, clock, execute, knock, ending }: Deps): Ailing => {
  let looked = Number.NEGATIVE_INFINITY
  /** When she last spoke, by channel. */
  const spoke = new Map<string, number>()

  return {
    beat: async ({ life: { failed } }) => {
      const failure = failed.thinking
      if (!failure) return
      const now = clock.now()
      // A clock that was put back is no reason not to look.
      const since = Math.abs(now - failure.since)
      if (since > often && Math.abs(now - looked) < seldom) return
      looked = now
      const answers = await knock().then(
        () => true,
        () => false,
      )
      if (ending.aborted) return
      if (answers) await personas.execute(id, { type: 'RecoverOrgan', slot: 'thinking' }, 'host')
      else if (since >= untilSick) await personas.execute(id, { type: 'FallSick', reason: failure.reason }, 'host')
    },
    heard: async ({ entries, persona }) => {
      for (const { event, at } of entries) if (event.type === 'MessageSpoken') spoke.set(inboxKey(event.channel), at)
      const failure = persona.life.failed.thinking
      if (!failure) return
      for (const { event, at } of entries) {
        if (event.type !== 'MessageHeard' || !event.channel) continue
        const last = spoke.get(inboxKey(event.channel))
        if (last !== undefined && Math.abs(at - last) < known) continue
        spoke.set(inboxKey(event.channel), at)
        const words = `I cannot think right now: ${failure.reason} What you said is kept, and I will answer when my mind is back.`
        await execute({ type: 'TellTrouble', life, channel: event.channel, words })
      }
    },
  }
}
