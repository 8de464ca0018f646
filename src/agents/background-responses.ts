/**
 * Answers requests for responses whose clients do not wait. They begin with a fact, so an interrupted one is
 * answered again from its beginning: its tools only read.
 */
import { TooLarge } from '../../journal/log/errors.ts'
import { entryAt } from '../../journal/log/keys.ts'
import { ModelError } from '../../packages/models/models.ts'
import type { Persona } from '../../projections/persona.ts'
import { maxRunningResponses, type OpenResponse } from '../../projections/responses.ts'
import type { PersonaCommit } from '../bus.ts'
import { Refused } from '../persona/refusals.ts'
import { type EndedResponse, emptyEnd } from '../persona/rules/responses.ts'
import type { RecordExchange } from '../persona/rules/talk.ts'
import { readChain } from '../persona/stored-responses.ts'
import type { AgentLife } from './agent-deps.ts'
import type { ApiChats } from './api-chat.ts'
import { writeWithRetries } from './recording.ts'
import { toEnded, toExchange } from './response-exchange.ts'

/** Receives the text of a response, and the end of its work. */
export interface ResponseWatcher {
  readonly onWords: (delta: string) => void
  /** The response has ended, or the agent stops. */
  readonly onEnd: () => void
}

export interface BackgroundResponses {
  /** Continues those that an earlier life did not end. */
  check(persona: Persona): void
  follow(commit: PersonaCommit): void
  isRunning(id: string): boolean
  /**
   * Sends the text so far and what follows. Returns a function that stops that, or null if no one answers
   * the response.
   */
  watch(id: string, watcher: ResponseWatcher): (() => void) | null
  /** Resolves when all running responses have ended. Never rejects. */
  waitForEnd(): Promise<void>
}

interface Deps extends Pick<AgentLife, 'id' | 'life' | 'log' | 'read' | 'execute' | 'clock'> {
  readonly converse: ApiChats['converse']
}

interface Job {
  readonly open: OpenResponse
  readonly cancelling: AbortController
  readonly deltas: string[]
  readonly watchers: Set<ResponseWatcher>
  isRunning: boolean
}

/** A response that was interrupted this many times probably ends the daemon. */
const maxInterruptions = 3

export const createBackgroundResponses = (deps: Deps, ending: AbortSignal): BackgroundResponses => {
  const { id: personaId, life, log, read, execute, clock } = deps
  const jobs = new Map<string, Job>()
  const tasks = new Set<Promise<void>>()

  const finish = (job: Job) => {
    jobs.delete(job.open.id)
    for (const watcher of job.watchers) watcher.onEnd()
    startNext()
  }
  const startNext = () => {
    if (ending.aborted) return
    const all = [...jobs.values()]
    const nextJob = all.find((job) => !job.isRunning)
    if (!nextJob || all.length - all.filter((job) => !job.isRunning).length >= maxRunningResponses) return
    nextJob.isRunning = true
    const task = run(nextJob)
      .catch((err: unknown) => {
        if (!ending.aborted && !(err instanceof Refused))
          log.error({ id: personaId, err }, 'failed to record a response')
      })
      .finally(() => {
        tasks.delete(task)
        finish(nextJob)
      })
    tasks.add(task)
    startNext()
  }
  const run = async (job: Job) => {
    const end = await answer(job).catch((error: unknown) =>
      ending.aborted || job.cancelling.signal.aborted ? null : toFailed(job.open.id, error),
    )
    if (!end) return
    await write(end).catch((error: unknown) => {
      if (!(error instanceof TooLarge)) throw error
      return write(
        fail(job.open.id, 'too_large', 'The answer, with its calls of tools, is too large to store.'),
      )
    })
  }
  const write = ({ said, ...ended }: End) =>
    writeWithRetries({ clock, signal: ending }, () => execute({ type: 'EndResponse', life, ended, said }))
  const answer = async ({ open, cancelling, deltas, watchers }: Job): Promise<End> => {
    if (open.isStopped) return fail(open.id, 'stopped', 'The persona was stopped before it had answered.')
    if (open.interruptions >= maxInterruptions)
      return fail(open.id, 'interrupted', 'The daemon was interrupted several times while it answered.')
    const content = await read(async (reading) => {
      const entry = await entryAt(reading.journal, open.seq)
      const request = entry?.event.type === 'ResponseBegan' && !entry.erased ? entry.event : null
      if (!request?.request) return null
      const chain = await readChain(reading, request.previous)
      return typeof chain === 'string' ? null : { request: request.request, earlierItems: chain.items }
    })
    if (!content) return fail(open.id, 'erased', 'The request, or a response that it continues, was erased.')
    const result = await deps.converse({
      ...toExchange(content),
      recordsItself: true,
      onWords: (delta) => {
        deltas.push(delta)
        for (const watcher of watchers) watcher.onWords(delta)
      },
      disconnectSignal: cancelling.signal,
    })
    return { ...toEnded(open.id, result, deltas), said: result.unrecorded }
  }

  const add = (open: OpenResponse) => {
    if (jobs.has(open.id)) return
    jobs.set(open.id, {
      open,
      cancelling: new AbortController(),
      deltas: [],
      watchers: new Set(),
      isRunning: false,
    })
    startNext()
  }

  return {
    check: ({ responses }) => responses.forEach(add),
    follow: ({ entries, persona }) => {
      for (const { event } of entries) {
        if (event.type === 'ResponseBegan') {
          const open = persona.responses.find((response) => response.id === event.id)
          if (open && event.background) add(open)
        }
        if (event.type !== 'ResponseEnded') continue
        const job = jobs.get(event.id)
        job?.cancelling.abort()
        if (job && !job.isRunning) finish(job)
      }
    },
    isRunning: (id) => jobs.get(id)?.isRunning ?? false,
    watch: (id, watcher) => {
      const job = jobs.get(id)
      if (!job) return null
      for (const delta of job.deltas) watcher.onWords(delta)
      job.watchers.add(watcher)
      return () => void job.watchers.delete(watcher)
    },
    waitForEnd: async () => {
      await Promise.allSettled(tasks)
      for (const { watchers } of jobs.values()) for (const watcher of watchers) watcher.onEnd()
    },
  }
}

type End = EndedResponse & { readonly said: RecordExchange['said'] }

const fail = (id: string, code: string, message: string): End => ({
  ...emptyEnd,
  said: null,
  id,
  status: 'failed',
  error: { code, message },
})

const toFailed = (id: string, error: unknown): End => {
  if (error instanceof ModelError) return fail(id, 'model_failed', error.message)
  if (error instanceof Refused && error.refusal.code === 'spent')
    return fail(id, 'spent', error.refusal.reason)
  return fail(id, 'server_error', 'The answer failed because of an error in the daemon.')
}
