/** The stores outside the journals: media, diaries and secrets. */

import type { Stopwatch } from '../journal/log/timeout.ts'
import { createKeptDiaries, type KeptDiaries } from './kept-diaries.ts'
import { createMediaStore, type MediaStore } from './media.ts'
import { createSecretStore, type SecretStore } from './secrets.ts'

export interface FileStores {
  readonly media: MediaStore
  readonly diaries: KeptDiaries
  readonly secrets: SecretStore
}

/** Creates stores that use only the home's file system. */
export const openFileStores = (home: string, stopwatch: Stopwatch): FileStores => ({
  media: createMediaStore(home, stopwatch),
  diaries: createKeptDiaries({ home, stopwatch }),
  secrets: createSecretStore(home),
})
