/** Lists the mails that were read, from the journal. */
import type { Seq } from '../../facts/fact-values.ts'
import type { EventOf } from '../../facts/facts.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { entryAt } from '../../journal/log/keys.ts'

export interface ReadMail extends Omit<EventOf<'MailRead'>, 'type'> {
  readonly seq: Seq
  /** Epoch ms. */
  readonly at: number
}

/** Public id of a mail. */
export const toMailId = (seq: Seq): string => `m${seq}`

/** Returns null if the text is no id. */
export const parseMailId = (text: string): Seq | null => {
  const [, digits] = /^m([1-9]\d{0,14})$/.exec(text.trim()) ?? []
  return digits === undefined ? null : Number(digits)
}

interface MailQuery {
  readonly most: number
  /** Only mails before this position. */
  readonly before?: Seq | undefined
  /** Only mails after this position. */
  readonly after?: Seq | 0
  readonly matches: (mail: ReadMail) => boolean
}

const pageSize = 100
/** Max mails that one query looks at. */
const maxLooked = 5000

/** Returns mails, newest first. Erased ones are left out. */
export const listMails = async (
  journal: Journal,
  { most, before, after = 0, matches }: MailQuery,
): Promise<readonly ReadMail[]> => {
  const mails: ReadMail[] = []
  let upTo = before === undefined ? journal.head.seq : before - 1
  for (let looked = 0; looked < maxLooked && upTo > after; looked += pageSize) {
    const page: ReadMail[] = []
    let first: Seq | null = null
    for await (const { seq, at, event, erased } of journal.read({
      kind: 'mails',
      after,
      upTo,
      last: pageSize,
    })) {
      first ??= seq
      if (event.type !== 'MailRead' || erased) continue
      const { type: _, ...mail } = event
      page.push({ ...mail, seq, at })
    }
    for (const mail of page.reverse()) {
      if (!matches(mail)) continue
      mails.push(mail)
      if (mails.length === most) return mails
    }
    if (first === null) return mails
    upTo = first - 1
  }
  return mails
}

/** Returns null if there is no such mail, or if it was erased. */
export const findMail = async (journal: Journal, seq: Seq): Promise<ReadMail | null> => {
  const entry = seq > journal.head.seq ? null : await entryAt(journal, seq)
  if (entry?.event.type !== 'MailRead' || entry.erased) return null
  const { type: _, ...mail } = entry.event
  return { ...mail, seq, at: entry.at }
}
