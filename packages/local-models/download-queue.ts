/** Downloads models one after the other, with progress, rate and time left. */
import { ModelError } from '../models/models.ts'
import type { Proof } from '../models/prove-mind.ts'

export interface Download {
  /** The name of the model. */
  readonly name: string
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  /** The current step, for the user. */
  readonly status: string
  /** In bytes, null while unknown. */
  readonly completed: number | null
  readonly total: number | null
  readonly bytesPerSecond: number | null
  readonly secondsLeft: number | null
  /** One sentence, if it failed. */
  readonly reason: string | null
  /** The result of its test. Null if it was not tested. */
  readonly proof: Proof | null
}

export interface WorkReport {
  readonly status: string
  readonly completed: number | null
  readonly total: number | null
}

interface QueueDeps {
  /** Downloads a model, and tests it on request. Throws `ModelError`, or the signal's reason. */
  readonly work: (
    name: string,
    report: (progress: WorkReport) => void,
    signal: AbortSignal,
  ) => Promise<Proof | null>
  readonly onChange: (download: Download) => void
  /** A monotonic clock in ms. */
  readonly now: () => number
}

export interface DownloadQueue {
  /** Queues a model. A model that is queued already is not queued twice. */
  add(name: string): Download
  /** Returns false if the model is not queued. */
  cancel(name: string): boolean
  /** The queued downloads, and the last finished ones. */
  list(): readonly Download[]
  /** Resolves with the final state of a download. */
  whenFinished(name: string): Promise<Download>
  /** Stops without cancelling, so that partial files stay. */
  close(): Promise<void>
}

/** The reason of the signal after the user has cancelled. */
export class DownloadCancelled extends Error {
  override readonly name = 'DownloadCancelled'
}

interface Entry {
  download: Download
  readonly controller: AbortController
  readonly finished: Promise<Download>
  readonly finish: (download: Download) => void
}

const reportEveryMs = 250
const maxFinished = 20

export const createDownloadQueue = ({ work, onChange, now }: QueueDeps): DownloadQueue => {
  const entries = new Map<string, Entry>()
  let currentRun: Promise<void> | null = null
  let closing = false

  const change = (entry: Entry, fields: Partial<Download>, isQuiet = false) => {
    entry.download = { ...entry.download, ...fields }
    if (!isQuiet) onChange(entry.download)
  }
  const finish = (entry: Entry, fields: Partial<Download>) => {
    change(entry, { bytesPerSecond: null, secondsLeft: null, ...fields })
    entry.finish(entry.download)
    const finishedEntries = [...entries.values()].filter(({ download }) => isFinished(download))
    for (const old of finishedEntries.slice(0, -maxFinished)) entries.delete(old.download.name)
  }

  const run = async (entry: Entry) => {
    const { controller } = entry
    const { name } = entry.download
    const measure = createRate(now)
    let reportedAt = Number.NEGATIVE_INFINITY
    const report = ({ status, completed, total }: WorkReport) => {
      if (controller.signal.aborted) return
      const isSameStep = status === entry.download.status
      const bytesPerSecond = completed === null ? null : measure(status, completed)
      const secondsLeft =
        bytesPerSecond === null || bytesPerSecond === 0 || completed === null || total === null
          ? null
          : Math.ceil(Math.max(0, total - completed) / bytesPerSecond)
      const isFirst = entry.download.completed === null
      const isQuiet = isSameStep && !isFirst && now() - reportedAt < reportEveryMs
      if (!isQuiet) reportedAt = now()
      change(entry, { status, completed, total, bytesPerSecond, secondsLeft }, isQuiet)
    }
    change(entry, { state: 'running', status: 'starting' })
    try {
      const proof = await work(name, report, controller.signal)
      if (!proof || proof.talks) return finish(entry, { state: 'done', status: 'done', proof })
      const reason = `The model is downloaded, but does not work here. ${proof.reason ?? ''}`.trim()
      finish(entry, { state: 'failed', status: 'failed', reason, proof })
    } catch (error) {
      if (controller.signal.aborted)
        return finish(entry, { state: 'cancelled', status: 'cancelled', completed: null })
      const reason = error instanceof ModelError ? error.message : `The download failed: ${toSentence(error)}`
      finish(entry, { state: 'failed', status: 'failed', reason })
    }
  }

  const runAll = async () => {
    for (;;) {
      const next = [...entries.values()].find(({ download }) => download.state === 'waiting')
      if (!next || closing) {
        currentRun = null
        return
      }
      await run(next)
    }
  }
  const startJob = () => {
    // The call itself must not set `running` to null before it is assigned.
    currentRun ??= Promise.resolve().then(runAll)
  }

  return {
    add: (name) => {
      const existingEntry = entries.get(name)
      if (existingEntry && !isFinished(existingEntry.download)) return existingEntry.download
      entries.delete(name)
      let resolveFinished: (download: Download) => void = () => {}
      const whenFinished = new Promise<Download>((resolve) => {
        resolveFinished = resolve
      })
      const entry: Entry = {
        download: {
          name,
          state: 'waiting',
          status: 'waiting',
          completed: null,
          total: null,
          bytesPerSecond: null,
          secondsLeft: null,
          reason: null,
          proof: null,
        },
        controller: new AbortController(),
        finished: whenFinished,
        finish: (download) => resolveFinished(download),
      }
      entries.set(name, entry)
      onChange(entry.download)
      startJob()
      return entry.download
    },
    cancel: (name) => {
      const entry = entries.get(name)
      if (!entry || isFinished(entry.download)) return false
      const wasWaiting = entry.download.state === 'waiting'
      entry.controller.abort(new DownloadCancelled('The download was cancelled.'))
      if (wasWaiting) finish(entry, { state: 'cancelled', status: 'cancelled' })
      return true
    },
    list: () => [...entries.values()].map(({ download }) => download),
    whenFinished: async (name) => {
      const entry = entries.get(name)
      if (!entry) throw new Error(`${name} is not queued`)
      return entry.finished
    },
    close: async () => {
      closing = true
      for (const { controller, download } of entries.values())
        if (!isFinished(download)) controller.abort(new Error('The daemon stops.'))
      await currentRun
    },
  }
}

const isFinished = ({ state }: Download) => state !== 'waiting' && state !== 'running'

const toSentence = (error: unknown): string => {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return code === undefined ? 'unexpected error.' : `the disk reports ${code}.`
}

/** Returns bytes per second over the last seconds of a step, null until they can be measured. */
const createRate = (now: () => number) => {
  const windowMs = 5000
  let samples: { readonly at: number; readonly bytes: number }[] = []
  let step = ''
  return (status: string, bytes: number): number | null => {
    const time = now()
    if (status !== step || bytes < (samples.at(-1)?.bytes ?? 0)) samples = []
    step = status
    const last = samples.at(-1)
    if (!last || time - last.at >= 100) samples.push({ at: time, bytes })
    samples = samples.filter((sample) => time - sample.at <= windowMs)
    const [first] = samples
    if (!first || time - first.at < 500) return null
    return Math.round(((bytes - first.bytes) * 1000) / (time - first.at))
  }
}
