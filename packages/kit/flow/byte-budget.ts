/** A shared memory budget in bytes. Requests that do not fit wait in order. */

/** The share of one user of the budget. */
export interface Hold {
  /** Reduces the share to `bytes`. */
  shrink(bytes: number): void
  release(): void
}

export interface ByteBudget {
  /**
   * Resolves when `bytes` fit. More than the whole budget is admitted when nothing else is held. Rejects with
   * `tooBusy` if too many wait, or after the longest wait, and with the reason of `signal` when it aborts.
   */
  take(bytes: number, signal: AbortSignal): Promise<Hold>
  /** Bytes in use. */
  getHeldBytes(): number
  /** Number of waiting calls. */
  getWaitingCount(): number
}

interface Options {
  readonly maxBytes: number
  /** Limits of the waiting line. Default: unlimited. */
  readonly line?: {
    readonly maxWaitMs: number
    readonly maxWaiting: number
    readonly tooBusy: () => Error
  }
}

interface Waiting {
  readonly bytes: number
  readonly admit: () => void
}

export const createByteBudget = ({ maxBytes, line: limits }: Options): ByteBudget => {
  const line: Waiting[] = []
  let heldBytes = 0

  const isFitting = (bytes: number) => heldBytes === 0 || heldBytes + bytes <= maxBytes
  const admitNext = () => {
    for (let first = line[0]; first && isFitting(first.bytes); first = line[0]) {
      line.shift()
      first.admit()
    }
  }
  const hold = (bytes: number): Hold => {
    let ownBytes = bytes
    heldBytes += ownBytes
    const shrink = (bytesLeft: number) => {
      if (bytesLeft >= ownBytes) return
      heldBytes -= ownBytes - bytesLeft
      ownBytes = bytesLeft
      admitNext()
    }
    return { shrink, release: () => shrink(0) }
  }
  const wait = (bytes: number, signal: AbortSignal) =>
    new Promise<Hold>((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      const leave = (reason: Error) => {
        stop()
        line.splice(line.indexOf(waiter), 1)
        reject(reason)
        // The next one may be smaller and fit.
        admitNext()
      }
      const onAbort = () => leave(signal.reason)
      const waiter = {
        bytes,
        admit: () => {
          stop()
          resolve(hold(bytes))
        },
      }
      const timer = limits && setTimeout(() => leave(limits.tooBusy()), limits.maxWaitMs)
      signal.addEventListener('abort', onAbort, { once: true })
      line.push(waiter)
    })

  return {
    take: async (bytes, signal) => {
      signal.throwIfAborted()
      if (line.length === 0 && isFitting(bytes)) return hold(bytes)
      if (limits && line.length >= limits.maxWaiting) throw limits.tooBusy()
      return wait(bytes, signal)
    },
    getHeldBytes: () => heldBytes,
    getWaitingCount: () => line.length,
  }
}
