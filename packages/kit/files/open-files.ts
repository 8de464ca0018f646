/** How many files the system lets this process hold open, and who may have how many of them. */
import { readFile } from 'node:fs/promises'

export interface OpenFiles {
  /** As the system says; infinite where it says nothing. */
  readonly limit: number
  /** Journals that may be open at once. */
  readonly journals: number
  readonly connections: number
}

/** A LevelDB holds four files and its larger tables (⏱ 5 to 7 each, a thousand open). */
const filesOfJournal = 8
/** What a start holds before anybody comes, the catalog, and what is read or written in passing. */
const ours = 64
/** ⏱ A thousand open journals take 100 MB and 7000 files, and nobody is faster for it. */
const mostJournals = 512

/** With fewer nothing of ours could be loaded, let alone held open. */
const least = 64

/** One line for whoever starts it; undefined where there is enough. */
export const tooFewTold = (limit: number): string | undefined =>
  limit < least
    ? `only ${limit} files may be open at once (ulimit -n), and ${least} are the least it needs; allow more, as with: ulimit -n 1024`
    : undefined

/** What the system or the engine says when no more may be opened. */
export const isOutOfFiles = (error: unknown): boolean =>
  error instanceof Error &&
  (['EMFILE', 'ENFILE'].includes(String((error as NodeJS.ErrnoException).code)) ||
    /too many open files/i.test(error.message) ||
    isOutOfFiles(error.cause))

export const outOfFilesTold =
  'too few files may be open at once (ulimit -n); allow more, as with: ulimit -n 1024'

/** Half for the journals, the rest for whoever connects. */
export const shareOut = (limit: number): OpenFiles => {
  const journals = Math.max(4, Math.min(mostJournals, Math.floor(limit / 2 / filesOfJournal)))
  return { limit, journals, connections: Math.max(16, limit - ours - journals * filesOfJournal) }
}

/** Node raises the soft limit to the hard one as it starts: this is what is left to rely on. */
export const openFileLimit = async (): Promise<number> => {
  // ⏱ A report takes 10 ms, this file a half.
  const told = await readFile('/proc/self/limits', 'utf8').catch(() => undefined)
  const limit = told === undefined ? reported() : /^Max open files +(\S+)/m.exec(told)?.[1]
  return Number(limit) || Number.POSITIVE_INFINITY
}

const reported = (): unknown => {
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } }
  }
  return report.userLimits?.open_files?.soft
}
