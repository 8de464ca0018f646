/** What things of a cluster are called there: streams, buckets and subjects. */
import { hash } from 'node:crypto'
import type { PersonaId, Sha256 } from '../facts/fact-values.ts'

/**
 * Where the history of a persona lies. `token` names this history and no other: one that takes its place, as
 * when words are erased, has another, and a key of its own.
 */
export interface History {
  readonly id: PersonaId
  readonly token: string
  readonly key: Buffer
}

export interface Names {
  readonly bucket: string
  stream(shard: number): string
  streamOf(id: PersonaId): string
  /** All of a persona, in every history of it. */
  everything(id: PersonaId): string
  /** All of one history. */
  whole(history: History): string
  /** Its commits. */
  commits(history: History): string
  part(history: History, sha: Sha256, chunk: number | '*'): string
}

export const namesOf = (name: string, shards: number): Names => {
  const shardOf = (id: PersonaId): number => Number.parseInt(hash('sha256', id).slice(0, 8), 16) % shards
  const under = (id: PersonaId): string => `${name}.${shardOf(id)}.${id}`
  const within = ({ id, token }: History): string => `${under(id)}.${token}`
  return {
    bucket: `${name}-personas`,
    stream: (shard) => `${name}-${shard}`,
    streamOf: (id) => `${name}-${shardOf(id)}`,
    everything: (id) => `${under(id)}.>`,
    whole: (history) => `${within(history)}.>`,
    commits: (history) => `${within(history)}.commits`,
    part: (history, sha, chunk) => `${within(history)}.parts.${sha}.${chunk}`,
  }
}

/** The part a subject belongs to; undefined for commits. */
export const partOfSubject = (subject: string): Sha256 | undefined => {
  const [, , , , kind, sha] = subject.split('.')
  return kind === 'parts' ? sha : undefined
}
