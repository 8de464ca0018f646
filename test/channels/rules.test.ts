/** The rules of channels and deliveries: given facts, when a command, then facts. */
import { test } from 'uvu'
import { equal, is } from 'uvu/assert'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import { channelName } from '../../projections/bot-channels.ts'
import { maxWaiting } from '../../projections/deliveries.ts'
import { toPersonaRecord } from '../../projections/persona-record.ts'
import { toPersonaView } from '../../projections/view.ts'
import { planStep } from '../../src/agents/lifecycle-steps.ts'
import { born, fold, given } from '../persona/given.ts'
import { providerUrls } from '../provider-urls.ts'

const at = '2026-11-23T10:15:00.000+01:00'
const added = (id: string, name = 'ada_bot', kind: 'telegram' | 'discord' = 'telegram'): PersonaEvent => ({
  type: 'ChannelAdded',
  id,
  kind,
  name,
  bot: '42',
  token: `ref-${id}`,
})
const paired = (id: string, target = '7'): PersonaEvent => ({ type: 'ChannelPaired', id, target, at })
const spoken = (name = '7', type: 'telegram' | 'web' = 'telegram'): PersonaEvent => ({
  type: 'MessageSpoken',
  turn: null,
  step: null,
  channel: { type, name },
  content: 'x',
  media: null,
  asks: null,
})
const names = (...facts: readonly PersonaEvent[]) => fold([born, ...facts])?.self.channels.map(channelName)
const waiting = (...facts: readonly PersonaEvent[]) =>
  fold([born, ...facts])?.deliveries.waiting.map(({ message }) => message)
const urls = providerUrls()

test('names each bot by its name, a second bot of the same name differently, and a paired bot by its chat', () => {
  equal(names(added('a'), added('b'), added('c')), ['ada_bot', 'ada_bot-2', 'ada_bot-3'])
  equal(names(added('a'), paired('a'), added('b')), ['7', 'ada_bot-2'])
  equal(names(added('a'), added('b'), { type: 'ChannelRemoved', id: 'a' }, added('c')), [
    'ada_bot-2',
    'ada_bot',
  ])
})

test('the view shows them in order, the web channel last; the record shows tokens and when they were paired', () => {
  const self = fold([born, added('a'), added('b', 'eva_bot', 'discord'), paired('b')])?.self
  if (!self) throw new Error('nobody')
  equal(toPersonaView(self, { running: true, webOpen: true }, urls).channels, [
    { type: 'telegram', name: 'ada_bot', verified: false },
    { type: 'discord', name: '7', verified: true },
    { type: 'web', name: 'p', verified: true },
  ])
  equal(toPersonaRecord(self, (ref) => (ref === 'ref-a' ? null : `secret of ${ref}`), urls).channels, [
    { type: 'telegram', name: 'ada_bot', credentials: { token: '' }, verified_at: null },
    { type: 'discord', name: '7', credentials: { token: 'secret of ref-b' }, verified_at: at },
  ])
})

test('removes all channels of a name, and no others', () => {
  given(born, added('a'), added('b', 'eva_bot'), paired('a'), paired('b'), added('c'))
    .when({ type: 'RemoveChannels', name: '7' })
    .writes({ type: 'ChannelRemoved', id: 'a' }, { type: 'ChannelRemoved', id: 'b' })
  given(born, added('a')).when({ type: 'RemoveChannels', name: 'telegram' }).writes()
})

test('a bot that is added again keeps its entry and its pairing, and has the new token; another bot, and one of another platform, has an entry of its own', () => {
  const add = (
    id: string,
    {
      kind = 'telegram',
      bot = '42',
      name = 'ada_bot',
    }: { kind?: 'telegram' | 'discord'; bot?: string; name?: string } = {},
  ) => ({ type: 'AddChannel', channel: { id, kind, bot: { id: bot, name }, token: `ref-${id}` } }) as const
  const again: PersonaEvent = {
    type: 'ChannelAdded',
    id: 'a',
    kind: 'telegram',
    name: 'ada_bot',
    bot: '42',
    token: 'ref-b',
  }
  given(born, added('a'), paired('a')).when(add('b')).writes(again)
  given(born, added('a'))
    .when(add('b', { bot: '43' }))
    .writes({ ...again, id: 'b', bot: '43' })
  given(born, added('a'))
    .when(add('b', { kind: 'discord' }))
    .writes({ ...again, id: 'b', kind: 'discord' })
  // An older journal may contain the bot twice. The paired one counts.
  given(born, added('a'), added('c'), paired('c'))
    .when(add('b'))
    .writes({ ...again, id: 'c' })

  const self = fold([
    born,
    added('a'),
    { type: 'ChannelTroubled', id: 'a', reason: 'revoked' },
    paired('a'),
    added('c', 'eva_bot'),
    again,
  ])?.self
  equal(
    self?.channels.map(({ id, token, trouble, paired }) => [id, token, trouble, paired?.target]),
    [
      ['a', 'ref-b', null, '7'],
      ['c', 'ref-c', null, undefined],
    ],
  )
  equal(names(added('a'), added('b', 'eva_bot'), { ...again, name: 'eva_bot' }), ['eva_bot-2', 'eva_bot'])
})

