/** A persona with a Telegram bot and one user: compares the sent messages with the conversation. */
import * as assert from 'uvu/assert'
import { pause, waitFor } from '../calls.ts'
import { codeIn } from '../channels/platform.ts'
import { call, create } from '../cluster/daemons.ts'
import type { TelegramStandIn } from '../stand-ins/telegram.ts'
import { getConversation } from './hosts-talk.ts'
import type { Member } from './hosts-world.ts'

export interface Bot {
  readonly id: string
  /** Number of messages that the bot sent twice. */
  readonly countDuplicates: () => number
  /**
   * Writes messages one after the other, each after the reply to the last. Returns a function that stops it.
   */
  talk(): () => Promise<void>
  /** Every reply was sent once; duplicates are counted in `doubled`. */
  judge(members: readonly Member[]): Promise<void>
}

/** The channel permits duplicates: a message that is being sent when its daemon dies may be sent twice. */
export const openBot = async (telegram: TelegramStandIn, [first]: readonly Member[]): Promise<Bot> => {
  if (!first) throw new Error('no daemon')
  const id = await create(first.url, 'Bot', { telegram_token: telegram.token })
  const getTexts = () => telegram.sentMessages.map((message) => message.text)
  telegram.write({ text: 'hello' })
  const code = await waitFor('a code', () => codeIn(getTexts().at(-1) ?? ''))
  const [status] = await call(`${first.url}/api/persona/${id}/pair`, { method: 'POST', body: { code } })
  assert.is(status, 200)
  await waitFor('the reply to the pairing', () => getTexts().some((text) => text.startsWith('We are paired')))
  const start = getTexts().length
  let writeCount = 0
  const countDuplicates = () => getTexts().length - start - writeCount
  return {
    id,
    countDuplicates,
    talk: () => {
      let isStopped = false
      const talkToBot = async () => {
        while (!isStopped) {
          const answer = `I will remember that the number ${++writeCount}.`
          telegram.write({ text: `Remember the number ${writeCount}.` })
          // A duplicate of an earlier reply does not count.
          const isSent = () => getTexts().some((text) => text.startsWith(answer))
          await waitFor(`a reply of the bot to ${writeCount}`, isSent, 60_000)
          await pause(200)
        }
      }
      const whenFinished = talkToBot()
      return async () => {
        isStopped = true
        await whenFinished
      }
    },
    judge: async (members) => {
      // Duplicates may still arrive.
      await pause(500)
      const sentTexts = [...new Set(getTexts().slice(start))]
      for (const member of members) {
        const messages = await getConversation(member.url, id, writeCount * 2)
        const replies = messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)
        assert.equal(replies, sentTexts)
        assert.is(replies.length, writeCount)
      }
    },
  }
}
