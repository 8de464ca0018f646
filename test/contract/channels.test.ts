/**
 * A persona's bots over HTTP: adding, removing, pairing, every sentence of the contract, and the order of the
 * checks.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { createFakePlatform, createToken } from '../channels/platform.ts'
import { createSecret, filesWith } from '../secrets/search.ts'
import { exportDiary, firstPhrase, migrate } from './diaries.ts'
import { getTitles, joinKeys, json, notActive, shareSetup, unknownPersona } from './setup.ts'

const telegram = createFakePlatform('telegram', ['ada_bot', 'eva_bot', 'ivo_bot', 'uma_bot', 'ida_bot'])
const discord = createFakePlatform('discord', ['ada_bot', 'Eva Bot/2'])
const kindAdvice = 'Kind must be telegram, discord or matrix.'
const setup = shareSetup(test, { platforms: [telegram, discord], newPhrase: firstPhrase })
const { born, get, post, send, view } = setup

const getPath = (id: string) => `/api/persona/${id}`
const addChannel = (id: string, kind: unknown, token: unknown) =>
  post(`${getPath(id)}/channels`, { kind, credentials: { token } })
const removeChannel = async (id: string, name: string) => {
  const { status, text } = await send({
    method: 'DELETE',
    path: `${getPath(id)}/channels/${encodeURIComponent(name)}`,
  })
  return [status, JSON.parse(text)]
}
const listChannels = async (id: string) =>
  (await view(id)).channels.filter(({ type }: { type: string }) => type !== 'web')
const badRequest = (detail: string) => [400, { detail }]

test('lists a bot by its own name until it is paired, then by its chat', async () => {
  const id = await born()
  assert.equal(await addChannel(id, 'telegram', ` ${createToken('ada_bot')}\n`), [200, { kind: 'telegram' }])
  assert.equal(await addChannel(id, 'discord', createToken('ada_bot')), [200, { kind: 'discord' }])
  assert.is((await view(id)).running, true)
  assert.equal(await listChannels(id), [
    { type: 'telegram', name: 'ada_bot', verified: false },
    { type: 'discord', name: 'ada_bot-2', verified: false },
  ])

  await telegram.write(createToken('ada_bot'), '-100200', 'hello?')
  const code = await telegram.code('-100200')
  const [status, { persona, channel }] = await post(`${getPath(id)}/pair`, {
    code: `${code.slice(0, 4)}-${code.slice(4).toLowerCase()}`,
  })
  assert.is(status, 200)
  assert.equal(
    [channel.type, channel.name, channel.credentials],
    ['telegram', '-100200', { token: createToken('ada_bot') }],
  )
  assert.match(channel.verified_at, /^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/)
  assert.is(joinKeys(channel), 'type name credentials verified_at')
  assert.equal(persona.channels[0], channel)
  assert.equal(persona.channels[1], {
    type: 'discord',
    name: 'ada_bot-2',
    credentials: { token: createToken('ada_bot') },
    verified_at: null,
  })
  assert.equal((await listChannels(id))[0], { type: 'telegram', name: '-100200', verified: true })
  assert.equal(
    await post(`${getPath(id)}/pair`, { code }),
    badRequest('Pairing code is invalid or has expired.'),
  )
  await post(`${getPath(id)}/delete`)
})

test('refuses a token with the reason of the platform and stores nothing', async () => {
  const id = await born()
  const factsBefore = await setup.facts(id)
  for (const [kind, token, detail] of [
    ['telegram', 'wrong-token-42', 'telegram validation failed: The platform refuses ***.'],
    ['discord', 'wrong-token-42', 'discord validation failed: The platform refuses ***.'],
    ['telegram', '', 'telegram validation failed: This is not a bot token.'],
    ['telegram', 'two words', 'telegram validation failed: This is not a bot token.'],
    ['web', createToken('ada_bot'), `web validation failed: ${kindAdvice}`],
    ['Telegram', createToken('ada_bot'), `Telegram validation failed: ${kindAdvice}`],
    ['', createToken('ada_bot'), ` validation failed: ${kindAdvice}`],
  ])
    assert.equal(await addChannel(id, kind, token), badRequest(detail ?? ''))
  assert.equal(await listChannels(id), [])
  // `facts` itself writes one fact.
  assert.is((await setup.facts(id)).length, factsBefore.length + 1)
})

test('checks shape, persona, kind and token in this order and reports the first error', async () => {
  const id = await born()
  const items = async (body: unknown, personaId = id) => {
    const [status, { detail }] = await post(`${getPath(personaId)}/channels`, body)
    return [status, ...detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'))]
  }
  assert.equal(await items({}, 'nobody'), [422, 'body.kind', 'body.credentials'])
  assert.equal(await items({ kind: 5, credentials: { token: 5 } }), [
    422,
    'body.kind',
    'body.credentials.token',
  ])
  assert.equal(await items({ kind: 'odd', credentials: 'x' }), [422, 'body.credentials'])
  assert.equal(await addChannel('nobody', 'odd', 'x'), unknownPersona)
  assert.equal(await addChannel(id, 'odd', 'x'), badRequest(`odd validation failed: ${kindAdvice}`))
  const reply = await send({
    method: 'POST',
    path: `${getPath(id)}/channels`,
    headers: json,
    body: JSON.stringify({ kind: 5, credentials: { token: 'secret-of-hers' } }),
  })
  assert.not(reply.text.includes('secret-of-hers'))
  assert.equal(await removeChannel('nobody', 'x'), unknownPersona)
  assert.equal(await post(`${getPath('nobody')}/pair`, { code: 'x' }), notActive)
  assert.is((await post(`${getPath('nobody')}/pair`, { code: 5 }))[0], 422)
  assert.equal(
    await post(`${getPath(id)}/pair`, { code: 'x'.repeat(5000) }),
    badRequest('Pairing code is invalid or has expired.'),
  )
  await post(`${getPath(id)}/stop`)
  assert.equal(await post(`${getPath(id)}/pair`, { code: 'x' }), notActive)
})

test('adds a bot to a stopped persona without starting it', async () => {
  const id = await born()
  await post(`${getPath(id)}/stop`)
  assert.equal(await addChannel(id, 'telegram', createToken('eva_bot')), [200, { kind: 'telegram' }])
  assert.is((await view(id)).running, false)
  assert.not(telegram.getOpened().includes(createToken('eva_bot')))
  assert.equal(await removeChannel(id, 'eva_bot'), [200, { removed: 'eva_bot' }])
  assert.equal(await listChannels(id), [])
})

test('removes a bot by its exact name and ignores an unknown name', async () => {
  const id = await born()
  await addChannel(id, 'discord', createToken('Eva Bot/2'))
  for (const name of ['eva bot/2', 'Eva Bot', 'discord', '%', '../x', id])
    assert.equal(await removeChannel(id, name), [200, { removed: name }])
  assert.equal(await listChannels(id), [{ type: 'discord', name: 'Eva Bot/2', verified: false }])
  const token = createSecret('token', createToken('Eva Bot/2'))
  assert.equal(await filesWith(token, setup.daemon.home), [`personas/${id}/secrets`])
  assert.equal(await removeChannel(id, 'Eva Bot/2'), [200, { removed: 'Eva Bot/2' }])
  assert.equal(await listChannels(id), [])
  assert.equal(await filesWith(token, setup.daemon.home), [])
  assert.is((await send({ method: 'DELETE', path: `${getPath(id)}/channels/%` })).status, 404)
})

test('reports a failed restart and keeps the change of the channel', async () => {
  const id = await born()
  setup.models.brokenMethods.probe = 'Nobody answers there.'
  assert.equal(await addChannel(id, 'telegram', createToken('ivo_bot')), [
    500,
    { detail: 'Channel added but restart failed: Nobody answers there.' },
  ])
  assert.equal(await listChannels(id), [{ type: 'telegram', name: 'ivo_bot', verified: false }])
  assert.equal(await removeChannel(id, 'ivo_bot'), [
    500,
    { detail: 'Channel removed but restart failed: Nobody answers there.' },
  ])
  assert.equal(await removeChannel(id, 'ivo_bot'), [200, { removed: 'ivo_bot' }])
  assert.equal(await listChannels(id), [])
})

test('creates a persona with its bots; checks tokens before models, and creates nothing if one is wrong', async () => {
  const bots = { telegram_token: createToken('uma_bot'), discord_token: createToken('ada_bot') }
  const [status, { persona }] = await post('/api/persona/create', {
    name: 'Uma',
    thinking_model: 'llama',
    ...bots,
  })
  assert.is(status, 200)
  assert.equal(persona.channels, [
    { type: 'telegram', name: 'uma_bot', credentials: { token: createToken('uma_bot') }, verified_at: null },
    { type: 'discord', name: 'ada_bot', credentials: { token: createToken('ada_bot') }, verified_at: null },
  ])
  const personaCount = (await get('/api/personas'))[1].personas.length
  setup.models.brokenMethods.prepare = 'No runtime answers.'
  setup.models.doneCalls.length = 0
  for (const [tokens, detail] of [
    [{ telegram_token: 'wrong-token-42' }, 'Telegram validation failed: The platform refuses ***.'],
    [
      { telegram_token: createToken('uma_bot'), discord_token: 'wrong-token-42' },
      'Discord validation failed: The platform refuses ***.',
    ],
  ] as const)
    assert.equal(
      await post('/api/persona/create', { name: 'Eva', thinking_model: 'llama', ...tokens }),
      badRequest(detail),
    )
  assert.equal(setup.models.doneCalls, [])
  assert.is((await post('/api/persona/create', { name: 'Eva', thinking_model: 'llama', ...bots }))[0], 400)
  assert.equal(setup.models.doneCalls, ['prepare llama'])
  assert.is((await get('/api/personas'))[1].personas.length, personaCount)
})

// Fails if each add creates an entry: then two entries have the same token, and one of them always has an
// error.
test('keeps one unchanged channel when the same token is added twice, before and after pairing', async () => {
  const id = await born()
  const bot = createToken('eva_bot')
  const adds = await Promise.all([addChannel(id, 'telegram', bot), addChannel(id, 'telegram', ` ${bot}\n`)])
  assert.equal(adds, [
    [200, { kind: 'telegram' }],
    [200, { kind: 'telegram' }],
  ])
  assert.equal(await listChannels(id), [{ type: 'telegram', name: 'eva_bot', verified: false }])
  await telegram.write(bot, '501', 'hi')
  assert.is((await post(`${getPath(id)}/pair`, { code: await telegram.code('501') }))[0], 200)
  await waitFor('the greeting', () => telegram.getTextsTo('501').length === 2)

  const titlesBefore = getTitles(await setup.facts(id))
  assert.equal(await addChannel(id, 'telegram', bot), [200, { kind: 'telegram' }])
  assert.equal(await listChannels(id), [{ type: 'telegram', name: '501', verified: true }])
  // No restart either: the only new fact is the one that `facts` itself writes.
  assert.equal(getTitles(await setup.facts(id)), [...titlesBefore, 'Renamed'])
  assert.equal(await addChannel(id, 'discord', createToken('ada_bot')), [200, { kind: 'discord' }])
  assert.is((await listChannels(id)).length, 2)

  const otherId = await born()
  assert.equal(await addChannel(otherId, 'telegram', bot), [200, { kind: 'telegram' }])
  assert.equal(await listChannels(otherId), [{ type: 'telegram', name: 'eva_bot', verified: false }])
  for (const personaId of [id, otherId]) await post(`${getPath(personaId)}/delete`)
})

test('replaces the token of a bot, deletes the old one and keeps the pairing', async () => {
  const id = await born()
  const old = createToken('ida_bot')
  const freshToken = 'another-token-of-ida-0123456789'
  const bot = telegram.bots.get(old)
  if (!bot) throw new Error('unknown bot')
  await addChannel(id, 'telegram', old)
  await telegram.write(old, '601', 'hi')
  assert.is((await post(`${getPath(id)}/pair`, { code: await telegram.code('601') }))[0], 200)
  telegram.listener(old).onTrouble('The token was revoked.')
  const reason = async () => (await get(`${getPath(id)}/diagnose`))[1].channels[0].reason
  await waitFor('the channel error', async () => (await reason()) === 'The token was revoked.')
  telegram.bots.delete(old)
  telegram.bots.set(freshToken, bot)
  assert.is((await addChannel(id, 'telegram', old))[0], 400)

  assert.equal(await addChannel(id, 'telegram', freshToken), [200, { kind: 'telegram' }])
  assert.equal(await listChannels(id), [{ type: 'telegram', name: '601', verified: true }])
  const sentCount = telegram.getTextsTo('601').length
  await telegram.write(freshToken, '601', 'are you there?')
  await waitFor('an answer', () => telegram.getTextsTo('601').length > sentCount)
  assert.equal([telegram.getOpened().includes(old), await reason()], [false, null])
  assert.equal(telegram.getTextsTo('601').slice(sentCount), ['You said: are you there?'])
  assert.equal(await filesWith(createSecret('token', old), setup.daemon.home), [])
  assert.equal(await filesWith(createSecret('token', freshToken), setup.daemon.home), [
    `personas/${id}/secrets`,
  ])
  await post(`${getPath(id)}/delete`)
  telegram.bots.delete(freshToken)
  telegram.bots.set(old, bot)
})

test('distinguishes the code of a removed channel from that of a paired one', async () => {
  const id = await born({ telegram_token: createToken('eva_bot') })
  const bot = createToken('eva_bot')
  await telegram.write(bot, '1', 'hi')
  await telegram.write(bot, '2', 'hi')
  const firstCode = await telegram.code('1')
  const secondCode = await telegram.code('2')
  assert.is((await post(`${getPath(id)}/pair`, { code: firstCode }))[0], 200)
  assert.equal(
    await post(`${getPath(id)}/pair`, { code: secondCode }),
    badRequest('This channel is already verified.'),
  )
  await removeChannel(id, '1')

  assert.is((await addChannel(id, 'telegram', bot))[0], 200)
  assert.equal(await listChannels(id), [{ type: 'telegram', name: 'eva_bot', verified: false }])
  await telegram.write(bot, '3', 'hi')
  const thirdCode = await telegram.code('3')
  await removeChannel(id, 'eva_bot')
  assert.equal(
    await post(`${getPath(id)}/pair`, { code: thirdCode }),
    badRequest('The channel associated with this pairing code could not be found.'),
  )
})

test('migrates a diary with the bots that the request declares, unpaired; checks tokens after the diary and before the models', async () => {
  const bot = createToken('ivo_bot')
  const id = await born({ telegram_token: bot, discord_token: createToken('ada_bot') })
  await telegram.write(bot, '77', 'hi')
  assert.is((await post(`${getPath(id)}/pair`, { code: await telegram.code('77') }))[0], 200)
  const diary = await exportDiary(setup.daemon, id)
  const bring = (fields: object) => migrate(setup.daemon, { diary, ...fields })
  const checkedCountBefore = telegram.checkedTokens.length
  assert.is((await bring({ diary: Buffer.from('x'), telegram_token: bot }))[0], 400)
  assert.is(telegram.checkedTokens.length, checkedCountBefore)
  setup.models.doneCalls.length = 0
  assert.equal(
    await bring({ telegram_token: 'wrong-token-42' }),
    badRequest('Telegram validation failed: The platform refuses ***.'),
  )
  assert.equal(setup.models.doneCalls, [])
  assert.equal(
    (await listChannels(id)).map(({ name }: { name: string }) => name),
    ['77', 'ada_bot'],
  )
  const [status, { persona }] = await bring({ telegram_token: bot })
  assert.is(status, 200)
  assert.equal(persona.channels, [
    { type: 'telegram', name: 'ivo_bot', credentials: { token: bot }, verified_at: null },
  ])
  assert.is((await bring({}))[1].persona.channels.length, 0)
  await waitFor('the gateways to close', () => !telegram.getOpened().includes(bot))
})

test.run()
