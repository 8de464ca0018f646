/** Rules of approvals: a turn asks the user about tool calls, is parked, and resumes with the decisions. */
import type { AskedCall, Channel, Decided, Seq } from '../../../facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../../facts/facts.ts'
import { listChats } from '../../../projections/bot-channels.ts'
import { listChoices } from '../../../projections/declared-servers.ts'
import type { Persona } from '../../../projections/persona.ts'
import { findResumable, listOpenApprovals, type Turn } from '../../../projections/talk.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import type { OfLife, OfTurn } from './lifecycle.ts'
import { createHelp, type OfferedHelp } from './talk.ts'

type AskedFields = Pick<
  EventOf<'ApprovalAsked'>,
  'step' | 'call' | 'server' | 'tool' | 'input' | 'definition' | 'changed' | 'again'
>

/** Parks the turn. `words`: the question in a chat; `answerable`: whether it can be answered there. */
interface AskApprovals extends OfTurn {
  readonly type: 'AskApprovals'
  readonly calls: readonly (AskedFields & { readonly words: string; readonly answerable: boolean })[]
  readonly help?: OfferedHelp | null
}

/** `described`: the tool's description at that time, for comparison with later ones. */
interface SettleApproval {
  readonly type: 'SettleApproval'
  readonly approval: Seq
  readonly decision: Extract<Decided, 'once' | 'always' | 'no'>
  readonly channel: Channel | null
  readonly described: string | null
}

/** Expires those asked before an instant, epoch milliseconds. */
interface ExpireApprovals {
  readonly type: 'ExpireApprovals'
  readonly before: number
}

/** Resumes the first turn whose approvals are all settled. */
interface ResumeTurn extends OfLife {
  readonly type: 'ResumeTurn'
}

export type ApprovalCommand = AskApprovals | SettleApproval | ExpireApprovals | ResumeTurn

const ask = (persona: Persona, { turn, calls, help }: AskApprovals): Decision => {
  const { self, talk } = persona
  const openApprovals = talk.turn?.approvals.filter(({ decision }) => decision === null) ?? []
  const newCalls = calls.filter(
    ({ call, step }) => !openApprovals.some((entry) => entry.call === call && entry.step === step),
  )
  const chats = chatsFor(talk.turn?.channel ?? null, listChats(self.channels, talk.inboxes))
  return accept(
    ...newCalls.map(
      ({ words: _, answerable: __, ...asked }) => ({ type: 'ApprovalAsked', turn, ...asked }) as const,
    ),
    ...newCalls.flatMap(({ words, answerable, step, call }) =>
      chats.map((chat) => question(chat, words, answerable ? { turn, step, call } : null)),
    ),
    ...createHelp(persona, talk.turn?.channel ?? null, help),
  )
}

/** The chat of the turn if it is paired, else all chats, since the user may look at any of them. */
const chatsFor = (channel: Channel | null, pairedChannels: readonly Channel[]): readonly Channel[] => {
  const isHere = pairedChannels.some(({ type, name }) => type === channel?.type && name === channel.name)
  return channel && isHere ? [channel] : pairedChannels
}

/** Belongs to no turn: a question is not yet an answer. */
const question = (channel: Channel, content: string, askedCall: AskedCall | null): PersonaEvent => ({
  type: 'MessageSpoken',
  turn: null,
  step: null,
  channel,
  content,
  media: null,
  asks: askedCall,
})

const settleApproval = (
  { self, talk }: Persona,
  { approval: id, decision, channel, described }: SettleApproval,
): Decision => {
  const open = listOpenApprovals(talk).find((entry) => entry.id === id)
  if (!open) return refuse({ code: 'approval_unknown' })
  const settledEvent = { type: 'ApprovalSettled', approval: id, decision, channel } as const
  const { server, tool, definition } = open
  if (decision !== 'always' || !listChoices(self, server)) return accept(settledEvent)
  return accept({ type: 'ToolModeSet', server, tool, mode: 'allow', definition, described }, settledEvent)
}

const expire = ({ talk }: Persona, { before }: ExpireApprovals): Decision =>
  accept(
    ...listOpenApprovals(talk).flatMap(({ id, asked }): PersonaEvent[] =>
      asked < before ? [{ type: 'ApprovalSettled', approval: id, decision: 'expired', channel: null }] : [],
    ),
  )

const resume = ({ talk, life }: Persona): Decision => {
  if (talk.turn) return refuse({ code: 'turn_over' })
  const turn = findResumable(talk)
  return turn
    ? accept({ type: 'TurnResumed', turn: turn.id, life: life.life })
    : refuse({ code: 'nothing_waits' })
}

/** Withdraws the open approvals of turns that end. */
export const withdrawApprovals = (turns: readonly Turn[]): readonly PersonaEvent[] =>
  turns.flatMap(({ approvals }) =>
    approvals.flatMap(({ id, decision }): PersonaEvent[] =>
      decision === null
        ? [{ type: 'ApprovalSettled', approval: id, decision: 'withdrawn', channel: null }]
        : [],
    ),
  )

export const approvalRules: Rules<ApprovalCommand> = {
  AskApprovals: ask,
  SettleApproval: settleApproval,
  ExpireApprovals: expire,
  ResumeTurn: resume,
}
