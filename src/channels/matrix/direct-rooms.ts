/**
 * Decides which rooms count as a chat with one person. In a group any member could request a pairing code,
 * and every member could then write to the persona.
 */
import * as z from 'zod'
import { roomPath } from '../../../packages/matrix/api.ts'
import type { MatrixContext } from './context.ts'

/** The state of a room that a bridge made: https://github.com/matrix-org/matrix-spec-proposals/pull/2346 */
const BridgeState = z.object({
  type: z.enum(['m.bridge', 'uk.half-shot.bridge']),
  sender: z.string(),
  content: z.object({ bridgebot: z.string() }),
})

/**
 * A third member is allowed if it is the bot of a bridge on the server of the account: a bridge transfers the
 * chats of another network, and its bot is in each of their rooms. Rejects with MatrixError.
 */
export const isDirectRoom = async (
  room: string,
  { bot, connect, rooms, signal }: Pick<MatrixContext, 'bot' | 'connect' | 'rooms' | 'signal'>,
): Promise<boolean> => {
  const { members } = await rooms.get(room, signal)
  if (members.size !== 3) return members.size <= 2
  const { api } = await connect()
  const state = await api.call({ method: 'GET', path: roomPath(room, 'state'), signal })
  return (Array.isArray(state) ? state : []).some((event: unknown) => {
    const { data } = BridgeState.safeParse(event)
    if (!data || data.sender !== data.content.bridgebot) return false
    return data.sender !== bot.id && members.has(data.sender) && getServer(data.sender) === getServer(bot.id)
  })
}

const getServer = (userId: string): string => userId.slice(userId.indexOf(':') + 1)
