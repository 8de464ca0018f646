/** Publishes commits after they are on disk, and signs (events without a fact). Synchronous. */
import { type Observable, Subject } from 'rxjs'
import type { Channel, PersonaId, Seq } from '../facts/fact-values.ts'
import type { Commit } from '../facts/persona-journal.ts'
import type { Log } from '../packages/kit/log.ts'
import type { Download } from '../packages/local-models/download-queue.ts'
import type { Progress } from '../packages/models/models.ts'
import type { Persona } from '../projections/persona.ts'

/** A commit of one persona, with the state after it. */
export interface PersonaCommit extends Commit {
  readonly id: PersonaId
  readonly persona: Persona
}

export type DownloadProgress = Pick<Download, 'state' | 'bytesPerSecond' | 'secondsLeft' | 'reason'>

/**
 * `delta`: streamed text of an answer. `offset`: its position in the step's text in UTF-16 units; 0 restarts
 * the text.
 */
export type Sign =
  | {
      readonly type: 'delta'
      readonly id: PersonaId
      readonly channel: Channel | null
      readonly turn: Seq
      readonly step: number
      readonly offset: number
      readonly delta: string
    }
  /** A turn of the channel began or ended. */
  | {
      readonly type: 'typing'
      readonly id: PersonaId
      readonly channel: Channel | null
      readonly on: boolean
    }
  /** Its agent started or stopped, its web channel opened or closed, or its journal was found damaged. */
  | { readonly type: 'presence'; readonly id: PersonaId }
  /** Its journal could not be opened before, and can be now. */
  | { readonly type: 'well'; readonly id: PersonaId }
  /** It was deleted without a fact, because its journal could not store one. */
  | { readonly type: 'gone'; readonly id: PersonaId }
  /** Another daemon of the cluster hosts it now. Clients reconnect and are forwarded. */
  | { readonly type: 'left'; readonly id: PersonaId }
  /** A persona of another daemon of the cluster has changed, or was deleted there. */
  | { readonly type: 'elsewhere'; readonly id: PersonaId; readonly deleted: boolean }
  /** Progress of a model that is being downloaded or prepared. `download`: of the queue of downloads. */
  | ({ readonly type: 'progress'; readonly download?: DownloadProgress } & Progress)
  /** Progress of a history import: `done` of `total` conversations, `skipped` of them as already known. */
  | {
      readonly type: 'feeding'
      readonly id: PersonaId
      readonly done: number
      readonly total: number
      readonly skipped: number
    }

export interface Bus {
  publish(commit: PersonaCommit): void
  sign(sign: Sign): void
  readonly commits: Observable<PersonaCommit>
  readonly signs: Observable<Sign>
  /** Commits of one persona. Listeners of one persona cost the others nothing. */
  commitsFrom(id: PersonaId): Observable<PersonaCommit>
}

/** Subscribes a listener and logs its errors. Without this, RxJS would end the process. */
export const listen = <T>(source: Observable<T>, log: Log, listener: (value: T) => void): (() => void) => {
  const subscription = source.subscribe((value) => {
    try {
      listener(value)
    } catch (error) {
      log.error({ err: error }, 'a listener failed')
    }
  })
  return () => subscription.unsubscribe()
}

export const createBus = (): Bus => {
  const commits = new Subject<PersonaCommit>()
  const signs = new Subject<Sign>()
  const byPersona = new Map<PersonaId, Subject<PersonaCommit>>()
  return {
    publish: (commit) => {
      commits.next(commit)
      byPersona.get(commit.id)?.next(commit)
      if (commit.entries.at(-1)?.type === 'PersonaDeleted') byPersona.delete(commit.id)
    },
    sign: (sign) => {
      signs.next(sign)
      if (sign.type === 'gone' || sign.type === 'left') byPersona.delete(sign.id)
    },
    commits,
    signs,
    commitsFrom: (id) => {
      const subject = byPersona.get(id) ?? new Subject<PersonaCommit>()
      byPersona.set(id, subject)
      return subject
    },
  }
}
