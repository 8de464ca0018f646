/** Reports when a Matrix account receives no messages until the user acts, and when it does again. */
import { pauseAfter } from '../../../packages/kit/flow/backoff.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import type { MatrixError } from '../../../packages/matrix/api.ts'
import type { Listener } from '../platform.ts'

export interface Health {
  isHealthy(): boolean
  onSuccess(): void
  /** Returns the pause in ms, or null if retrying does not help. */
  onFailure(error: MatrixError): number | null
  /** Why no messages arrive although the server answers, or null. */
  setRoomTrouble(reason: string | null): void
}

const minute = 60_000

export const createHealth = ({
  clock,
  listener,
}: {
  readonly clock: Clock
  readonly listener: Pick<Listener, 'onTrouble' | 'onRecovery'>
}): Health => {
  /** Undefined until the server has answered for the first time. */
  let connectionTrouble: string | null | undefined
  let roomTrouble: string | null = null
  let reportedTrouble: string | null | undefined
  let silence: { readonly startedAt: number; readonly times: number } | null = null

  const report = () => {
    const trouble = connectionTrouble ?? roomTrouble
    if (connectionTrouble === undefined && trouble === null) return
    if (trouble === reportedTrouble) return
    reportedTrouble = trouble
    if (trouble === null) listener.onRecovery()
    else listener.onTrouble(trouble)
  }

  return {
    isHealthy: () => connectionTrouble === null,
    onSuccess: () => {
      silence = null
      connectionTrouble = null
      report()
    },
    onFailure: ({ kind, message, wait }) => {
      if (kind === 'token') {
        connectionTrouble = `${message} Add the account again, with a new access token or with the password. The pairing stays.`
        report()
        return null
      }
      silence = { startedAt: silence?.startedAt ?? clock.now(), times: (silence?.times ?? 0) + 1 }
      // Reported once, because the exact error may differ between attempts.
      if (clock.now() - silence.startedAt >= 3 * minute && typeof connectionTrouble !== 'string') {
        connectionTrouble = `The homeserver has not answered usably for some minutes: ${message.replace(/\.$/, '')}. I keep trying.`
        report()
      }
      return Math.max(wait ?? 0, pauseAfter(silence.times))
    },
    setRoomTrouble: (reason) => {
      roomTrouble = reason
      report()
    },
  }
}
