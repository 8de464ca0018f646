import * as assert from 'uvu/assert'
import { toReadable } from '../../projections/message-parts.ts'
import { TokenRefused } from '../../src/commands/bots.ts'
import { waitFor } from '../calls.ts'
import { catchError, createSetup, neverAborts, telegramSuite } from './telegram-house.ts'

const test = telegramSuite('telegram')

test('finds the bot of a token, and describes the problem of an invalid one', async (context) => {
  const { telegram, platform, bot, words } = await createSetup(context)
  assert.equal(await platform.check(telegram.token, neverAborts), bot)
  const unknownToken = 'Telegram does not know this token. Copy it again from @BotFather.'
  for (const wrong of ['4242:AAH-wrong_token_of_this_bot_0123456789', 'hello']) {
    const error = await catchError<TokenRefused>(platform.check(wrong, neverAborts), words)
    assert.instance(error, TokenRefused)
    assert.is(error.message, unknownToken)
  }
  const callCount = telegram.log.length
  for (const oddToken of ['../../x', '', 'a b', '4242:AAH\n', 'x?y=1'])
    assert.is((await catchError(platform.check(oddToken, neverAborts), words)).message, unknownToken)
  assert.is(telegram.log.length, callCount)
})

test('reports why a token cannot be checked now', async (context) => {
  const { telegram, platform, words } = await createSetup(context)
  const host = telegram.url.replace('http://', '')
  const getReason = async (signal = neverAborts) =>
    (await catchError<TokenRefused>(platform.check(telegram.token, signal), words)).message
  telegram.fail('getMe', 'babble')
  assert.is(
    await getReason(),
    `Telegram could not be reached at ${host}: the server does not answer like Telegram.`,
  )
  telegram.fail('getMe', {
    code: 429,
    description: 'Too Many Requests: retry after 7',
    parameters: { retry_after: 7 },
  })
  assert.match(await getReason(), /429: Too Many Requests: retry after 7.*again/)
  telegram.fail('getMe', 'hang')
  assert.is(
    await getReason(AbortSignal.timeout(50)),
    `Telegram could not be reached at ${host}: no answer came in time.`,
  )
  telegram.fail('getMe', { code: 403, description: `Forbidden: ${telegram.token} is odd` })
  assert.match(await getReason(), /\*\*\* is odd/)
  await telegram.leave()
  assert.match(
    await getReason(),
    /^Telegram could not be reached at 127[\d.:]+: (nothing answers there|the connection was cut)\.$/,
  )
})

test('receives messages of a pause in order, and acknowledges them once they are stored', async (context) => {
  const { telegram, connect, listener, bot } = await createSetup(context)
  const first = telegram.write({ text: 'one' })
  const second = telegram.write({ text: 'two' })
  const offsets: (readonly number[])[] = []
  const ear = listener(async () => void offsets.push(telegram.getPending()))
  connect(ear)
  await waitFor('both to be confirmed', () => telegram.getPending().length === 0)
  assert.equal(offsets, [
    [first, second],
    [first, second],
  ])
  const third = telegram.write({ text: 'three' })
  await waitFor(
    'the third to be confirmed',
    () => ear.messages.length === 3 && telegram.getPending().length === 0,
  )
  assert.equal(
    ear.messages.map(({ key, target, direct, parts, files, command }) => ({
      key,
      target,
      direct,
      content: toReadable(parts),
      files,
      command,
    })),
    [first, second, third].map((id, place) => ({
      key: `telegram:${bot.id}:${id}`,
      target: '99',
      direct: true,
      content: ['one', 'two', 'three'][place],
      files: [],
      command: null,
    })),
  )
})

test('accepts update ids that restart after a quiet week', async (context) => {
  const { telegram, connect, listener } = await createSetup(context)
  const ear = listener()
  connect(ear)
  telegram.write({ text: 'before' })
  await waitFor('it to be confirmed', () => ear.messages.length === 1 && telegram.getPending().length === 0)
  telegram.renumber(1234)
  telegram.write({ text: 'after' })
  telegram.write({ text: 'and on' })
  await waitFor('all to be confirmed', () => telegram.getPending().length === 0 && telegram.polling() === 1)
  assert.equal(
    ear.messages.map(({ parts }) => toReadable(parts)),
    ['before', 'after', 'and on'],
  )
})

