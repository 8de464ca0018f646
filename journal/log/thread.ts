/** A worker thread that answers requests in order. */
import { type Transferable, Worker } from 'node:worker_threads'

export interface Thread<Asked, Told> {
  /** Transferred buffers are no longer usable here. */
  ask(thing: Asked, handed?: readonly Transferable[]): void
  /** Resolves with the oldest pending answer, or undefined if the thread has ended. */
  next(): Promise<Told | undefined>
  /** Number of requests without a received answer. */
  onTheirWay(): number
  end(): Promise<unknown>
}

/** `data`: passed to the thread at its start. A thread that fails ends silently. */
export const openThread = <Asked, Told>(file: URL, data?: unknown): Thread<Asked, Told> => {
  const worker = new Worker(file, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
  })
  const told: Told[] = []
  let [isGone, asked, wake] = [false, 0, () => {}]
  const leave = () => {
    isGone = true
    wake()
  }
  worker.on('error', leave).on('exit', leave)
  worker.on('message', (answer: Told) => {
    told.push(answer)
    wake()
  })
  return {
    ask: (thing, handed = []) => {
      asked++
      worker.postMessage(thing, handed)
    },
    next: async () => {
      while (told.length === 0 && !isGone)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      asked--
      return told.shift()
    },
    onTheirWay: () => asked,
    end: () => worker.terminate(),
  }
}
