/** An update from Telegram that cannot be parsed is skipped, and later ones are received. */

import { test } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { BotApi } from '../../src/channels/telegram/bot-api.ts'
import { poll } from '../../src/channels/telegram/poll.ts'
import type { Bot } from '../../src/commands/bots.ts'
import { createFakeClock } from '../clock.ts'

test('skips an update that cannot be parsed, and receives the next one', async () => {
  const closeController = new AbortController()
  const incomingMessages: unknown[] = []
  const lines: string[] = []
  const requests: unknown[] = []
  const api = {
    ask: async () => {
      requests.push(1)
      if (requests.length === 1) return [{ update_id: 1 }, { update_id: 2 }]
      closeController.abort()
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
    closeSignal: closeController.signal,
    takePress: () => null,
    bot: { id: '12' } as Bot,
    clean: (text) => text.replace('12:token', '***'),
    listener: {
      onMessage: async (message) => void incomingMessages.push(message),
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
  equal(incomingMessages, [{ update_id: 2 }])
  is(lines.length, 1)
  match(lines[0] ?? '', 'cannot read ***')
})

test.run()
