/** Counts the parts that an import leaves out, by reason. */

/**
 * `unknown`: an entry in no known form. `other_file`: a file of an export that holds no conversations.
 * `bad_message`: a message of another form than its export has. `notice`: a message of the service itself.
 */
export type LeftOutReason = 'too_large' | 'too_deep' | 'unknown' | 'bad_message' | 'notice' | 'other_file'

export type OnLeftOut = (reason: LeftOutReason, count?: number) => void

export type LeftOutCounts = Readonly<Record<LeftOutReason, number>>

const nouns: Readonly<Record<LeftOutReason, readonly [one: string, several: string]>> = {
  too_large: ['conversation that is too large', 'conversations that are too large'],
  too_deep: ['conversation that is nested too deeply', 'conversations that are nested too deeply'],
  unknown: ['entry that is not a conversation', 'entries that are not conversations'],
  bad_message: ['message that could not be read', 'messages that could not be read'],
  notice: ['notice of the service', 'notices of the service'],
  other_file: ['file of the export without conversations', 'files of the export without conversations'],
}

export const createLeftOutCounts = (): { readonly counts: LeftOutCounts; readonly onLeftOut: OnLeftOut } => {
  const counts = { too_large: 0, too_deep: 0, unknown: 0, bad_message: 0, notice: 0, other_file: 0 }
  const onLeftOut: OnLeftOut = (reason, count = 1) => {
    counts[reason] += count
  }
  return { counts, onLeftOut }
}

/** One sentence; null if nothing was left out. */
export const describeLeftOut = (counts: LeftOutCounts): string | null => {
  const parts = (Object.keys(nouns) as LeftOutReason[])
    .filter((reason) => counts[reason] > 0)
    .map((reason) => `${counts[reason]} ${nouns[reason][counts[reason] === 1 ? 0 : 1]}`)
  return parts.length === 0 ? null : `Left out: ${parts.join('; ')}.`
}
