/** The texts about mailboxes in English. */
export type MailStrings = typeof text

export const text = {
  lead: (name: string) =>
    `${name} can read one folder of a mailbox. It changes nothing there and cannot send mail. It reads only mails that arrive from now on.`,
  add: 'Add a mailbox',
  unread: 'not read yet',
  read: (time: string) => `read ${time}`,
  waiting: (count: number) => (count === 1 ? '1 mail waits' : `${count} mails wait`),
  failed: 'It could not be read.',
  refresh: 'Check',
  refreshOne: (name: string) => `Check: ${name}`,
  remove: 'Disconnect',
  removeOne: (name: string) => `Disconnect: ${name}`,
  mails: 'Mails that were read',
  noMails: 'No mail was read yet.',
  more: 'More',
  sort: { read: '', bulk: 'Bulk mail', unread: 'Not summarised' },
  asked: (words: string) => `Asked of you: ${words}`,
  dates: (words: string) => `Dates: ${words}`,
  noSubject: 'Without a subject',
  host: 'Server (IMAP)',
  user: 'User name',
  password: 'App password',
  folder: 'Folder or label',
  security: 'Encryption',
  securityNames: { tls: 'TLS', starttls: 'STARTTLS', none: 'None (only local)' },
  port: 'Port, if it is unusual',
  recent: 'Also read the newest mails',
  recentCount: (count: number) => (count === 0 ? 'none' : String(count)),
  stored:
    'The password is stored on this machine only. Use an app password if your provider has them. Outlook.com does not allow this.',
  connect: 'Connect',
  busy: 'Connecting …',
  missing: 'Enter the server, the user name and the password.',
}
