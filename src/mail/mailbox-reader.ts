/** Reads the new mails of one mailbox, oldest first, and records each one once. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { EventOf } from '../../facts/facts.ts'
import { readHeader } from '../../packages/mail/mail-header.ts'
import { maxNewMails } from '../../packages/mail/mail-limits.ts'
import type { FetchedMail, MailboxSession } from '../../packages/mail/mailbox-session.ts'
import type { MailPosition } from '../../projections/mail.ts'
import type { Mailbox } from '../../projections/mailboxes.ts'
import type { Persona } from '../../projections/persona.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import type { OrganCall } from '../persona/rules/organ-health.ts'
import type { ParsedMail } from './mail-text.ts'
import { listMails } from './read-mails.ts'

type Summary = EventOf<'MailRead'>['summary']

/**
 * `done`: the summary, null if the model refuses the mail. `later`: why it is read later. `calls` cost in any
 * case.
 */
export type SummaryResult = { readonly calls: readonly OrganCall[] } & (
  | { readonly kind: 'done'; readonly summary: Summary }
  | { readonly kind: 'later'; readonly waitMs: number }
)

export interface ReadPassDeps {
  readonly personas: Pick<PersonaStore, 'read' | 'execute'>
  readonly now: () => number
  /** Asks the Mind. Rejects only with the signal's reason. */
  readonly summarize: (id: PersonaId, mail: ParsedMail, signal: AbortSignal) => Promise<SummaryResult>
  readonly parse: (id: PersonaId, mail: FetchedMail, signal: AbortSignal) => Promise<ParsedMail>
}

export interface ReadPass {
  readonly id: PersonaId
  readonly mailbox: Mailbox
  readonly session: MailboxSession
  readonly signal: AbortSignal
  /** Numbers of mails that need no reading, such as those that are gone. It grows. */
  readonly skippedUids: Set<number>
  readonly onWaiting: (count: number) => void
}

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
/** Model calls per hour and mailbox. */
const maxCallsPerHour = 20

/** Returns how long the rest must wait in ms, or null if everything is read. */
export const readNewMails = async (deps: ReadPassDeps, pass: ReadPass): Promise<number | null> => {
  const { skippedUids, onWaiting, signal } = pass
  const uids = (await listNewUids(deps, pass)).filter((uid) => !skippedUids.has(uid))
  for (const [n, uid] of uids.entries()) {
    signal.throwIfAborted()
    onWaiting(uids.length - n)
    const waitMs = await readOne(deps, pass, uid)
    if (waitMs !== null) return waitMs
  }
  onWaiting(0)
  return uids.length >= maxNewMails ? 0 : null
}

const getPosition = ({ personas }: ReadPassDeps, { id, mailbox }: ReadPass) =>
  personas.read(id, async ({ persona }) => ({
    position: persona.mail.positions[mailbox.id],
    life: getLife(persona),
  }))

const getLife = ({ life }: Persona): number => life.life

const listNewUids = async (deps: ReadPassDeps, pass: ReadPass): Promise<readonly number[]> => {
  const { session } = pass
  const { position } = await getPosition(deps, pass)
  if (!position) return []
  if (position.uidValidity === session.uidValidity) return session.listAfter(position.upTo)
  // The server numbered its mails again: those that arrived since the last reading are recognised by key.
  const listedMails = await session.listSince(position.at - 2 * dayMs)
  return listedMails
    .filter(({ uid, header }) => !position.keys.includes(toKey(header, uid, session)))
    .map(({ uid }) => uid)
}

/** A mail without an identity of its own is identified by its number. */
const toKey = (bytes: Buffer, uid: number, { uidValidity }: MailboxSession): string =>
  readHeader(bytes).key ?? `${uidValidity}-${uid}`

/** Returns how long the mail must wait in ms, or null if it is read. */
const readOne = async (deps: ReadPassDeps, pass: ReadPass, uid: number): Promise<number | null> => {
  const { id, mailbox, session, signal, skippedUids } = pass
  const fetchedMail = await session.fetch(uid)
  const { position, life } = await getPosition(deps, pass)
  const key = fetchedMail && toKey(fetchedMail.bytes, uid, session)
  if (!fetchedMail || !position || key === null || isKnown(position, key)) {
    skippedUids.add(uid)
    return null
  }
  const { isBulk } = readHeader(fetchedMail.bytes)
  const waitMs = isBulk ? null : await getHourlyWait(deps, pass)
  if (waitMs !== null) return waitMs
  const mail = await deps.parse(id, fetchedMail, signal)
  const result: SummaryResult = isBulk
    ? { kind: 'done', summary: null, calls: [] }
    : await deps.summarize(id, mail, signal)
  signal.throwIfAborted()
  if (result.kind === 'later') {
    if (result.calls.length > 0)
      await deps.personas.execute(
        id,
        { type: 'RecordCalls', life, cause: 'mail', calls: result.calls },
        'agent',
      )
    return result.waitMs
  }
  const { from, subject } = mail
  const sort = isBulk ? 'bulk' : result.summary ? 'read' : 'unread'
  const fact = {
    mailbox: mailbox.id,
    uid,
    uidValidity: session.uidValidity,
    key,
    sort,
    from,
    subject,
  } as const
  const { summary, calls } = result
  await deps.personas.execute(id, { type: 'RecordMail', life, ...fact, summary, calls }, 'agent')
  return null
}

const isKnown = ({ keys }: MailPosition, key: string): boolean => keys.includes(key)

/** Returns how long the limit of calls per hour makes the next one wait, or null. */
const getHourlyWait = async (
  { personas, now }: ReadPassDeps,
  { id, mailbox }: ReadPass,
): Promise<number | null> => {
  const recentMails = await personas.read(id, ({ journal }) =>
    listMails(journal, {
      most: maxCallsPerHour,
      matches: (mail) => mail.mailbox === mailbox.id && mail.sort !== 'bulk' && mail.at > now() - hourMs,
    }),
  )
  const oldestMail = recentMails.length < maxCallsPerHour ? undefined : recentMails.at(-1)
  return oldestMail ? Math.max(oldestMail.at + hourMs - now(), 1000) : null
}
