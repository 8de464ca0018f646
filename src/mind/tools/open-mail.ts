/** open_mail: returns the text of one mail, page by page. */
import * as z from 'zod'
import { MailFailed } from '../../../packages/mail/mail-failed.ts'
import { toSentence } from '../../mail/mailboxes.ts'
import { findMail, parseMailId } from '../../mail/read-mails.ts'
import { type MailToolDeps, mailHint } from './check-mail.ts'
import { createFailure, defineTool, type Tool } from './tool.ts'

/** UTF-16 units per page. */
const page = 12_000

export const createOpenMail = (deps: MailToolDeps): Tool =>
  defineTool({
    name: 'open_mail',
    description: 'The text of one mail.',
    input: z.object({
      id: z.string().describe('as check_mail names it'),
      from: z.int().min(0).optional().describe('as results name it'),
    }),
    needs: ({ persona: { self } }) => self.mailboxes.length > 0,
    run: async ({ id, from = 0 }, { persona: { self }, journal, signal }) => {
      const seq = parseMailId(id)
      const mail = seq === null ? null : await findMail(journal, seq)
      const mailbox = mail && self.mailboxes.find((candidate) => candidate.id === mail.mailbox)
      if (!mail || !mailbox) return createFailure(`There is no mail ${JSON.stringify(id)}.`)
      try {
        const { text } = await deps.open(self.id, mail, signal)
        if (from > 0 && from >= text.length) return createFailure(`It has only ${text.length} characters.`)
        const next = from + page < text.length ? from + page : null
        const words = text.slice(from, from + page).toWellFormed()
        return { ok: true, output: { note: mailHint, id, words, from, next, length: text.length } }
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof MailFailed)) throw error
        return createFailure(toSentence(mailbox, error))
      }
    },
  })
