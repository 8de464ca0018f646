/** Mailboxes and mails: each mail is recorded once, also after a crash or a new numbering. */
import { test } from 'uvu'
import { equal, is } from 'uvu/assert'
import type { EventOf, PersonaEvent } from '../../facts/facts.ts'
import { decide } from '../../src/persona/rules/decide.ts'
import { awake, fold } from './given.ts'

const connected: EventOf<'MailboxConnected'> = {
  type: 'MailboxConnected',
  ...{ id: 'b1', name: 'Work', host: 'imap.example.org', port: 993, security: 'tls', user: 'ada' },
  ...{ folder: 'INBOX', secret: 's1', uidValidity: 1, after: 4 },
}
const mail = { mailbox: 'b1', uid: 5, uidValidity: 1, key: 'k5', from: 'Bob', subject: 'Hi', summary: null }
const read: PersonaEvent = { type: 'MailRead', ...mail, sort: 'bulk' }
const used = {
  ...{ organ: 'thinking', provider: null, model: 'llama', ms: 1, calls: 1, price: null, recipe: null },
  usage: { input: 1, output: 1, cached: null, written: null, images: null, characters: null, seconds: null },
} as const

const record = (facts: readonly PersonaEvent[], fields: Partial<typeof mail> = {}, life = 1) => {
  const decision = decide(fold([...awake, ...facts]), {
    type: 'RecordMail',
    life,
    ...{ ...mail, ...fields },
    sort: 'read',
    calls: [{ used: used as never }],
  })
  return 'refused' in decision ? decision.refused.code : decision.events.map(({ type }) => type)
}

test('records a mail with the cost of its reading in one commit', () => {
  equal(record([connected]), ['ModelAnswered', 'MailRead'])
})

test('records a mail once that is read again after a crash, and its cost each time', () => {
  equal(record([connected, read]), ['ModelAnswered'])
  equal(record([connected, read], { uid: 3, key: 'k3' }), ['ModelAnswered'])
  equal(record([connected, read], { uid: 6, key: 'k6' }), ['ModelAnswered', 'MailRead'])
})

test('recognises a mail by its key after the server numbered its mails again', () => {
  equal(record([connected, read], { uid: 1, uidValidity: 2 }), ['ModelAnswered'])
  equal(record([connected, read], { uid: 1, uidValidity: 2, key: 'k9' }), ['ModelAnswered', 'MailRead'])
})

test('records nothing for a stopped persona or a mailbox that is gone', () => {
  is(record([connected], {}, 2), 'life_over')
  equal(record([connected, { type: 'MailboxDisconnected', id: 'b1' }]), ['ModelAnswered'])
  equal(record([connected], { mailbox: 'constructor' }), ['ModelAnswered'])
})

test('connects a folder once, and disconnects only what is connected', () => {
  const persona = fold([...awake, connected])
  const again = decide(persona, { ...connected, type: 'ConnectMailbox', id: 'b2' })
  equal(again, { refused: { code: 'mailbox_connected' } })
  equal(decide(persona, { type: 'DisconnectMailbox', id: 'b9' }), { refused: { code: 'mailbox_unknown' } })
})

test.run()
