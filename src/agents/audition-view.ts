/** The view of a past turn, for a model that answers it again. */
import { findCommitEnd } from '../../journal/log/keys.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Organs } from '../mind/organ-calls.ts'
import { readPerceived } from '../mind/prompt/recent-talk.ts'
import { createWindowChoice, listMessages } from '../mind/prompt/talk-window.ts'
import { measureItems, type PromptInput } from '../mind/prompt/turn-prompt.ts'
import { openPastAt } from '../persona/past.ts'
import type { Reading } from '../persona/persona-store.ts'
import type { AuditionTurn } from './audition-turns.ts'
import { withoutForgotten, withoutForgottenItems, withoutOldNotes } from './forgotten-since.ts'
import { readShown, type ShownDeps } from './take-turn.ts'

export interface ViewDeps extends ShownDeps {
  readonly read: <T>(work: (reading: Reading) => Promise<T>) => Promise<T>
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Builds the input of the first prompt. What the user hid, erased or had forgotten since is left out. Files
 * are named, but not sent to the provider of another model. Throws Damaged.
 */
export const buildView = async (
  { turn: id }: AuditionTurn,
  organs: Organs,
  deps: ViewDeps,
): Promise<PromptInput> => {
  const { zone } = deps.clock
  const budget = await organs.budget()
  const files = new Map()
  return deps.read(async (reading) => {
    const { journal: wholeJournal, persona: present } = reading
    // All facts of a commit take effect together.
    const upTo = await findCommitEnd(wholeJournal, id)
    const pastState = await openPastAt(wholeJournal, upTo, deps.signal)
    const turn = pastState?.persona.talk.turn
    if (!pastState || turn?.id !== id) throw new Error(`turn ${id} cannot be rebuilt`)
    const { journal } = pastState
    const persona = withoutRemoved(pastState.persona, present)
    const window = await createWindowChoice()(journal, persona, budget.talk, async (items) =>
      measureItems({
        persona,
        items,
        turn: id,
        zone,
        budget,
        perceptions: await readPerceived(journal, listMessages(items)),
        files,
      }),
    )
    const shownPersona = { ...persona, base: { ...persona.base, window } }
    const shownContext = await readShown({ persona: shownPersona, journal }, turn, organs, {
      ...deps,
      getOutsideTools: () => deps.getOutsideTools(present),
    })
    return {
      ...shownContext,
      items: withoutForgottenItems(shownContext.items, present.knowledge),
      files,
      persona: shownPersona,
      budget,
      zone,
      turn: id,
      now: turn.at,
      tools: shownContext.specs,
    }
  })
}

const withoutRemoved = (pastPersona: Persona, present: Persona): Persona => {
  const { base, talk } = pastPersona
  return {
    ...pastPersona,
    self: { ...pastPersona.self, voice: present.self.voice },
    talk: { ...talk, hidden: { ...talk.hidden, ...present.talk.hidden } },
    knowledge: withoutForgotten(pastPersona.knowledge, present.knowledge),
    days: withoutOldNotes(pastPersona.days, present.knowledge),
    base: {
      ...base,
      knowledge: withoutForgotten(base.knowledge, present.knowledge),
      days: withoutOldNotes(base.days, present.knowledge),
    },
  }
}
