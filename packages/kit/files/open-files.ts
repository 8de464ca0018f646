/** The system's limit of open files, and how it is divided. */
import { readFile } from 'node:fs/promises'

export interface OpenFiles {
  /** The system's limit; infinite if it reports none. */
  readonly limit: number
  /** Max number of open journals. */
  readonly journals: number
  readonly connections: number
}

/** A LevelDB opens four files and its larger tables. Measured with a thousand: 5 to 7 each. */
const filesOfJournal = 8
/** Files for the daemon itself, the catalog, and temporary reads and writes. */
const reservedFiles = 64
/** Measured: a thousand open journals take 100 MB and 7000 files, and are not faster. */
const maxJournals = 512

/** The daemon cannot load its modules with fewer. */
const minLimit = 64

/** Returns an error text if the limit is too low, else undefined. */
export const describeLowLimit = (limit: number): string | undefined =>
  limit < minLimit
    ? `only ${limit} files may be open at once (ulimit -n), and ${minLimit} are required; allow more, as with: ulimit -n 1024`
    : undefined

/** Returns whether the system or LevelDB reported too many open files. */
export const isOutOfFiles = (error: unknown): boolean =>
  error instanceof Error &&
  (['EMFILE', 'ENFILE'].includes(String((error as NodeJS.ErrnoException).code)) ||
    /too many open files/i.test(error.message) ||
    isOutOfFiles(error.cause))

export const outOfFilesMessage =
  'too few files may be open at once (ulimit -n); allow more, as with: ulimit -n 1024'

/** Half for journals, the rest for connections. */
export const shareOut = (limit: number): OpenFiles => {
  const journals = Math.max(4, Math.min(maxJournals, Math.floor(limit / 2 / filesOfJournal)))
  return { limit, journals, connections: Math.max(16, limit - reservedFiles - journals * filesOfJournal) }
}

/** Returns the limit. Node raises the soft limit to the hard one when it starts. */
export const openFileLimit = async (): Promise<number> => {
  // Measured: reading this file takes 0.5 ms, a report 10 ms.
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => undefined)
  const limit = limits === undefined ? reportedLimit() : /^Max open files +(\S+)/m.exec(limits)?.[1]
  return Number(limit) || Number.POSITIVE_INFINITY
}

const reportedLimit = (): unknown => {
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } }
  }
  return report.userLimits?.open_files?.soft
}
