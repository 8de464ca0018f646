/** The mailboxes that the user connected. */
import type { MailSecurity } from '../facts/fact-values.ts'
import type { EventOf } from '../facts/facts.ts'

export interface Mailbox {
  readonly id: string
  readonly name: string
  readonly host: string
  readonly port: number
  readonly security: MailSecurity
  readonly user: string
  readonly folder: string
  /** Entry of the secrets file with its password. */
  readonly secret: string
}

/** In the order in which the user connected them. */
export const evolveMailboxes = (
  mailboxes: readonly Mailbox[],
  event: EventOf<'MailboxConnected' | 'MailboxDisconnected'>,
): readonly Mailbox[] => {
  const otherMailboxes = mailboxes.filter(({ id }) => id !== event.id)
  if (event.type === 'MailboxDisconnected') return otherMailboxes
  const { type: _, uidValidity: _validity, after: _after, ...mailbox } = event
  return [...otherMailboxes, mailbox]
}
