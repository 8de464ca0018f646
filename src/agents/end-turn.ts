/**
 * The ways in which a turn ends: with an answer, with a message in place of an answer, or on hold because the
 * model is unreachable.
 */

import type { Entry, Journal } from '../../journal/log/journal.ts'
import { inZone, shortLocalTime } from '../../packages/kit/time/local-time.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Plan } from '../../projections/plans.ts'
import { inboxKey, isGreeting, type Turn } from '../../projections/talk.ts'
import { listMedia } from '../mind/prompt/heard-files.ts'
import { attribute } from '../mind/prompt/marked-data.ts'
import type { Unanswered } from '../mind/think.ts'
import type { EndTurn, HoldTurn } from '../persona/rules/turn.ts'
import type { AgentLife, TurnDeps } from './agent-deps.ts'
import { toOutageMessage } from './outage-notices.ts'
import type { Ending } from './turn-loop.ts'

interface End extends Pick<EndTurn, 'outcome' | 'reason' | 'words'> {
  readonly failed?: EndTurn['failed']
}

type EndDeps = Pick<AgentLife, 'life' | 'read' | 'execute' | 'clock'>

const toCommand = ({ id: turn }: Turn, { life }: EndDeps, end: End): EndTurn => ({
  type: 'EndTurn',
  life,
  turn,
  failed: null,
  ...end,
})

/** Ends the turn without a message. */
const noMessage: End = { outcome: 'answered', reason: null, words: null }

export const endTurn = async (
  turn: Turn,
  ending: Ending | null,
  hasSpoken: boolean,
  deps: TurnDeps,
): Promise<void> => {
  const outcome = hasSpoken ? 'answered' : 'refused'
  const end = ending
    ? ({ outcome, reason: ending.reason, words: await withReminders(turn, deps, ending.words) } as const)
    : noMessage
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
  const words = await withReminders(turn, deps, limitMessage)
  await deps.execute(toCommand(turn, deps, { outcome: 'refused', reason: 'ceiling', words }))
}

/**
 * Ends a turn that crashed the daemon, without a model call: another call could crash it again. Due reminders
 * are still delivered.
 */
export const giveUpTurn = async (turn: Turn, deps: TurnDeps): Promise<void> => {
  const words = await withReminders(
    turn,
    deps,
    await deps.read(({ journal }) => getCrashMessage(journal, turn)),
  )
  deps.log.warn(
    { id: deps.id, turn: turn.id },
    'a turn was given up: the daemon ended twice while it was in progress',
  )
  await deps.execute(toCommand(turn, deps, { outcome: 'refused', reason: endedTwice, words }))
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
  const words = turn.stimuli.upTo > turn.stimuli.after ? toFaultMessage(kind) : null
  const toPlainTexts = () => [
    ...getDueEntries(turn, persona).map(({ content }) => `This was planned: ${content}`),
    words,
  ]
  const message = await withReminders(turn, deps, words).catch(
    () =>
      toPlainTexts()
        .filter((text) => text !== null)
        .join('\n\n') || null,
  )
  const reason = `a defect in the daemon (${kind})`
  await deps.execute(toCommand(turn, deps, { outcome: 'refused', reason, words: message }))
}

const toFaultMessage = (kind: string): string =>
  `I could not answer this: something in the service that runs me failed each time I tried (${kind}). Your message is kept in our conversation. You can ask me something else, or the same in other words. The log of the service says more.`

/**
 * Returns the command that follows a failed model call: it ends the turn or holds it. A turn that has already
 * recorded steps is held, so that its actions are not repeated.
 */
export const toFailureCommand = async (
  turn: Turn,
  { message, failed }: Unanswered,
  deps: TurnDeps,
): Promise<EndTurn | HoldTurn> => {
  const toRefusal = async (words: string) =>
    toCommand(turn, deps, {
      outcome: 'refused',
      reason: message,
      words: await withReminders(turn, deps, words),
      failed,
    })
  if (failed.kind === 'refused' && isGreeting(turn))
    return toCommand(turn, deps, { outcome: 'refused', reason: message, words: null, failed })
  if (failed.kind === 'refused') return toRefusal(`I cannot answer this: ${message}`)
  const hasMessages = turn.stimuli.upTo > turn.stimuli.after
  if (hasMessages && deps.isHopeless())
    return toRefusal(
      `I could not answer this, though I tried several times and my mind answers other things: ${message}`,
    )
  const { talk } = await deps.read(async ({ persona }) => persona)
  const isNotified = !hasMessages || deps.isTold() || (talk.inboxes[inboxKey(turn.channel)]?.putBack ?? 0) > 0
  const words = isNotified ? null : toOutageMessage(message)
  if ((talk.turn?.step ?? 0) > 0) return { type: 'HoldTurn', life: deps.life, turn: turn.id, failed, words }
  return toCommand(turn, deps, { outcome: 'unreachable', reason: message, words, failed })
}

/**
 * Puts the reminders of the turn before `words`. A reminder does not wait for the model: its stored text is
 * sent.
 */
const withReminders = async (turn: Turn, deps: EndDeps, words: string | null): Promise<string | null> => {
  const due = await deps.read(async ({ persona }) => getDueEntries(turn, persona))
  return (
    [...due.map((plan) => toReminderText(plan, deps.clock.zone)), ...(words === null ? [] : [words])].join(
      '\n\n',
    ) || null
  )
}

/** Returns the reminders of the turn that are due and were not cancelled since. */
export const getDueEntries = ({ stimuli }: Turn, { plans }: Persona): readonly Plan[] =>
  plans.due.filter(({ id }) => stimuli.due.includes(id))

/** `zone`: time zone of the reader. */
export const toReminderText = ({ kind, wall, zone: plannedZone, content }: Plan, zone: string): string =>
  `${kind === 'reminder' ? 'You asked me to remind you' : 'This was planned'} for ${shortLocalTime(inZone(wall, plannedZone, zone)).replace('T', ' at ')}: ${content}`

// The message for a turn during which the daemon crashed twice. It is not tried a third time; the messages
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
      ? `Your ${messages} messages are kept in our conversation`
      : 'Your message is kept in our conversation'
  const resendHint =
    messages > 1 ? ' Please send them again one by one, so that only one of them can be the cause.' : ''
  return `The daemon that runs me ended twice without warning while I was working on this, so I have not tried a third time. ${keptNotice}, but I have not answered it.${resendHint}${toAdvice(names, messages)}`
}

const listFileNames = (entry: Entry): readonly string[] => {
  const media = listMedia(entry)
  return media ? [`“${attribute(media.name)}”`] : []
}

const toAdvice = (names: readonly string[], messages: number): string => {
  if (names.length === 0) return messages > 1 ? '' : ' Please say it again, perhaps in smaller parts.'
  const rest = names.length > maxFileNames ? ` and ${names.length - maxFileNames} more` : ''
  return ` An attachment may be the cause: ${names.slice(0, maxFileNames).join(', ')}${rest}. Please ask me again without it, or send it in another form.`
}
