/** A Telegram bot as its listener sees it: messages, troubles, and every text that leaves the daemon. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Log } from '../../packages/kit/log.ts'
import { createNetwork } from '../../packages/kit/network/network.ts'
import type { IncomingMessage, Listener } from '../../src/channels/platform.ts'
import { createTelegramPlatform } from '../../src/channels/telegram/platform.ts'
import { createFakeClock } from '../clock.ts'
import { createTelegramStandIn } from '../stand-ins/telegram.ts'

export interface Recorder extends Listener {
  readonly messages: IncomingMessage[]
  readonly events: string[]
  /** Called for each recorded message. */
  take: (message: IncomingMessage) => Promise<void>
}

export const neverAborts = new AbortController().signal

export interface Context {
  /** Closed after the test in reverse order. */
  open: { close(): Promise<unknown> }[]
  /** Every text that was logged or shown to a user. */
  lines: string[]
}

/** A suite whose tests fail if a text that leaves the daemon contains the token. */
export const telegramSuite = (name: string) => {
  const test = suite<Context>(name, { open: [], lines: [] })
  test.after.each(async ({ open, lines }) => {
    for (const { close } of open.splice(0).reverse()) await close()
    assert.not.ok(lines.splice(0).some((line) => line.includes('AAH-right')))
  })
  return test
}

export const createSetup = async ({ open, lines }: Context) => {
  const telegram = await createTelegramStandIn()
  const network = createNetwork({ env: {} })
  const clock = createFakeClock()
  const note = (fields: object, sentence: string) => void lines.push(`${sentence} ${JSON.stringify(fields)}`)
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const platform = createTelegramPlatform({ base: `${telegram.url}/`, clock, log, network })
  const bot = { id: String(telegram.bot.id), name: telegram.bot.username }

  const listener = (take: Recorder['take'] = async () => {}): Recorder => {
    const recorder: Recorder = {
      messages: [],
      events: [],
      take,
      onMessage: (message) => {
        recorder.messages.push(message)
        return recorder.take(message)
      },
      onPress: async () => null,
      onTrouble: (reason) => {
        lines.push(reason)
        recorder.events.push(reason)
      },
      onRecovery: () => void recorder.events.push('recovered'),
    }
    return recorder
  }
  const connect = (recorder: Recorder) => {
    const gateway = platform.open(telegram.token, bot, recorder, { folder: '' })
    open.push(gateway)
    return gateway
  }
  /** Resolves when pending calls would have arrived, to test that something does not happen. */
  const roundTrips = async () => {
    for (let times = 0; times < 5; times++) await (await fetch(telegram.url)).text()
  }
  open.push(telegram, network)
  return { roundTrips, telegram, platform, clock, words: lines, bot, listener, connect }
}

/** Returns the error of a rejected promise, and records its text. */
export const catchError = async <T extends Error>(work: Promise<unknown>, lines: string[]): Promise<T> => {
  try {
    await work
  } catch (error) {
    const { message, stack, cause } = error as Error
    lines.push(`${message} ${stack} ${String(cause)} ${JSON.stringify(error)}`)
    return error as T
  }
  throw new Error('it went well')
}

export const collectBytes = async (source: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}