// Seen failing when the offset advanced before the message was stored.
test('receives an unacknowledged message again under the same key', async (context) => {
  const { telegram, connect, listener, roundTrips } = await createSetup(context)
  const id = telegram.write({ text: 'keep me' })

  // Stored, and closed before the next request could acknowledge it.
  const first = listener()
  const gateway = connect(first)
  let closePromise: Promise<void> | undefined
  first.take = async () => {
    closePromise = gateway.close()
  }
  await waitFor('the first listener to receive it', () => closePromise !== undefined)
  await closePromise
  assert.equal(telegram.getPending(), [id])

  // Not stored yet when the gateway closes, and stored after that.
  let take = () => {}
  const whenTaken = new Promise<void>((resolve) => {
    take = resolve
  })
  const second = listener(() => whenTaken)
  const otherBot = connect(second)
  await waitFor('the second listener to receive it', () => second.messages.length === 1)
  const callCount = telegram.calls('getUpdates')
  // A premature acknowledgement would have arrived by then.
  await roundTrips()
  assert.is(telegram.calls('getUpdates'), callCount)
  await otherBot.close()
  take()
  const third = listener()
  connect(third)
  await waitFor(
    'the third to have it confirmed',
    () => third.messages.length === 1 && telegram.getPending().length === 0,
  )
  assert.is(telegram.log.filter(({ params }) => params.offset === String(id + 1)).length, 1)
  assert.ok(telegram.calls('getUpdates') > callCount)
  assert.is(new Set([first, second, third].map(({ messages }) => messages[0]?.key)).size, 1)
})

test('aborts a running poll when it is closed, and stops polling', async (context) => {
  const { telegram, connect, listener, roundTrips } = await createSetup(context)
  const gateway = connect(listener())
  await waitFor('the question to be open', () => telegram.polling() === 1)
  await gateway.close()
  await waitFor('the question to end', () => telegram.polling() === 0)
  telegram.write({ text: 'too late' })
  await roundTrips()
  assert.is(telegram.calls('getUpdates'), 2)
  assert.is(telegram.getPending().length, 1)
})

// Seen failing without the pause: it was repeated in a tight loop.
test('repeats a message that could not be stored after a growing pause, before the next one', async (context) => {
  const { telegram, connect, listener, clock, words, roundTrips } = await createSetup(context)
  telegram.write({ text: 'bad' })
  telegram.write({ text: 'good' })
  let isBroken = true
  const ear = listener(async ({ parts }) => {
    const content = toReadable(parts)
    if (content === 'bad' && isBroken) throw new Error(`the disk is full at ${telegram.token}`)
  })
  connect(ear)
  const tellings = (times: number) =>
    waitFor(
      `telling ${times}`,
      () => words.filter((line) => line.includes('failed to store a message from Telegram')).length === times,
    )
  await tellings(1)
  await clock.advance(999)
  await roundTrips()
  assert.is(ear.messages.length, 1)
  await clock.advance(1)
  await tellings(2)
  await clock.advance(1999)
  assert.is(ear.messages.length, 2)
  isBroken = false
  await clock.advance(1)
  await waitFor('the rest', () => telegram.getPending().length === 0)
  assert.equal(
    ear.messages.map(({ parts }) => toReadable(parts)),
    ['bad', 'bad', 'bad', 'good'],
  )
  assert.is(telegram.calls('getUpdates'), 2)
})

test('reports a revoked token, and stops polling', async (context) => {
  const { telegram, connect, listener, clock, roundTrips } = await createSetup(context)
  const ear = listener()
  const gateway = connect(ear)
  await waitFor('the question to be open', () => telegram.polling() === 1)
  telegram.rekey('4242:AAH-another_token_of_this_bot_012345678')
  telegram.write({ text: 'hello?' })
  await waitFor('trouble', () => ear.events.length === 2)
  assert.is(ear.events[0], 'recovered')
  assert.match(ear.events[1] ?? '', /no longer accepts the token.*@BotFather/)
  assert.is(ear.messages.length, 1)
  const callCount = telegram.calls('getUpdates')
  await clock.advance(600_000)
  await roundTrips()
  assert.is(telegram.calls('getUpdates'), callCount)
  await gateway.close()
})

