/** An update from Telegram that cannot be parsed is skipped, and later ones are received. */

import { test } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { BotApi } from '../../src/channels/telegram/bot-api.ts'
import { poll } from '../../src/channels/telegram/poll.ts'
import type { Bot } from '../../src/commands/bots.ts'
import { createFakeClock } from '../clock.ts'

test('skips an update that cannot be parsed, and receives the next one', async () => {
  const closed = new AbortController()
  const heard: unknown[] = []
  const lines: string[] = []
  const asked: unknown[] = []
  const api = {
    ask: async () => {
      asked.push(1)
      if (asked.length === 1) return [{ update_id: 1 }, { update_id: 2 }]
      closed.abort()
      return []
    },
  } as unknown as BotApi
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (fields: object) => lines.push(JSON.stringify(fields)),
  }
  await poll({
    api,
    log,
    clock: createFakeClock(),
    closeSignal: closed.signal,
    takePress: () => null,
    bot: { id: '12' } as Bot,
    clean: (words) => words.replace('12:token', '***'),
    listener: {
      onMessage: async (message) => void heard.push(message),
      onPress: async () => null,
      known: async () => [],
      onTrouble: (reason) => lines.push(`troubled: ${reason}`),
      onRecovery: () => {},
    },
    parseMessages: ([update]) => {
      const update_id = update?.update_id ?? 0
      if (update_id === 1) throw new TypeError('cannot read 12:token')
      return { update_id } as never
    },
  })
  equal(heard, [{ update_id: 2 }])
  is(lines.length, 1)
  match(lines[0] ?? '', 'cannot read ***')
})

test.run()
