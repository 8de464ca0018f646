/** Routes of the mailboxes that a persona reads. */
import * as z from 'zod'
import { MailSecurity } from '../../../facts/fact-values.ts'
import { isoIn } from '../../../packages/kit/time/clock.ts'
import { mailFailureKinds } from '../../../packages/mail/mail-failed.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { connectMailbox, disconnectMailbox, listMailsOf, refreshMailbox } from '../../commands/mailboxes.ts'
import type { MailboxState } from '../../mail/mailboxes.ts'
import { parseMailId, type ReadMail, toMailId } from '../../mail/read-mails.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'

const Mailbox = z
  .object({
    id: z.string(),
    name: z.string(),
    host: z.string(),
    port: z.int(),
    security: MailSecurity,
    user: z.string(),
    folder: z.string().describe('The only folder that is read.'),
    checked_at: z
      .string()
      .nullable()
      .describe('When the folder was last looked into since the persona started. Null: not yet.'),
    error: z.string().nullable().describe('Why the last look failed. Null if it succeeded.'),
    error_kind: z
      .enum([...mailFailureKinds, 'daemon'])
      .nullable()
      .describe('The class of `error`. `daemon`: an error of the daemon.'),
    waiting: z.int().describe('New mails that are not read yet.'),
  })
  .meta({ id: 'Mailbox' })

const toView = (
  { id, name, host, port, security, user, folder, checked, error, errorKind, waiting }: MailboxState,
  zone: string,
): z.infer<typeof Mailbox> => ({
  ...{ id, name, host, port, security, user, folder, error, waiting },
  error_kind: errorKind,
  checked_at: checked === null ? null : isoIn(zone, checked),
})

const Mail = z
  .object({
    id: z.string(),
    time: z.string().describe('When it was read.'),
    sort: z
      .enum(['read', 'bulk', 'unread'])
      .describe('`read`: summarised. `bulk`: noted by its header only. `unread`: the model refuses it.'),
    from: z.string(),
    subject: z.string(),
    summary: z.string().nullable(),
    asked: z.string().nullable().describe('What the user is asked to do. Null: nothing.'),
    dates: z.array(z.string()).readonly().describe('Days and times that the mail names.'),
  })
  .meta({ id: 'Mail' })

const toMailView = (
  { seq, at, sort, from, subject, summary }: ReadMail,
  zone: string,
): z.infer<typeof Mail> => ({
  id: toMailId(seq),
  time: isoIn(zone, at),
  ...{ sort, from, subject },
  summary: summary?.text ?? null,
  asked: summary?.asked || null,
  dates: summary?.dates ?? [],
})

export const listMailboxesRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/mailboxes',
  summary: 'The mailboxes that the persona reads',
  description: 'With the time of the last look into each folder, and why it failed. Passwords are not shown.',
  tag: 'Mail',
  reply: z.object({ mailboxes: z.array(Mailbox).readonly() }).meta({ id: 'Mailboxes' }),
  refuses: ['persona_unknown'],
  handle:
    ({ personas, mailboxes, clock }) =>
    async ({ params: { persona_id: id } }) => {
      requireListed(personas, id)
      return { mailboxes: mailboxes.states(id).map((state) => toView(state, clock.zone)) }
    },
})

const Line = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .refine((line) => !/\p{Cc}/u.test(line), 'Must not contain control characters.')

export const connectMailboxRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/mailboxes',
  summary: 'Connect a folder of a mailbox, which the persona can read and not change',
  description:
    'The folder is opened once before the answer. The password is stored in the secrets file, and no answer contains it. If the folder does not exist, the error names the folders of the mailbox.',
  tag: 'Mail',
  body: z
    .object({
      host: z
        .string()
        .trim()
        .regex(/^[A-Za-z0-9._:-]{1,253}$/)
        .describe('Of the IMAP server, such as `imap.example.org`.'),
      port: z.int().min(1).max(65_535).optional().describe('Default: 993 with `tls`, else 143.'),
      security: MailSecurity.default('tls').describe(
        '`none`, without encryption, only for a server on this machine.',
      ),
      user: Line,
      password: z.string().min(1).max(500).describe('An app password, if the provider has them.'),
      folder: Line.default('INBOX').describe('A folder or label, as the server names it.'),
      name: z.string().trim().max(200).optional().describe('Default: the user name.'),
      recent: z
        .int()
        .min(0)
        .max(10)
        .default(0)
        .describe(
          'How many of the newest mails are read, too. Otherwise only mails that arrive from now on.',
        ),
    })
    .meta({ id: 'MailboxRequest' }),
  reply: Mailbox,
  refuses: ['persona_unknown', 'mailbox_unreadable', 'mailbox_connected', 'mailboxes_full'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body, response }) =>
      withAbortSignal(response, deps.closing, async (signal) =>
        toView(await connectMailbox(deps, id, body, signal), deps.clock.zone),
      ),
})

export const refreshMailboxRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/mailboxes/{id}/refresh',
  summary: 'Look for new mail now',
  description:
    'A failure is in `error`. Otherwise the daemon looks by itself while the persona runs. Answers after 20 seconds at the latest, while mails are still being read.',
  tag: 'Mail',
  reply: Mailbox,
  refuses: ['persona_unknown', 'mailbox_unknown', 'not_active'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, response }) =>
      withAbortSignal(response, deps.closing, async (signal) =>
        toView(await refreshMailbox(deps, persona, id, signal), deps.clock.zone),
      ),
})

export const disconnectMailboxRoute = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/mailboxes/{id}',
  summary: 'Disconnect a mailbox',
  description:
    'Its password is deleted. The summaries stay in the journal, as past; erase them to remove their words.',
  tag: 'Mail',
  reply: z.null(),
  refuses: ['persona_unknown', 'mailbox_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id } }) => {
      await disconnectMailbox(deps, persona, id)
      return null
    },
})

export const listMailsRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/mailboxes/{id}/mails',
  summary: 'The mails that were read, newest first',
  description: 'All texts are words of strangers. `next` is the `before` of the next page.',
  tag: 'Mail',
  query: z.object({
    before: z.string().max(20).optional().describe('Id of a mail: only older ones.'),
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  reply: z.object({ mails: z.array(Mail).readonly(), next: z.string().nullable() }).meta({ id: 'Mails' }),
  refuses: ['persona_unknown', 'mailbox_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, query: { before, limit } }) => {
      const beforeSeq = before === undefined ? undefined : (parseMailId(before) ?? 1)
      const mails = await listMailsOf(deps, persona, id, { most: limit + 1, before: beforeSeq })
      const page = mails.slice(0, limit)
      const last = page.at(-1)
      return {
        mails: page.map((mail) => toMailView(mail, deps.clock.zone)),
        next: mails.length > limit && last ? toMailId(last.seq) : null,
      }
    },
})
