/** Rules of mail: mailboxes are connected and disconnected, and each mail is recorded once. */
import type { Seq } from '../../../facts/fact-values.ts'
import type { EventOf } from '../../../facts/facts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import type { OfLife } from './lifecycle.ts'
import { callFacts, type OrganCall } from './organ-health.ts'

interface ConnectMailbox extends Omit<EventOf<'MailboxConnected'>, 'type'> {
  readonly type: 'ConnectMailbox'
}
interface DisconnectMailbox {
  readonly type: 'DisconnectMailbox'
  readonly id: string
}
/** `calls`: the calls of the model that read it. They cost also if the mail is known already. */
interface RecordMail extends Omit<EventOf<'MailRead'>, 'type'>, OfLife {
  readonly type: 'RecordMail'
  readonly calls: readonly OrganCall[]
}
export interface ShowMails {
  readonly type: 'ShowMails'
  readonly upTo: Seq
}

export type MailCommand = ConnectMailbox | DisconnectMailbox | RecordMail | ShowMails

const maxMailboxes = 5

const connectMailbox = ({ self }: Persona, { type: _, ...mailbox }: ConnectMailbox): Decision => {
  const { host, user, folder } = mailbox
  if (self.mailboxes.length >= maxMailboxes) return refuse({ code: 'mailboxes_full', most: maxMailboxes })
  return self.mailboxes.some((other) => other.host === host && other.user === user && other.folder === folder)
    ? refuse({ code: 'mailbox_connected' })
    : accept({ type: 'MailboxConnected', ...mailbox })
}

const disconnectMailbox = ({ self }: Persona, { id }: DisconnectMailbox): Decision =>
  self.mailboxes.some((mailbox) => mailbox.id === id)
    ? accept({ type: 'MailboxDisconnected', id })
    : refuse({ code: 'mailbox_unknown' })

/** The mail may have been recorded before a crash, and the mailbox may be gone. */
const recordMail = (persona: Persona, { type: _, life: _life, calls, ...mail }: RecordMail): Decision => {
  const { positions } = persona.mail
  const position = Object.hasOwn(positions, mail.mailbox) ? positions[mail.mailbox] : undefined
  const isKnown =
    position === undefined ||
    position.keys.includes(mail.key) ||
    (position.uidValidity === mail.uidValidity && mail.uid <= position.upTo)
  return accept(
    ...callFacts(persona, calls, { turn: null, step: null, cause: 'mail' }),
    ...(isKnown ? [] : [{ type: 'MailRead', ...mail } as const]),
  )
}

/** Writes nothing if the persona saw these mails before. */
const showMails = ({ mail }: Persona, { upTo }: ShowMails): Decision =>
  upTo > mail.shown ? accept({ type: 'MailsShown', upTo }) : accept()

export const mailRules: Rules<MailCommand> = {
  ConnectMailbox: connectMailbox,
  DisconnectMailbox: disconnectMailbox,
  RecordMail: recordMail,
  ShowMails: showMails,
}
