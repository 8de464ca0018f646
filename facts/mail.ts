/** Facts about mailboxes that the persona reads, and about the mails in them. */
import * as z from 'zod'
import { fact, ordinaryTraits } from './fact.ts'
import { MailSecurity, Seq } from './fact-values.ts'

const mailboxTraits = { ...ordinaryTraits, state: ['self', 'mail'], changes: ['keys'] } as const
const readTraits = { ...ordinaryTraits, state: ['mail'], background: true, missed: false } as const

export const mailFacts = {
  /**
   * The user connected a mailbox. `secret`: entry of the secrets file with the password. `folder`: the only
   * folder that is read. Mails up to the number `after` are not read. The numbers are valid as long as the
   * server names this `uidValidity`.
   */
  MailboxConnected: fact(
    {
      id: z.string(),
      name: z.string(),
      host: z.string(),
      port: z.int(),
      security: MailSecurity,
      user: z.string(),
      folder: z.string(),
      secret: z.string(),
      uidValidity: z.int(),
      after: z.int(),
    },
    { ...mailboxTraits, outside: ['id', 'security'], links: { id: { thing: 'mailbox', as: 'first' } } },
  ),
  /** The user disconnected the mailbox. */
  MailboxDisconnected: fact(
    { id: z.string() },
    { ...mailboxTraits, outside: ['id'], links: { id: { thing: 'mailbox', as: 'next' } } },
  ),
  /**
   * A mail was read. `key`: a hash that identifies it after the server numbered its mails again. `sort`:
   * `read` by a model, `bulk` noted by its header only, `unread` if the model refuses it. All texts are words
   * of strangers; `summary` is null without a model.
   */
  MailRead: fact(
    {
      mailbox: z.string(),
      uid: z.int(),
      uidValidity: z.int(),
      key: z.string(),
      sort: z.enum(['read', 'bulk', 'unread']),
      from: z.string(),
      subject: z.string(),
      summary: z
        .strictObject({ text: z.string(), asked: z.string(), dates: z.array(z.string()).readonly() })
        .nullable(),
    },
    {
      ...readTraits,
      index: 'mails',
      links: { mailbox: { thing: 'mailbox', as: 'about' } },
      outside: ['mailbox', 'uid', 'uidValidity', 'sort'],
      blank: { from: '', subject: '', summary: null },
    },
  ),
  /** The persona saw the summaries of all mails up to this fact. */
  MailsShown: fact({ upTo: Seq }, { ...readTraits, outside: ['upTo'], links: { upTo: { to: 'about' } } }),
}
