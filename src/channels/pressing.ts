/** Settles an approval by a button press, if the question was asked in this chat. */
import type { Channel, PersonaId, Seq } from '../../facts/fact-values.ts'
import { listOpenApprovals } from '../../projections/talk.ts'
import type { CommandDeps } from '../commands/command-deps.ts'
import type { ApprovalAnswer } from '../commands/tools.ts'
import { Refused } from '../persona/refusals.ts'
import type { Holder } from './listening.ts'
import type { ButtonPress, PressResult } from './platform.ts'
import { pressIn } from './press-data.ts'

export type PressingDeps = Pick<CommandDeps, 'personas' | 'serverTools'>

/** Resolves when the decision is durable, or to null if the press came from another chat. */
export const createPressing =
  (deps: PressingDeps) =>
  async (
    { id, channel: { kind, paired } }: Holder,
    { target, data }: ButtonPress,
  ): Promise<PressResult | null> => {
    if (target !== paired?.target) return null
    const channel: Channel = { type: kind, name: target }
    const press = pressIn(data)
    try {
      if (!press || !(await isAskedIn(deps, id, channel, press.approval))) return lateResult
      const { settleApproval } = await import('../commands/tools.ts')
      await settleApproval(deps, id, { ...press, channel })
      return { words: decisionTexts[press.decision], decided: true }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return lateResult
    }
  }

const decisionTexts: Readonly<Record<ApprovalAnswer, string>> = {
  once: 'You allowed this once.',
  always: 'You allowed this tool from now on. Its settings on the page take that back.',
  no: 'You did not allow this.',
}
const lateResult: PressResult = {
  decided: false,
  words:
    'This question is closed: it was already decided, or a day has passed, which counts as no. Nothing has changed.',
}

/**
 * Returns whether the approval is open and was asked in this chat. Members of this chat must not decide
 * questions of other chats.
 */
const isAskedIn = (
  { personas }: Pick<PressingDeps, 'personas'>,
  id: PersonaId,
  channel: Channel,
  approval: Seq,
): Promise<boolean> =>
  personas.read(id, async ({ persona, journal }) => {
    const open = listOpenApprovals(persona.talk).find((candidate) => candidate.id === approval)
    if (!open) return false
    for await (const { event } of journal.read({ kind: 'talk', after: approval })) {
      if (event.type !== 'MessageSpoken' || !event.asks) continue
      const { turn, step, call } = event.asks
      const isIt = turn === open.turn && step === open.step && call === open.call
      if (isIt && event.channel?.type === channel.type && event.channel.name === channel.name) return true
    }
    return false
  })
