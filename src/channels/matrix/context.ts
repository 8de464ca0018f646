import type { Log } from '../../../packages/kit/log.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import type { Rooms } from '../../../packages/matrix/rooms.ts'
import type { Connection, EventSender } from '../../../packages/matrix/send-event.ts'
import type { Bot } from '../../commands/bots.ts'
import type { Listener } from '../platform.ts'

/** Shared by the parts of a gateway. */
export interface MatrixContext {
  readonly bot: Bot
  /** Returns the connection, which is made once. Rejects with MatrixError. */
  readonly connect: () => Promise<Connection>
  readonly rooms: Rooms
  readonly sender: EventSender
  readonly listener: Listener
  readonly clock: Clock
  readonly log: Log
  /** Aborts when the gateway is closed. */
  readonly signal: AbortSignal
}