test('allows 64 bots, and keeps existing ones in any case', () => {
  const full = Array.from(
    { length: 64 },
    (_, n): PersonaEvent => ({ ...added(`c${n}`, `bot_${n}`), bot: `${n}` }) as PersonaEvent,
  )
  const add = (bot: string) =>
    ({
      type: 'AddChannel',
      channel: { id: 'z', kind: 'telegram', bot: { id: bot, name: `bot_${bot}` }, token: 'ref-z' },
    }) as const
  given(born, ...full)
    .when(add('64'))
    .refuses('channels_full')
  given(born, ...full)
    .when(add('63'))
    .writes({ type: 'ChannelAdded', id: 'c63', kind: 'telegram', name: 'bot_63', bot: '63', token: 'ref-z' })
})

test('pairs a channel once, and only while it exists', () => {
  const command = { type: 'PairChannel', id: 'a', target: '7', at } as const
  given(born, added('a')).when(command).writes({ type: 'ChannelPaired', id: 'a', target: '7', at })
  given(born, added('a'), paired('a', '9')).when(command).refuses('channel_verified')
  given(born).when(command).refuses('channel_unknown')
})

test('records trouble and recovery once each', () => {
  const trouble = { type: 'ChannelTroubled', id: 'a', reason: 'revoked' } as const
  given(born, added('a')).when({ type: 'TroubleChannel', id: 'a', reason: 'revoked' }).writes(trouble)
  given(born, added('a'), trouble).when({ type: 'TroubleChannel', id: 'a', reason: 'revoked' }).writes()
  given(born, added('a'), trouble)
    .when({ type: 'TroubleChannel', id: 'a', reason: null })
    .writes({ type: 'ChannelRecovered', id: 'a' })
  given(born, added('a')).when({ type: 'TroubleChannel', id: 'a', reason: null }).writes()
  given(born).when({ type: 'TroubleChannel', id: 'a', reason: 'revoked' }).writes()
})

test('messages for a platform stay pending until delivered or failed, messages for the page never', () => {
  equal(waiting(spoken(), spoken('p', 'web'), spoken()), [2, 4])
  equal(waiting(spoken(), spoken(), { type: 'Delivered', message: 2 }), [3])
  equal(waiting(spoken(), { type: 'DeliveryFailed', message: 2, reason: 'gone' }), [])
  given(born, spoken())
    .when({ type: 'SettleDelivery', message: 2, reason: null })
    .writes({ type: 'Delivered', message: 2 })
  given(born, spoken())
    .when({ type: 'SettleDelivery', message: 2, reason: 'gone' })
    .writes({ type: 'DeliveryFailed', message: 2, reason: 'gone' })
  given(born, spoken(), { type: 'Delivered', message: 2 })
    .when({ type: 'SettleDelivery', message: 2, reason: null })
    .writes()
})

test('counts the delivered parts of a message, and the count never decreases', () => {
  const parts: PersonaEvent = { type: 'PartsDelivered', message: 2, parts: 2 }
  given(born, spoken()).when({ type: 'NoteParts', message: 2, parts: 2 }).writes(parts)
  given(born, spoken(), parts).when({ type: 'NoteParts', message: 2, parts: 1 }).writes()
  given(born, spoken(), { type: 'Delivered', message: 2 })
    .when({ type: 'NoteParts', message: 2, parts: 2 })
    .writes()
  equal(waiting(spoken(), parts), [2])
})

test('limits the pending messages and drops the oldest', () => {
  const left = waiting(...Array.from({ length: maxWaiting + 5 }, () => spoken())) ?? []
  is(left.length, maxWaiting)
  is(left[0], 7)
})

test('a persona restored from a diary has the declared channels and no others', () => {
  const restored: PersonaEvent = { type: 'PersonaRestored', made: 1, upTo: 3, recipient: 'age1' }
  equal(names(added('a'), paired('a'), restored, added('b', 'eva_bot')), ['eva_bot'])
  equal(waiting(added('a'), paired('a'), spoken(), restored), [])
  const channel = { id: 'b', kind: 'discord', bot: { id: '42', name: 'eva_bot' }, token: 'ref-b' } as const
  given(born, added('a'))
    .when({ type: 'RestorePersona', made: 1, upTo: 2, recipient: 'age1', organs: {}, channels: [channel] })
    .writes({ ...restored, upTo: 2 }, added('b', 'eva_bot', 'discord'), { type: 'StartAsked' })
})

test('adding or removing a bot restarts a running agent, and starts no stopped one', () => {
  for (const event of [added('a'), { type: 'ChannelRemoved', id: 'a' } as const]) {
    is(planStep([event], true), 'restart')
    is(planStep([event], false), 'leave')
  }
  is(planStep([paired('a')], true), 'leave')
})

test.run()
