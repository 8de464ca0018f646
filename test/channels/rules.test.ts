/** The rules of channels and deliveries: given facts, when a command, then facts. */
import { test } from 'uvu'
import { equal, is } from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { channelName } from '../../projections/bot-channels.ts'
import { maxWaiting } from '../../projections/deliveries.ts'
import { toPersonaRecord } from '../../projections/persona-record.ts'
import { toPersonaView } from '../../projections/view.ts'
import { planStep } from '../../src/agents/lifecycle-steps.ts'
import { born, fold, given } from '../persona/given.ts'
import { providerUrls } from '../provider-urls.ts'

const time = '2026-11-23T10:15:00.000+01:00'
const createChannelAdded = (
  id: string,
  name = 'ada_bot',
  kind: 'telegram' | 'discord' = 'telegram',
): PersonaEvent => ({
  type: 'ChannelAdded',
  id,
  kind,
  name,
  bot: '42',
  token: `ref-${id}`,
})
const createChannelPaired = (id: string, target = '7'): PersonaEvent => ({
  type: 'ChannelPaired',
  id,
  target,
  at: time,
})
const createMessageSpoken = (name = '7', type: 'telegram' | 'web' = 'telegram'): PersonaEvent => ({
  type: 'MessageSpoken',
  turn: null,
  step: null,
  channel: { type, name },
  content: 'x',
  media: null,
  asks: null,
})
const names = (...facts: readonly PersonaEvent[]) => fold([born, ...facts])?.self.channels.map(channelName)
const listWaiting = (...facts: readonly PersonaEvent[]) =>
  fold([born, ...facts])?.deliveries.waiting.map(({ message }) => message)
const urls = providerUrls()

test('names each bot by its name, a second bot of the same name differently, and a paired bot by its chat', () => {
  equal(names(createChannelAdded('a'), createChannelAdded('b'), createChannelAdded('c')), [
    'ada_bot',
    'ada_bot-2',
    'ada_bot-3',
  ])
  equal(names(createChannelAdded('a'), createChannelPaired('a'), createChannelAdded('b')), ['7', 'ada_bot-2'])
  equal(
    names(
      createChannelAdded('a'),
      createChannelAdded('b'),
      { type: 'ChannelRemoved', id: 'a' },
      createChannelAdded('c'),
    ),
    ['ada_bot-2', 'ada_bot'],
  )
})

test('the view shows them in order, the web channel last; the record shows tokens and when they were paired', () => {
  const self = fold([
    born,
    createChannelAdded('a'),
    createChannelAdded('b', 'eva_bot', 'discord'),
    createChannelPaired('b'),
  ])?.self
  if (!self) throw new Error('nobody')
  equal(toPersonaView(self, { running: true, webOpen: true }, urls).channels, [
    { type: 'telegram', name: 'ada_bot', verified: false },
    { type: 'discord', name: '7', verified: true },
    { type: 'web', name: 'p', verified: true },
  ])
  equal(toPersonaRecord(self, (ref) => (ref === 'ref-a' ? null : `secret of ${ref}`), urls).channels, [
    { type: 'telegram', name: 'ada_bot', credentials: { token: '' }, verified_at: null },
    { type: 'discord', name: '7', credentials: { token: 'secret of ref-b' }, verified_at: time },
  ])
})

test('removes all channels of a name, and no others', () => {
  given(
    born,
    createChannelAdded('a'),
    createChannelAdded('b', 'eva_bot'),
    createChannelPaired('a'),
    createChannelPaired('b'),
    createChannelAdded('c'),
  )
    .when({ type: 'RemoveChannels', name: '7' })
    .writes({ type: 'ChannelRemoved', id: 'a' }, { type: 'ChannelRemoved', id: 'b' })
  given(born, createChannelAdded('a')).when({ type: 'RemoveChannels', name: 'telegram' }).writes()
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
  const repeatedEvent: PersonaEvent = {
    type: 'ChannelAdded',
    id: 'a',
    kind: 'telegram',
    name: 'ada_bot',
    bot: '42',
    token: 'ref-b',
  }
  given(born, createChannelAdded('a'), createChannelPaired('a')).when(add('b')).writes(repeatedEvent)
  given(born, createChannelAdded('a'))
    .when(add('b', { bot: '43' }))
    .writes({ ...repeatedEvent, id: 'b', bot: '43' })
  given(born, createChannelAdded('a'))
    .when(add('b', { kind: 'discord' }))
    .writes({ ...repeatedEvent, id: 'b', kind: 'discord' })
  // An older journal may contain the bot twice. The paired one counts.
  given(born, createChannelAdded('a'), createChannelAdded('c'), createChannelPaired('c'))
    .when(add('b'))
    .writes({ ...repeatedEvent, id: 'c' })

  const self = fold([
    born,
    createChannelAdded('a'),
    { type: 'ChannelTroubled', id: 'a', reason: 'revoked' },
    createChannelPaired('a'),
    createChannelAdded('c', 'eva_bot'),
    repeatedEvent,
  ])?.self
  equal(
    self?.channels.map(({ id, token, trouble, paired }) => [id, token, trouble, paired?.target]),
    [
      ['a', 'ref-b', null, '7'],
      ['c', 'ref-c', null, undefined],
    ],
  )
  equal(
    names(createChannelAdded('a'), createChannelAdded('b', 'eva_bot'), { ...repeatedEvent, name: 'eva_bot' }),
    ['eva_bot-2', 'eva_bot'],
  )
})

