/** The stores outside the journals: media, diaries and secrets. */
import { type KeptDiaries, createKeptDiaries } from './kept-diaries.ts'
import { type MediaStore, createMediaStore } from './media.ts'
import { type SecretStore, createSecretStore } from './secrets.ts'
import type { Stopwatch } from '../log/timeout.ts'

export interface Beside {
  readonly media: MediaStore
  readonly diaries: KeptDiaries
  readonly secrets: SecretStore
}

/** Creates stores that use only the home's file system. */
export const besideIn = (home: string, stopwatch: Stopwatch): Beside => ({
  media: createMediaStore(home, stopwatch),
  diaries: createKeptDiaries({ home, stopwatch }),
  secrets: createSecretStore(home),
})
