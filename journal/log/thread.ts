/** A worker thread that answers requests in order. */
import { type Transferable, Worker } from 'node:worker_threads'

export interface Thread<Asked, Told> {
  /** Transferred buffers are no longer usable here. */
  ask(request: Asked, transferList?: readonly Transferable[]): void
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
  const answers: Told[] = []
  let hasEnded = false
  let pendingCount = 0
  let wake = () => {}
  const leave = () => {
    hasEnded = true
    wake()
  }
  worker.on('error', leave).on('exit', leave)
  worker.on('message', (answer: Told) => {
    answers.push(answer)
    wake()
  })
  return {
    ask: (request, transferList = []) => {
      pendingCount++
      worker.postMessage(request, transferList)
    },
    next: async () => {
      while (answers.length === 0 && !hasEnded)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      pendingCount--
      return answers.shift()
    },
    onTheirWay: () => pendingCount,
    end: () => worker.terminate(),
  }
}
