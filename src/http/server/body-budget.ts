/** One budget for the bytes of all large request bodies. A body that does not fit waits in line. */
import { HttpRefused } from '../schema/refused.ts'

/**
 * In bytes. Smaller bodies are not counted and never wait: the number of connections bounds what they take.
 */
export const smallBody = 64 * 1024

/** The share of one body. */
export interface Hold {
  /** Gives back all but so many bytes. */
  shrink(bytes: number): void
  release(): void
}

export interface BodyBudget {
  /**
   * Resolves when `bytes` fit, in the order of the calls. A body that is larger than the budget is admitted
   * when nothing else is held. Refused: too_busy. Rejects with the reason of `gone` when that aborts first.
   */
  take(bytes: number, gone: AbortSignal): Promise<Hold>
  /** Bytes that are held now. */
  held(): number
  /** Bodies that wait now. */
  waiting(): number
}

interface Options {
  readonly maxBytes: number
  readonly maxWaitMs?: number
  readonly maxWaiting?: number
}

interface Waiting {
  readonly bytes: number
  readonly admit: () => void
}

/** ⏱ A talk with pictures of 14 MB is read in 0.3 s on a slow machine, so 64 of them in about 20 s. */
export const createBodyBudget = ({ maxBytes, maxWaitMs = 20_000, maxWaiting = 64 }: Options): BodyBudget => {
  const line: Waiting[] = []
  let held = 0

  const fits = (bytes: number) => held === 0 || held + bytes <= maxBytes
  const admitNext = () => {
    for (let first = line[0]; first && fits(first.bytes); first = line[0]) {
      line.shift()
      first.admit()
    }
  }
  const hold = (bytes: number): Hold => {
    let own = bytes
    held += own
    const shrink = (left: number) => {
      if (left >= own) return
      held -= own - left
      own = left
      admitNext()
    }
    return { shrink, release: () => shrink(0) }
  }
  const wait = (bytes: number, gone: AbortSignal) =>
    new Promise<Hold>((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        gone.removeEventListener('abort', onGone)
      }
      const leave = (reason: unknown) => {
        stop()
        line.splice(line.indexOf(waiting), 1)
        reject(reason as Error)
        // The one behind it may be smaller.
        admitNext()
      }
      const onGone = () => leave(gone.reason)
      const waiting = {
        bytes,
        admit: () => {
          stop()
          resolve(hold(bytes))
        },
      }
      const timer = setTimeout(() => leave(tooBusy()), maxWaitMs)
      gone.addEventListener('abort', onGone, { once: true })
      line.push(waiting)
    })

  return {
    take: async (bytes, gone) => {
      gone.throwIfAborted()
      if (line.length === 0 && fits(bytes)) return hold(bytes)
      if (line.length >= maxWaiting) throw tooBusy()
      return wait(bytes, gone)
    },
    held: () => held,
    waiting: () => line.length,
  }
}

const tooBusy = () => new HttpRefused({ code: 'too_busy' })