test('allows 64 bots, and keeps existing ones in any case', () => {
  const full = Array.from(
    { length: 64 },
    (_, n): PersonaEvent => ({ ...createChannelAdded(`c${n}`, `bot_${n}`), bot: `${n}` }) as PersonaEvent,
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
  const command = { type: 'PairChannel', id: 'a', target: '7', at: time } as const
  given(born, createChannelAdded('a'))
    .when(command)
    .writes({ type: 'ChannelPaired', id: 'a', target: '7', at: time })
  given(born, createChannelAdded('a'), createChannelPaired('a', '9'))
    .when(command)
    .refuses('channel_verified')
  given(born).when(command).refuses('channel_unknown')
})

test('records trouble and recovery once each', () => {
  const trouble = { type: 'ChannelTroubled', id: 'a', reason: 'revoked' } as const
  given(born, createChannelAdded('a'))
    .when({ type: 'TroubleChannel', id: 'a', reason: 'revoked' })
    .writes(trouble)
  given(born, createChannelAdded('a'), trouble)
    .when({ type: 'TroubleChannel', id: 'a', reason: 'revoked' })
    .writes()
  given(born, createChannelAdded('a'), trouble)
    .when({ type: 'TroubleChannel', id: 'a', reason: null })
    .writes({ type: 'ChannelRecovered', id: 'a' })
  given(born, createChannelAdded('a')).when({ type: 'TroubleChannel', id: 'a', reason: null }).writes()
  given(born).when({ type: 'TroubleChannel', id: 'a', reason: 'revoked' }).writes()
})

test('messages for a platform stay pending until delivered or failed, messages for the page never', () => {
  equal(listWaiting(createMessageSpoken(), createMessageSpoken('p', 'web'), createMessageSpoken()), [2, 4])
  equal(listWaiting(createMessageSpoken(), createMessageSpoken(), { type: 'Delivered', message: 2 }), [3])
  equal(listWaiting(createMessageSpoken(), { type: 'DeliveryFailed', message: 2, reason: 'gone' }), [])
  given(born, createMessageSpoken())
    .when({ type: 'SettleDelivery', message: 2, reason: null })
    .writes({ type: 'Delivered', message: 2 })
  given(born, createMessageSpoken())
    .when({ type: 'SettleDelivery', message: 2, reason: 'gone' })
    .writes({ type: 'DeliveryFailed', message: 2, reason: 'gone' })
  given(born, createMessageSpoken(), { type: 'Delivered', message: 2 })
    .when({ type: 'SettleDelivery', message: 2, reason: null })
    .writes()
})

test('counts the delivered parts of a message, and the count never decreases', () => {
  const parts: PersonaEvent = { type: 'PartsDelivered', message: 2, parts: 2 }
  given(born, createMessageSpoken()).when({ type: 'NoteParts', message: 2, parts: 2 }).writes(parts)
  given(born, createMessageSpoken(), parts).when({ type: 'NoteParts', message: 2, parts: 1 }).writes()
  given(born, createMessageSpoken(), { type: 'Delivered', message: 2 })
    .when({ type: 'NoteParts', message: 2, parts: 2 })
    .writes()
  equal(listWaiting(createMessageSpoken(), parts), [2])
})

test('limits the pending messages and drops the oldest', () => {
  const waitingIds = listWaiting(...Array.from({ length: maxWaiting + 5 }, () => createMessageSpoken())) ?? []
  is(waitingIds.length, maxWaiting)
  is(waitingIds[0], 7)
})

test('a persona restored from a diary has the declared channels and no others', () => {
  const restoredEvent: PersonaEvent = { type: 'PersonaRestored', made: 1, upTo: 3, recipient: 'age1' }
  equal(
    names(
      createChannelAdded('a'),
      createChannelPaired('a'),
      restoredEvent,
      createChannelAdded('b', 'eva_bot'),
    ),
    ['eva_bot'],
  )
  equal(
    listWaiting(createChannelAdded('a'), createChannelPaired('a'), createMessageSpoken(), restoredEvent),
    [],
  )
  const channel = { id: 'b', kind: 'discord', bot: { id: '42', name: 'eva_bot' }, token: 'ref-b' } as const
  given(born, createChannelAdded('a'))
    .when({ type: 'RestorePersona', made: 1, upTo: 2, recipient: 'age1', organs: {}, channels: [channel] })
    .writes({ ...restoredEvent, upTo: 2 }, createChannelAdded('b', 'eva_bot', 'discord'), {
      type: 'StartAsked',
    })
})

test('adding or removing a bot restarts a running agent, and starts no stopped one', () => {
  for (const event of [createChannelAdded('a'), { type: 'ChannelRemoved', id: 'a' } as const]) {
    is(planStep([event], true), 'restart')
    is(planStep([event], false), 'leave')
  }
  is(planStep([createChannelPaired('a')], true), 'leave')
})

test.run()