test('reports another polling program, retries each minute, and recovers', async (context) => {
  const { telegram, connect, listener, clock } = await createSetup(context)
  const ear = listener()
  telegram.webhook('https://elsewhere.example/hook')
  connect(ear)
  await waitFor('trouble', () => ear.events.length === 1)
  assert.match(ear.events[0] ?? '', /webhook.*Remove/)
  await clock.advance(59_999)
  telegram.webhook('')
  telegram.write({ text: 'at last' })
  assert.is(ear.messages.length, 0)
  await waitFor('it to recover', async () => {
    await clock.advance(1)
    return ear.events.length === 2 && telegram.polling() === 1
  })
  assert.is(ear.events[1], 'recovered')
  assert.is(ear.messages.length, 1)

  const otherPoll = fetch(`${telegram.url}/bot${telegram.token}/getUpdates?timeout=30`).then((response) =>
    response.json(),
  )
  await waitFor('trouble again', () => ear.events.length === 3)
  assert.match(ear.events[2] ?? '', /Another program fetches.*only one can/)
  await waitFor('it to be the only one again', async () => {
    await clock.advance(10_000)
    return telegram.polling() === 1 && ear.events.length === 3 && telegram.calls('getUpdates') >= 5
  })
  assert.is(((await otherPoll) as { error_code: number }).error_code, 409)
  telegram.write({ text: 'more' })
  await waitFor('it to recover', () => ear.events.length === 4 && ear.messages.length === 2)
  assert.is(ear.events[3], 'recovered')
})

test('retries when Telegram cannot be reached, reports it after three minutes, and recovers', async (context) => {
  const { telegram, connect, listener, clock } = await createSetup(context)
  const ear = listener()
  await telegram.leave()
  const startedAt = clock.now()
  connect(ear)
  await waitFor('trouble', async () => {
    await clock.advance(5000)
    return ear.events.length === 1
  })
  assert.ok(clock.now() - startedAt >= 180_000)
  assert.match(
    ear.events[0] ?? '',
    /^Telegram has not answered for some minutes: nothing answers there\. I keep trying\.$/,
  )
  await telegram.restore()
  telegram.fail('getUpdates', 'babble')
  telegram.fail('getUpdates', 'cut')
  telegram.fail('getUpdates', { code: 502, description: 'Bad Gateway' })
  telegram.write({ text: 'there you are' })
  await waitFor('it to recover', async () => {
    await clock.advance(10_000)
    return ear.messages.length === 1 && telegram.getPending().length === 0
  })
  assert.equal(ear.events.slice(1), ['recovered'])
})

test('waits as long as Telegram requests', async (context) => {
  const { telegram, connect, listener, clock } = await createSetup(context)
  const ear = listener()
  telegram.write({ text: 'hi' })
  telegram.fail('getUpdates', {
    code: 429,
    description: 'Too Many Requests: retry after 30',
    parameters: { retry_after: 30 },
  })
  connect(ear)
  await waitFor('the first question', () => telegram.calls('getUpdates') === 1)
  const askedAt = clock.now()
  await waitFor('the message', async () => {
    await clock.advance(5000)
    return ear.messages.length === 1
  })
  assert.ok(clock.now() - askedAt >= 30_000)
  assert.equal(ear.events, ['recovered'])
})

// Seen failing without either of the two pauses.
test('does not poll in a tight loop if long polls end early or an acknowledgement is lost', async (context) => {
  const { telegram, connect, listener, clock } = await createSetup(context)
  telegram.faults.hasty = true
  const ear = listener()
  connect(ear)
  await waitFor('the second question', () => telegram.calls('getUpdates') === 2)
  await clock.advance(999)
  assert.is(telegram.calls('getUpdates'), 2)
  await waitFor('the third', async () => {
    await clock.advance(500)
    return telegram.calls('getUpdates') === 3
  })

  telegram.faults.deaf = true
  const id = telegram.write({ text: 'again and again' })
  await waitFor('it to be reported', async () => {
    await clock.advance(1000)
    return ear.messages.length === 1
  })
  const callCountBefore = telegram.calls('getUpdates')
  await waitFor('it to be handed over twice', async () => {
    await clock.advance(1000)
    return telegram.calls('getUpdates') > callCountBefore + 1
  })
  const callCount = telegram.calls('getUpdates')
  await clock.advance(900)
  assert.is(telegram.calls('getUpdates') - callCount <= 1, true)
  assert.is(ear.messages.length, 1)
  telegram.faults.deaf = false
  await waitFor('it to be confirmed', async () => {
    await clock.advance(1000)
    return !telegram.getPending().includes(id)
  })
})

test.run()
