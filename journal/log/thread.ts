/** A thread that gives an answer to each thing it is handed, in their order. */
import { type Transferable, Worker } from 'node:worker_threads'

export interface Thread<Asked, Told> {
  /** What of it is handed over is gone here. */
  ask(thing: Asked, handed?: readonly Transferable[]): void
  /** To the oldest that was not answered yet; undefined where the thread is gone. */
  next(): Promise<Told | undefined>
  /** How many were asked and not taken back. */
  onTheirWay(): number
  end(): Promise<unknown>
}

/** `data`: what it is told at its start. One that fails is gone without a word. */
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
