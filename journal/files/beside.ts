/** What lies beside the journals: files, diaries, keys. */
import type { Stopwatch } from '../log/timeout.ts'
import { createKeptDiaries, type KeptDiaries } from './kept-diaries.ts'
import { createMediaStore, type MediaStore } from './media.ts'
import { createSecretStore, type SecretStore } from './secrets.ts'

export interface Beside {
  readonly media: MediaStore
  readonly diaries: KeptDiaries
  readonly secrets: SecretStore
}

/** In the home alone. */
export const besideIn = (home: string, stopwatch: Stopwatch): Beside => ({
  media: createMediaStore(home, stopwatch),
  diaries: createKeptDiaries({ home, stopwatch }),
  secrets: createSecretStore(home),
})
