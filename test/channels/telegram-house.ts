/**
 * A daemon with one Telegram bot in it, as its channel sees them: what it hears, what troubles it, and every
 * word that could leave it.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Log } from '../../packages/kit/log.ts'
import { createNetwork } from '../../packages/kit/network/network.ts'
import type { Heard, Listener } from '../../src/channels/platform.ts'
import { createTelegram } from '../../src/channels/telegram/platform.ts'
import { createFakeClock } from '../clock.ts'
import { createTelegramStandIn } from '../stand-ins/telegram.ts'

export interface Recorder extends Listener {
  readonly messages: Heard[]
  readonly events: string[]
  /** What happens to a message once it is noted. */
  take: (message: Heard) => Promise<void>
}

export const never = new AbortController().signal

export interface Context {
  /** Closed after the test, the last first. */
  open: { close(): Promise<unknown> }[]
  /** Everything that was logged or told to a person. */
  words: string[]
}

/** Tests of which each fails where the token gets into any word that leaves the daemon. */
export const telegramSuite = (name: string) => {
  const test = suite<Context>(name, { open: [], words: [] })
  test.after.each(async ({ open, words }) => {
    for (const { close } of open.splice(0).reverse()) await close()
    assert.not.ok(words.splice(0).some((line) => line.includes('AAH-right')))
  })
  return test
}

export const createSetup = async ({ open, words }: Context) => {
  const telegram = await createTelegramStandIn()
  const network = createNetwork({ env: {} })
  const clock = createFakeClock()
  const note = (fields: object, sentence: string) => void words.push(`${sentence} ${JSON.stringify(fields)}`)
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const platform = createTelegram({ base: `${telegram.url}/`, clock, log, network })
  const bot = { id: String(telegram.bot.id), name: telegram.bot.username }

  const listener = (take: Recorder['take'] = async () => {}): Recorder => {
    const recorder: Recorder = {
      messages: [],
      events: [],
      take,
      heard: (message) => {
        recorder.messages.push(message)
        return recorder.take(message)
      },
      pressed: async () => null,
      troubled: (reason) => {
        words.push(reason)
        recorder.events.push(reason)
      },
      recovered: () => void recorder.events.push('recovered'),
    }
    return recorder
  }
  const connect = (recorder: Recorder) => {
    const gateway = platform.open(telegram.token, bot, recorder)
    open.push(gateway)
    return gateway
  }
  /** Time for what must not happen: calls that were on their way have arrived when this resolves. */
  const roundTrips = async () => {
    for (let times = 0; times < 5; times++) await (await fetch(telegram.url)).text()
  }
  open.push(telegram, network)
  return { roundTrips, telegram, platform, clock, words, bot, listener, connect }
}

/** What a promise was rejected with, noted among the words. */
export const caught = async <T extends Error>(work: Promise<unknown>, words: string[]): Promise<T> => {
  try {
    await work
  } catch (error) {
    const { message, stack, cause } = error as Error
    words.push(`${message} ${stack} ${String(cause)} ${JSON.stringify(error)}`)
    return error as T
  }
  throw new Error('it went well')
}

export const bytesOf = async (source: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}
