/**
 * What happened, for whoever wants to react: commits once they are on disk, and signs that leave no fact.
 * Synchronous.
 */
import { type Observable, Subject } from 'rxjs'
import type { Channel, PersonaId, Seq } from '../journal/facts/fact-values.ts'
import type { Commit } from '../journal/log/journal.ts'
import type { Log } from '../packages/kit/log.ts'
import type { Progress } from '../packages/models/models.ts'
import type { Persona } from '../projections/persona.ts'

/** A commit of one persona, with its state after it. */
export interface Committed extends Commit {
  readonly id: PersonaId
  readonly persona: Persona
}

/** `delta`: words as they are thought; `offset` in UTF-16 units of the step's text, 0 begins it anew. */
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
  /** A turn that belongs to the channel began or ended. */
  | {
      readonly type: 'typing'
      readonly id: PersonaId
      readonly channel: Channel | null
      readonly on: boolean
    }
  /**
   * Its agent came or went, its web channel opened or closed, or its journal proved damaged: no fact says so.
   */
  | { readonly type: 'presence'; readonly id: PersonaId }
  /** Its journal could not be opened whole, and can be now. */
  | { readonly type: 'well'; readonly id: PersonaId }
  /** It is gone without a fact that says so: its journal could not take one. */
  | { readonly type: 'gone'; readonly id: PersonaId }
  /** Another daemon of the cluster hosts it from now on: whoever listens comes back, and is passed on. */
  | { readonly type: 'left'; readonly id: PersonaId }
  /** How it looks that lives on another daemon of the cluster has changed, or it was deleted there. */
  | { readonly type: 'elsewhere'; readonly id: PersonaId; readonly deleted: boolean }
  | ({ readonly type: 'progress' } & Progress)
  /**
   * How much of a history it has gone over: `done` of its `total` conversations, `skipped` of them because it
   * knew them.
   */
  | {
      readonly type: 'feeding'
      readonly id: PersonaId
      readonly done: number
      readonly total: number
      readonly skipped: number
    }

export interface Bus {
  publish(committed: Committed): void
  sign(sign: Sign): void
  readonly commits: Observable<Committed>
  readonly signs: Observable<Sign>
  /** One persona's own: a listener of one costs the others nothing. */
  commitsOf(id: PersonaId): Observable<Committed>
}

/** Subscribes a listener that may throw: what it throws is logged. Unwrapped, RxJS would end the process. */
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
  const commits = new Subject<Committed>()
  const signs = new Subject<Sign>()
  const own = new Map<PersonaId, Subject<Committed>>()
  return {
    publish: (committed) => {
      commits.next(committed)
      own.get(committed.id)?.next(committed)
      if (committed.entries.at(-1)?.type === 'PersonaDeleted') own.delete(committed.id)
    },
    sign: (sign) => {
      signs.next(sign)
      if (sign.type === 'gone' || sign.type === 'left') own.delete(sign.id)
    },
    commits,
    signs,
    commitsOf: (id) => {
      const subject = own.get(id) ?? new Subject<Committed>()
      own.set(id, subject)
      return subject
    },
  }
}
