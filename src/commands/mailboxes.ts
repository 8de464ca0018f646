/** Connects a persona to mailboxes. */
import type { MailSecurity, PersonaId } from '../../facts/fact-values.ts'
import { MailFailed } from '../../packages/mail/mail-failed.ts'
import type { MailboxAddress } from '../../packages/mail/mailbox-session.ts'
import { type MailboxState, toSentence } from '../mail/mailboxes.ts'
import { listMails, type ReadMail } from '../mail/read-mails.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'
import { withSecrets } from './with-secrets.ts'

export interface GivenMailbox {
  readonly host: string
  readonly port?: number | undefined
  readonly security: MailSecurity
  readonly user: string
  readonly password: string
  readonly folder: string
  /** Default: the user name. */
  readonly name?: string | undefined
  /** How many of the newest mails count as new. */
  readonly recent: number
}

type MailboxDeps = Pick<CommandDeps, 'personas' | 'mailboxes'>

const usualPorts: Readonly<Record<MailSecurity, number>> = { tls: 993, starttls: 143, none: 143 }

/**
 * Opens the folder first, and connects the mailbox only if that succeeds. Throws Refused: persona_unknown,
 * mailbox_unreadable, mailbox_connected, mailboxes_full.
 */
export const connectMailbox = async (
  deps: MailboxDeps & Pick<CommandDeps, 'log' | 'newId'>,
  id: PersonaId,
  { name, recent, ...given }: GivenMailbox,
  signal: AbortSignal,
): Promise<MailboxState> => {
  const { personas, mailboxes } = deps
  requireListed(personas, id)
  const { password, ...address } = { ...given, port: given.port ?? usualPorts[given.security] }
  const position = await probe(deps, { ...address, password }, recent, signal)
  signal.throwIfAborted()
  const mailbox = `b${deps.newId().slice(0, 8)}`
  await withSecrets(deps, id, 'key', async (keepSecret) => {
    const secret = await keepSecret(password)
    const fact = { id: mailbox, name: name || given.user, ...address, secret, ...position }
    await personas.execute(id, { type: 'ConnectMailbox', ...fact }, 'person')
  })
  return findState(mailboxes, id, mailbox)
}

const probe = async (
  { mailboxes }: MailboxDeps,
  address: MailboxAddress,
  recent: number,
  signal: AbortSignal,
) => {
  try {
    return await mailboxes.probe(address, recent, signal)
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error
    throw new Refused({ code: 'mailbox_unreadable', kind: error.kind, reason: toSentence(address, error) })
  }
}

/** Throws Refused: persona_unknown, mailbox_unknown. */
export const disconnectMailbox = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  id: PersonaId,
  mailbox: string,
): Promise<void> => {
  requireListed(personas, id)
  await personas.execute(id, { type: 'DisconnectMailbox', id: mailbox }, 'person')
}

/**
 * Returns the state afterwards, also after a failure. Throws Refused: persona_unknown, mailbox_unknown,
 * not_active.
 */
export const refreshMailbox = async (
  { personas, mailboxes, agents }: MailboxDeps & Pick<CommandDeps, 'agents'>,
  id: PersonaId,
  mailbox: string,
  signal: AbortSignal,
): Promise<MailboxState> => {
  requireListed(personas, id)
  findState(mailboxes, id, mailbox)
  if (!agents.isRunning(id)) throw new Refused({ code: 'not_active' })
  await mailboxes.refresh(id, mailbox, signal)
  return findState(mailboxes, id, mailbox)
}

/** Returns mails that were read, newest first. Throws Refused: persona_unknown, mailbox_unknown. */
export const listMailsOf = async (
  { personas, mailboxes }: MailboxDeps,
  id: PersonaId,
  mailbox: string,
  { most, before }: { readonly most: number; readonly before: number | undefined },
): Promise<readonly ReadMail[]> => {
  requireListed(personas, id)
  findState(mailboxes, id, mailbox)
  return personas.read(id, ({ journal }) =>
    listMails(journal, { most, before, matches: (mail) => mail.mailbox === mailbox }),
  )
}

const findState = (
  mailboxes: Pick<CommandDeps['mailboxes'], 'states'>,
  id: PersonaId,
  mailbox: string,
): MailboxState => {
  const state = mailboxes.states(id).find((candidate) => candidate.id === mailbox)
  if (!state) throw new Refused({ code: 'mailbox_unknown' })
  return state
}
