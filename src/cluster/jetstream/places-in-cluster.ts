/** Names of the streams, buckets and subjects of a cluster. */
import { hash } from 'node:crypto'
import type { PersonaId, Sha256 } from '../../../facts/fact-values.ts'

/**
 * Identifies a history of a persona. `token` is unique to this history. A replacement, for example after text
 * was erased, has another token and another key.
 */
export interface History {
  readonly id: PersonaId
  readonly token: string
  readonly key: Buffer
}

/** Kinds of files that are stored outside the journal. */
export type FileKind = 'media' | 'diaries'

export interface Names {
  readonly bucket: string
  /** Bucket of the personas' API keys and bot tokens. */
  readonly secrets: string
  stream(shard: number): string
  getStream(id: PersonaId): string
  /** Filter for all histories of a persona. */
  getAllSubjects(id: PersonaId): string
  /** Filter for one history. */
  whole(history: History): string
  /** Subject of its commits. */
  commits(history: History): string
  part(history: History, sha: Sha256, chunk: number | '*'): string
  files(shard: number): string
  getFileSubjects(id: PersonaId): string
  /** Subject of the head of a file, which says that the file exists and holds its key. */
  file(id: PersonaId | '*', kind: FileKind, name: string): string
  /** Subject of a chunk. The token identifies one upload. */
  chunk(id: PersonaId, kind: FileKind, token: string, chunk: number | '*'): string
  everyFile(id: PersonaId, kind: FileKind): string
}

export const createNames = (name: string, shards: number): Names => {
  const getShard = (id: PersonaId): number => Number.parseInt(hash('sha256', id).slice(0, 8), 16) % shards
  const toPersonaPrefix = (id: PersonaId): string => `${name}.${getShard(id)}.${id}`
  const toPrefix = ({ id, token }: History): string => `${toPersonaPrefix(id)}.${token}`
  const toFilePrefix = (id: PersonaId | '*'): string =>
    `${name}.files.${id === '*' ? id : getShard(id)}.${id}`
  return {
    bucket: `${name}-personas`,
    stream: (shard) => `${name}-${shard}`,
    getStream: (id) => `${name}-${getShard(id)}`,
    getAllSubjects: (id) => `${toPersonaPrefix(id)}.>`,
    whole: (history) => `${toPrefix(history)}.>`,
    commits: (history) => `${toPrefix(history)}.commits`,
    part: (history, sha, chunk) => `${toPrefix(history)}.parts.${sha}.${chunk}`,
    secrets: `${name}-secrets`,
    files: (shard) => `${name}-files-${shard}`,
    getFileSubjects: (id) => `${name}-files-${getShard(id)}`,
    file: (id, kind, file) => `${toFilePrefix(id)}.${kind}.heads.${file === '*' ? file : toToken(file)}`,
    chunk: (id, kind, token, chunk) => `${toFilePrefix(id)}.${kind}.chunks.${token}.${chunk}`,
    everyFile: (id, kind) => `${toFilePrefix(id)}.${kind}.>`,
  }
}

/** The daemon generates the file names, and they contain no underscore. */
const toToken = (file: string): string => file.replaceAll('.', '_')

/** Returns the persona id and the file name in the subject of a head. */
export const fileOfSubject = (subject: string): { readonly id: PersonaId; readonly name: string } => {
  const [, , , id = '', , , token = ''] = subject.split('.')
  return { id, name: token.replaceAll('_', '.') }
}

/** Returns the upload token and the index in the subject of a chunk. */
export const chunkOfSubject = (subject: string): { readonly token: string; readonly chunk: number } => {
  const [, , , , , , token = '', chunk] = subject.split('.')
  return { token, chunk: Number(chunk) }
}

/** Returns the hash of the part in a subject, or undefined for commits. */
export const partOfSubject = (subject: string): Sha256 | undefined => {
  const [, , , , kind, sha] = subject.split('.')
  return kind === 'parts' ? sha : undefined
}
