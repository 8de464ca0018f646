/** The texts about mailboxes in German. */
import type { MailStrings } from './mail-en.ts'

export const text: MailStrings = {
  lead: (name: string) =>
    `${name} kann einen Ordner eines Postfachs lesen. Dabei ändert sich dort nichts, und Mails werden nicht gesendet. Gelesen werden nur Mails, die von jetzt an ankommen.`,
  add: 'Postfach hinzufügen',
  unread: 'noch nicht gelesen',
  read: (time: string) => `gelesen ${time}`,
  waiting: (count: number) => (count === 1 ? '1 Mail wartet' : `${count} Mails warten`),
  failed: 'Es konnte nicht gelesen werden.',
  refresh: 'Nachsehen',
  refreshOne: (name: string) => `Nachsehen: ${name}`,
  remove: 'Trennen',
  removeOne: (name: string) => `Trennen: ${name}`,
  mails: 'Gelesene Mails',
  noMails: 'Noch keine Mail gelesen.',
  more: 'Mehr',
  sort: { read: '', bulk: 'Massenmail', unread: 'Nicht zusammengefasst' },
  asked: (words: string) => `Bitte an dich: ${words}`,
  dates: (words: string) => `Termine: ${words}`,
  noSubject: 'Ohne Betreff',
  host: 'Server (IMAP)',
  user: 'Benutzername',
  password: 'App-Passwort',
  folder: 'Ordner oder Label',
  security: 'Verschlüsselung',
  securityNames: { tls: 'TLS', starttls: 'STARTTLS', none: 'Keine (nur lokal)' },
  port: 'Port, falls er anders ist',
  recent: 'Dazu die neuesten Mails',
  recentCount: (count: number) => (count === 0 ? 'keine' : String(count)),
  stored:
    'Das Passwort wird nur auf diesem Rechner gespeichert. Nimm ein App-Passwort, wenn der Anbieter welche hat. Bei Outlook.com geht das nicht.',
  connect: 'Verbinden',
  busy: 'Verbindet …',
  missing: 'Bitte gib den Server, den Benutzernamen und das Passwort ein.',
}
