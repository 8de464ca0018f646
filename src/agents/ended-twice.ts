/**
 * The message for a turn during which the daemon crashed twice. It is not tried a third time; the messages
 * stay in the conversation.
 */
import type { Entry, Journal } from '../../journal/log/journal.ts'
import { inboxKey, type Turn } from '../../projections/talk.ts'
import { mediaOf } from '../mind/prompt/heard-files.ts'
import { attribute } from '../mind/prompt/marked-data.ts'

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
  const media = mediaOf(entry)
  return media ? [`“${attribute(media.name)}”`] : []
}

const toAdvice = (names: readonly string[], messages: number): string => {
  if (names.length === 0) return messages > 1 ? '' : ' Please say it again, perhaps in smaller parts.'
  const rest = names.length > maxFileNames ? ` and ${names.length - maxFileNames} more` : ''
  return ` An attachment may be the cause: ${names.slice(0, maxFileNames).join(', ')}${rest}. Please ask me again without it, or send it in another form.`
}
