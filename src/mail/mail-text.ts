/** Reads the text of a mail in a process of its own. Nothing that the mail refers to is fetched. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../../facts/fact-values.ts'
import { mailsFolder } from '../../home/places.ts'
import { makeInnerFolder } from '../../journal/leveldb/durable-files.ts'
import type { Documents } from '../../packages/documents/documents.ts'
import { toLine } from '../../packages/kit/text-lines.ts'
import type { FetchedMail } from '../../packages/mail/mailbox-session.ts'

export interface ParsedMail {
  /** Empty if the header has none. */
  readonly from: string
  readonly subject: string
  /** The header, the names of attachments, and the text. */
  readonly text: string
}

interface Deps {
  readonly home: string
  readonly documents: Pick<Documents, 'read'>
}

/** In UTF-16 units. */
const maxFrom = 200
const maxSubject = 300

/** A mail that cannot be parsed has a note as its text. Rejects with the signal's reason or a disk error. */
export const parseMail = async (
  { home, documents }: Deps,
  id: PersonaId,
  { bytes, isCut }: FetchedMail,
  signal: AbortSignal,
): Promise<ParsedMail> => {
  const folder = mailsFolder(home, id)
  await makeInnerFolder(folder)
  const path = join(folder, `${randomUUID()}.eml`)
  try {
    await writeFile(path, bytes, { mode: 0o600 })
    const extracted = await documents.read(path, 'mail', signal)
    if (extracted.kind === 'refused')
      return { from: '', subject: '', text: `[It cannot be read: ${extracted.words}.]` }
    const { text } = extracted
    const [head = ''] = text.split('\n\n', 1)
    const notes = [
      ...(isCut ? ['[Only the beginning of this large mail was read.]'] : []),
      ...(extracted.note === undefined ? [] : [`[${extracted.note}]`]),
    ]
    return {
      from: readLine(head, 'From', maxFrom),
      subject: readLine(head, 'Subject', maxSubject),
      text: [...notes, text].join('\n'),
    }
  } finally {
    await rm(path, { force: true }).catch(() => undefined)
  }
}

const readLine = (head: string, name: string, maxUnits: number): string => {
  const line = head.split('\n').find((candidate) => candidate.startsWith(`${name}: `)) ?? ''
  return toLine(line.slice(name.length + 2), maxUnits)
}
