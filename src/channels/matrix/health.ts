/** Reports when a Matrix account receives no messages until the user acts, and when it does again. */
import { pauseAfter } from '../../../packages/kit/flow/backoff.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import { type MatrixError, storageFailed } from '../../../packages/matrix/api.ts'
import type { Listener } from '../platform.ts'

export interface Health {
  isHealthy(): boolean
  onSuccess(): void
  onStored(): void
  /** Returns the pause in ms, or null if retrying does not help. */
  onFailure(error: MatrixError): number | null
  /** Why no messages arrive although the server answers, or null. */
  setRoomTrouble(reason: string | null): void
}

interface Failures {
  readonly startedAt: number
  readonly times: number
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
  let storageTrouble: string | null = null
  /** Failures since the last success, of the server and of the disk. */
  let silence: Failures | null = null
  let storageFailures: Failures | null = null
  const addFailure = (failures: Failures | null): Failures => ({
    startedAt: failures?.startedAt ?? clock.now(),
    times: (failures?.times ?? 0) + 1,
  })
  const isLong = ({ startedAt }: Failures) => clock.now() - startedAt >= 3 * minute

  const report = () => {
    const trouble = connectionTrouble ?? storageTrouble ?? roomTrouble
    if (connectionTrouble === undefined && trouble === null) return
    if (trouble === reportedTrouble) return
    reportedTrouble = trouble
    if (trouble === null) listener.onRecovery()
    else listener.onTrouble(trouble)
  }

  return {
    isHealthy: () => connectionTrouble === null && storageTrouble === null,
    onSuccess: () => {
      silence = null
      connectionTrouble = null
      report()
    },
    onStored: () => {
      storageFailures = null
      storageTrouble = null
      report()
    },
    onFailure: ({ kind, code, message, wait }) => {
      if (code === storageFailed) {
        storageFailures = addFailure(storageFailures)
        if (isLong(storageFailures) && storageTrouble === null) {
          storageTrouble = `${message} No messages are received until that works. I keep trying.`
          report()
        }
        return Math.max(wait ?? 0, pauseAfter(storageFailures.times))
      }
      if (kind === 'token') {
        connectionTrouble = `${message} Add the account again, with a new access token or with the password. The pairing stays.`
        report()
        return null
      }
      silence = addFailure(silence)
      // Reported once, because the exact error may differ between attempts.
      if (isLong(silence) && typeof connectionTrouble !== 'string') {
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
