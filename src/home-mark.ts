/** What a home says of itself where it has to do with a cluster: a file beside its personas. */
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../journal/facts/fact-values.ts'
import { syncFolder, writeWhole } from '../journal/files/places.ts'

/**
 * `cache`: a daemon of a cluster had it. `joining`: its personas are being moved into one, `moved` are there.
 * `leaving`: one is being brought into it, and lies here whole before anything of it is removed there.
 */
type HomeStand =
  | { readonly is: 'alone' }
  | { readonly is: 'cache' }
  | { readonly is: 'joining'; readonly moved: readonly PersonaId[] }
  | { readonly is: 'leaving'; readonly id: PersonaId; readonly isWhole: boolean }

const fileOf = (home: string): string => join(home, 'cluster')

/** Throws where the file cannot be read. */
export const standOf = (home: string): HomeStand => {
  const [word = '', ...ids] = contents(home)?.split('\n').filter(Boolean) ?? ['alone']
  if (word === 'alone') return { is: 'alone' }
  if (word === 'joining') return { is: 'joining', moved: ids }
  if (word !== 'leaving') return { is: 'cache' }
  return { is: 'leaving', id: ids[0] ?? '', isWhole: ids[1] === 'whole' }
}

/** Durable when it resolves. */
export const markHome = async (home: string, stand: HomeStand): Promise<void> => {
  if (stand.is === 'alone') {
    await rm(fileOf(home), { force: true })
    return syncFolder(home)
  }
  await writeWhole(fileOf(home), Buffer.from(wordsOf(stand)))
}

const wordsOf = (stand: Exclude<HomeStand, { is: 'alone' }>): string => {
  if (stand.is === 'cache') return ''
  const more = stand.is === 'joining' ? stand.moved : [stand.id, ...(stand.isWhole ? ['whole'] : [])]
  return [stand.is, ...more, ''].join('\n')
}

/** What to do about one that a move was cut off in. */
export const halfMoved = (home: string, stand: HomeStand): string =>
  stand.is === 'leaving'
    ? `the home ${home} has a persona that is on its way out of a cluster: go on with daimon cluster leave ${stand.id}`
    : `the personas of the home ${home} are on their way into a cluster: go on with daimon cluster join`

const contents = (home: string): string | undefined => {
  try {
    return readFileSync(fileOf(home), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
