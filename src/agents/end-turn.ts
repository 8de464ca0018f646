/**
 * The ways in which a turn ends: with an answer, with a notice in place of an answer, or on hold because the
 * model is unreachable.
 */

import type { Seq } from '../../facts/fact-values.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import { entryAt } from '../../journal/log/keys.ts'
import { inZone } from '../../packages/kit/time/local-time.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Plan } from '../../projections/plans.ts'
import { inboxKey, isGreeting, type Turn } from '../../projections/talk.ts'
import type { Unanswered } from '../mind/model-retries.ts'
import { listMedia } from '../mind/prompt/heard-files.ts'
import { attribute } from '../mind/prompt/marked-data.ts'
import type { EndTurn, HoldTurn } from '../persona/rules/turn.ts'
import type { AgentLife, TurnDeps } from './agent-deps.ts'
import { toOutageNotice } from './outage-notices.ts'
import type { Ending } from './turn-loop.ts'

interface End extends Pick<EndTurn, 'outcome' | 'reason' | 'notice'> {
  readonly reminders?: EndTurn['reminders']
  readonly failed?: EndTurn['failed']
}

type EndDeps = Pick<AgentLife, 'life' | 'read' | 'execute' | 'clock'>

const toCommand = ({ id: turn }: Turn, { life }: EndDeps, end: End): EndTurn => ({
  type: 'EndTurn',
  life,
  turn,
  reminders: null,
  failed: null,
  ...end,
})

/** Ends the turn without a notice. */
const noNotice: End = { outcome: 'answered', reason: null, notice: null }

export const endTurn = async (
  turn: Turn,
  ending: Ending | null,
  hasSpoken: boolean,
  deps: TurnDeps,
): Promise<void> => {
  const outcome = hasSpoken ? 'answered' : 'refused'
  const end = ending
    ? ({
        outcome,
        reason: ending.reason,
        notice: ending.words,
        reminders: await formatReminders(turn, deps),
      } as const)
    : noNotice
  await deps.execute(toCommand(turn, deps, end))
}

/**
 * Ends a turn without a model call because the daily token limit is reached. `limitMessage` is shown to the
 * user.
 */
export const endOverLimit = async (
  turn: Turn,
  limitMessage: string | null,
  deps: TurnDeps,
): Promise<void> => {
  const reminders = await formatReminders(turn, deps)
  await deps.execute(
    toCommand(turn, deps, { outcome: 'refused', reason: 'ceiling', notice: limitMessage, reminders }),
  )
}

/**
 * Ends a turn that crashed the daemon, without a model call: another call could crash it again. Due reminders
 * are still delivered.
 */
export const giveUpTurn = async (turn: Turn, deps: TurnDeps): Promise<void> => {
  const notice = await deps.read(({ journal }) => getCrashMessage(journal, turn))
  const reminders = await formatReminders(turn, deps)
  deps.log.warn(
    { id: deps.id, turn: turn.id },
    'a turn was given up: the daemon ended twice while it was in progress',
  )
  await deps.execute(toCommand(turn, deps, { outcome: 'refused', reason: endedTwice, notice, reminders }))
}

/**
 * Ends a turn that repeatedly failed because of an error in the daemon, without a model call. Reminders are
 * delivered even if formatting their time fails. `kind`: the name of the error.
 */
export const endFaultyTurn = async (
  turn: Turn,
  kind: string,
  persona: Persona,
  deps: EndDeps,
): Promise<void> => {
  const notice = turn.stimuli.upTo > turn.stimuli.after ? toFaultMessage(kind) : null
  const reminders = await formatReminders(turn, deps).catch(
    () =>
      getDueEntries(turn, persona)
        .map(({ content }) => `This was planned: ${content}`)
        .join('\n\n') || null,
  )
  const reason = `a defect in the daemon (${kind})`
  await deps.execute(toCommand(turn, deps, { outcome: 'refused', reason, notice, reminders }))
}

const toFaultMessage = (kind: string): string =>
  `The daemon could not answer this: it failed each time that it tried (${kind}). Your message is kept in the conversation. You can ask something else, or the same in other words. The log of the daemon says more.`

/**
 * Returns the command that follows a failed model call: it ends the turn or holds it. A turn that has already
 * recorded steps is held, so that its actions are not repeated.
 */
