/** Which mails of the connected mailboxes were read, and which of them the persona has seen. */
import type { Seq } from '../facts/fact-values.ts'
import type { FactFor } from './fact.ts'

export interface MailPosition {
  readonly uidValidity: number
  /** Mails up to this number were read, as long as `uidValidity` is the server's. */
  readonly upTo: number
  /** The last mails that were read, oldest first. */
  readonly keys: readonly string[]
  /** Epoch ms of the last mail that was read, or of the connection. */
  readonly at: number
}

export interface Mail {
  /** By id of the mailbox. */
  readonly positions: Readonly<Record<string, MailPosition>>
  /** The persona saw the summaries up to this fact. */
  readonly shown: Seq | 0
}

export const initialMail: Mail = { positions: {}, shown: 0 }

const maxKeys = 500

export const evolveMail = (mail: Mail, { at, event }: FactFor<'mail'>): Mail => {
  switch (event.type) {
    case 'PersonaForked':
    case 'PersonaRestored':
      return { ...mail, positions: {} }
    case 'MailboxConnected': {
      const { id, uidValidity, after } = event
      return { ...mail, positions: { ...mail.positions, [id]: { uidValidity, upTo: after, keys: [], at } } }
    }
    case 'MailboxDisconnected': {
      const { [event.id]: _, ...positions } = mail.positions
      return { ...mail, positions }
    }
    case 'MailRead': {
      const { mailbox, uid, uidValidity, key } = event
      const position = Object.hasOwn(mail.positions, mailbox) ? mail.positions[mailbox] : undefined
      if (!position) return mail
      const keys = [...position.keys, key].slice(-maxKeys)
      return { ...mail, positions: { ...mail.positions, [mailbox]: { uidValidity, upTo: uid, keys, at } } }
    }
    case 'MailsShown':
      return { ...mail, shown: event.upTo }
  }
}
