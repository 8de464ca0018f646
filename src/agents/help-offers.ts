/** Offers the help for a user in danger while the model fails: no turn begins then that could offer it. */
import type { Persona } from '../../projections/persona.ts'
import { getWaitingInboxes } from '../../projections/talk.ts'
import type { PersonaCommit } from '../bus.ts'
import { findHelp } from '../mind/help-offer.ts'
import type { AgentLife } from './agent-deps.ts'

export interface HelpOffers {
  /** Handles a commit. */
  follow(commit: PersonaCommit): void
  /** Searches the waiting messages if the model fails. Returns immediately. */
  check(): void
  /** Resolves when no search is running. Never rejects. */
  waitForEnd(): Promise<void>
}

interface Deps extends Pick<AgentLife, 'life' | 'clock' | 'read' | 'execute'> {
  /** Returns the committed state. */
  readonly persona: () => Persona
  /** Receives the error of a search. Must not throw. */
  readonly onError: (error: unknown) => void
}

/** `ending` aborts when the persona stops or restarts. */
export const createHelpOffers = (
  { life, clock, read, execute, persona, onError }: Deps,
  ending: AbortSignal,
): HelpOffers => {
  let task: Promise<void> = Promise.resolve()

  const findOffer = () =>
    read(async (reading) => {
      const { talk } = reading.persona
      for (const { channel, oldest, heard } of getWaitingInboxes(talk)) {
        const stimuli = { after: (oldest ?? heard) - 1, upTo: heard, due: [] }
        const help = await findHelp(reading, { channel, stimuli }, clock)
        if (help) return { channel, help }
      }
      return null
    })

  const offer = async () => {
    if (ending.aborted || !persona().life.failed.thinking) return
    const newOffer = await findOffer()
    if (newOffer) await execute({ type: 'OfferHelp', life, ...newOffer })
  }

  const check = () => {
    if (persona().life.failed.thinking) task = task.then(offer).catch(onError)
  }

  return {
    follow: ({ entries }) => {
      const isRelevant = entries.some(({ type }) => type === 'MessageHeard' || type === 'ModelFailed')
      if (isRelevant) check()
    },
    check,
    waitForEnd: () => task,
  }
}