export const toFailureCommand = async (
  turn: Turn,
  { message, failed }: Unanswered,
  deps: TurnDeps,
): Promise<EndTurn | HoldTurn> => {
  const toRefusal = async (notice: string) =>
    toCommand(turn, deps, {
      outcome: 'refused',
      reason: message,
      notice,
      reminders: await formatReminders(turn, deps),
      failed,
    })
  if (failed.kind === 'refused' && isGreeting(turn))
    return toCommand(turn, deps, { outcome: 'refused', reason: message, notice: null, failed })
  if (turn.otherMind)
    return {
      ...(await toRefusal(`${turn.otherMind.organ.model} did not answer this: ${message}`)),
      shown: await deps.read(({ journal }) => listReplaced(journal, turn.otherMind?.asked ?? 0)),
    }
  if (failed.kind === 'refused') return toRefusal(`The model did not answer this: ${message}`)
  const hasMessages = turn.stimuli.upTo > turn.stimuli.after
  if (hasMessages && deps.isHopeless())
    return toRefusal(
      `The model did not answer this in several attempts, although it answers other messages: ${message}`,
    )
  const { talk } = await deps.read(async ({ persona }) => persona)
  const isNotified = !hasMessages || deps.isTold() || (talk.inboxes[inboxKey(turn.channel)]?.putBack ?? 0) > 0
  const notice = isNotified ? null : toOutageNotice(message)
  if ((talk.turn?.step ?? 0) > 0) return { type: 'HoldTurn', life: deps.life, turn: turn.id, failed, notice }
  return toCommand(turn, deps, { outcome: 'unreachable', reason: message, notice, failed })
}

/**
 * Returns the answer that another model was to replace. The request for it hid the answer in the same commit.
 */
const listReplaced = async (journal: Journal, requestSeq: Seq): Promise<readonly Seq[]> => {
  const [hiding, request] = await Promise.all([
    entryAt(journal, requestSeq - 1),
    entryAt(journal, requestSeq),
  ])
  const isSameCommit = hiding !== undefined && hiding.commit === request?.commit
  return isSameCommit && hiding.event.type === 'MessagesHidden' ? hiding.event.messages : []
}

/** A reminder does not wait for the model: its stored text is sent. Null if none is due. */
const formatReminders = async (turn: Turn, deps: EndDeps): Promise<string | null> => {
  const dueEntries = await deps.read(async ({ persona }) => getDueEntries(turn, persona))
  return dueEntries.map((plan) => toReminderText(plan, deps.clock.zone)).join('\n\n') || null
}

/** Returns the reminders of the turn that are due and were not cancelled since. */
export const getDueEntries = ({ stimuli }: Turn, { plans }: Persona): readonly Plan[] =>
  plans.due.filter(({ id }) => stimuli.due.includes(id))

/** `zone`: time zone of the reader. */
export const toReminderText = (
  { kind, wall, zone: plannedZone, content, allDay }: Plan,
  zone: string,
): string =>
  `${kind === 'reminder' ? 'You asked me to remind you' : 'This was planned'} for ${inZone(
    wall,
    plannedZone,
    zone,
  )
    .slice(0, allDay ? 10 : 16)
    .replace('T', ' at ')}: ${content}`

// The notice for a turn during which the daemon crashed twice. It is not tried a third time; the messages
// stay in the conversation.

/** Crashes after which a turn is given up. After fewer crashes it is resumed. */
export const maxCrashes = 2

/** The reason in the `TurnEnded` fact. */
export const endedTwice = 'the daemon ended twice over it'

/** Max number of file names in the message. */
const maxFileNames = 5

/** Returns the message without a model call. Null if the turn contained no messages, only reminders. */
export const getCrashMessage = async (
  journal: Pick<Journal, 'read'>,
  { channel, stimuli }: Turn,
): Promise<string | null> => {
  const { after, upTo } = stimuli
  if (upTo <= after) return null
  const names: string[] = []
  let messages = 0
  for await (const entry of journal.read({ kind: 'talk', after, upTo })) {
    if (entry.event.type !== 'MessageHeard' || inboxKey(entry.event.channel) !== inboxKey(channel)) continue
    messages++
    names.push(...listFileNames(entry))
  }
  const keptNotice =
    messages > 1
      ? `Your ${messages} messages are kept in the conversation, but they were not answered.`
      : 'Your message is kept in the conversation, but it was not answered.'
  const resendHint =
    messages > 1 ? ' Send them again one by one, so that only one of them can be the cause.' : ''
  return `The daemon ended twice without warning while it worked on this, so it does not try a third time. ${keptNotice}${resendHint}${toAdvice(names, messages)}`
}

const listFileNames = (entry: Entry): readonly string[] => {
  const media = listMedia(entry)
  return media ? [`“${attribute(media.name)}”`] : []
}

const toAdvice = (names: readonly string[], messages: number): string => {
  if (names.length === 0) return messages > 1 ? '' : ' Send it again, perhaps in smaller parts.'
  const rest = names.length > maxFileNames ? ` and ${names.length - maxFileNames} more` : ''
  return ` An attachment may be the cause: ${names.slice(0, maxFileNames).join(', ')}${rest}. Ask again without it, or send it in another form.`
}
