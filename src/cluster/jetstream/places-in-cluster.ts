/** What things of a cluster are called there: streams, buckets and subjects. */
import { hash } from 'node:crypto'
import type { PersonaId, Sha256 } from '../../../journal/facts/fact-values.ts'

/**
 * Where the history of a persona lies. `token` names this history and no other: one that takes its place, as
 * when words are erased, has another, and a key of its own.
 */
export interface History {
  readonly id: PersonaId
  readonly token: string
  readonly key: Buffer
}

/** Files of a persona beside its journal. */
export type FileKind = 'media' | 'diaries'

export interface Names {
  readonly bucket: string
  /** Of the keys and tokens of personas. */
  readonly secrets: string
  stream(shard: number): string
  streamOf(id: PersonaId): string
  /** All of a persona, in every history of it. */
  everything(id: PersonaId): string
  /** All of one history. */
  whole(history: History): string
  /** Its commits. */
  commits(history: History): string
  part(history: History, sha: Sha256, chunk: number | '*'): string
  files(shard: number): string
  filesOf(id: PersonaId): string
  /** What says that there is a file, and how it is opened. */
  file(id: PersonaId | '*', kind: FileKind, name: string): string
  /** Its bytes, under a token of their own. */
  chunk(id: PersonaId, kind: FileKind, token: string, chunk: number | '*'): string
  everyFile(id: PersonaId, kind: FileKind): string
}

export const namesOf = (name: string, shards: number): Names => {
  const shardOf = (id: PersonaId): number => Number.parseInt(hash('sha256', id).slice(0, 8), 16) % shards
  const under = (id: PersonaId): string => `${name}.${shardOf(id)}.${id}`
  const within = ({ id, token }: History): string => `${under(id)}.${token}`
  const beside = (id: PersonaId | '*'): string => `${name}.files.${id === '*' ? id : shardOf(id)}.${id}`
  return {
    bucket: `${name}-personas`,
    stream: (shard) => `${name}-${shard}`,
    streamOf: (id) => `${name}-${shardOf(id)}`,
    everything: (id) => `${under(id)}.>`,
    whole: (history) => `${within(history)}.>`,
    commits: (history) => `${within(history)}.commits`,
    part: (history, sha, chunk) => `${within(history)}.parts.${sha}.${chunk}`,
    secrets: `${name}-secrets`,
    files: (shard) => `${name}-files-${shard}`,
    filesOf: (id) => `${name}-files-${shardOf(id)}`,
    file: (id, kind, file) => `${beside(id)}.${kind}.heads.${file === '*' ? file : tokenOf(file)}`,
    chunk: (id, kind, token, chunk) => `${beside(id)}.${kind}.chunks.${token}.${chunk}`,
    everyFile: (id, kind) => `${beside(id)}.${kind}.>`,
  }
}

/** Names of files are made by the daemon, and hold no underscore. */
const tokenOf = (file: string): string => file.replaceAll('.', '_')

/** Whose file it is that a subject tells of, and its name. */
export const fileOfSubject = (subject: string): { readonly id: PersonaId; readonly name: string } => {
  const [, , , id = '', , , token = ''] = subject.split('.')
  return { id, name: token.replaceAll('_', '.') }
}

/** Of a chunk: its token, and which one it is. */
export const chunkOfSubject = (subject: string): { readonly token: string; readonly chunk: number } => {
  const [, , , , , , token = '', chunk] = subject.split('.')
  return { token, chunk: Number(chunk) }
}

/** The part a subject belongs to; undefined for commits. */
export const partOfSubject = (subject: string): Sha256 | undefined => {
  const [, , , , kind, sha] = subject.split('.')
  return kind === 'parts' ? sha : undefined
}
