/** Strangers who write to a Telegram bot all the time, and its owner, who writes once. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { shareSetup } from '../contract/setup.ts'
import { createTelegramStandIn } from '../stand-ins/telegram.ts'
import { codeIn } from './platform.ts'

const minute = 60_000
const strangers = [201, 202, 203]
const owner = 99

const telegram = await createTelegramStandIn()
const clock = createFakeClock()
const setup = shareSetup(test, { clock, env: { TELEGRAM_API_BASE_URL: telegram.url } })
test.after(() => telegram.close())

const write = (chat: number) =>
  telegram.write({ text: 'hello?', chat: { id: chat, type: 'private', first_name: 'Somebody' } })
const codes = (chat: number) =>
  telegram.sentMessages.filter((item) => item.chat === String(chat)).flatMap(({ text }) => codeIn(text) ?? [])
const waitUntilTaken = () =>
  waitFor(
    'all that was written to be taken',
    () => telegram.getPending().length === 0 && telegram.polling() > 0,
  )

// Seen failing when a chat kept its place by writing again: the owner never got a code.
test('with three strangers who write every three minutes, a chat that writes once gets a code within eleven minutes, and it is valid', async () => {
  const id = await setup.born({ telegram_token: telegram.token })
  await waitFor('the bot to be polled', () => telegram.polling() > 0)
  const pass = async (minutes: number) => {
    for (let minutesPassed = 0; minutesPassed < minutes; minutesPassed++) {
      if (minutesPassed % 3 === 0) for (const chat of strangers) write(chat)
      await waitUntilTaken()
      await clock.advance(minute)
    }
  }
  await pass(6)
  for (const chat of strangers)
    assert.ok(codes(chat).length > 1, `${chat} was told ${codes(chat).length} codes`)
  write(owner)
  for (let minute = 0; minute < 11 && codes(owner).length === 0; minute++) await pass(1)
  await waitFor('the code of the owner', () => codes(owner).length === 1)
  await pass(8)
  assert.is(codes(owner).length, 1)
  const [status, { channel }] = await setup.post(`/api/persona/${id}/pair`, { code: codes(owner)[0] })
  assert.equal([status, channel?.name], [200, String(owner)])
  // Pending messages have arrived by then.
  await pass(1)
  const codeCount = strangers.flatMap(codes).length
  await pass(3)
  assert.is(strangers.flatMap(codes).length, codeCount)
  assert.equal((await setup.get(`/api/persona/${id}/conversation`))[1].messages, [])
})

test.run()
