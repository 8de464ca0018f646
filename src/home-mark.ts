/** What a home says of itself where it has to do with a cluster: a file beside its personas. */
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../journal/facts/fact-values.ts'
import { syncFolder, writeWhole } from '../journal/files/places.ts'
import { HomeError } from './home-lock.ts'

/**
 * `cache`: a daemon of a cluster had it. `joining`: its personas are being moved into one, `moved` are there.
 * `leaving`: one is being brought into it, and lies here whole before anything of it is removed there. `of`:
 * the cluster, by its identity; moves that were begun before homes said it have none.
 */
type HomeStand =
  | { readonly is: 'alone' }
  | { readonly is: 'cache' }
  | { readonly is: 'joining'; readonly moved: readonly PersonaId[]; readonly of?: string | undefined }
  | {
      readonly is: 'leaving'
      readonly id: PersonaId
      readonly isWhole: boolean
      readonly of?: string | undefined
    }

/** No id has a space in it. */
const ofCluster = 'of '

const fileOf = (home: string): string => join(home, 'cluster')

/** Throws where the file cannot be read. */
export const standOf = (home: string): HomeStand => {
  const [word = '', ...lines] = contents(home)?.split('\n').filter(Boolean) ?? ['alone']
  const of = lines.find((line) => line.startsWith(ofCluster))?.slice(ofCluster.length)
  const ids = lines.filter((line) => !line.startsWith(ofCluster))
  if (word === 'alone') return { is: 'alone' }
  if (word === 'joining') return { is: 'joining', moved: ids, of }
  if (word !== 'leaving') return { is: 'cache' }
  return { is: 'leaving', id: ids[0] ?? '', isWhole: ids[1] === 'whole', of }
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
  return [stand.is, ...more, ...(stand.of === undefined ? [] : [ofCluster + stand.of]), ''].join('\n')
}

/** What to do about one that a move was cut off in. */
export const halfMoved = (home: string, stand: HomeStand): string =>
  stand.is === 'leaving'
    ? `the home ${home} has a persona that is on its way out of a cluster: go on with daimon cluster leave ${stand.id}`
    : `the personas of the home ${home} are on their way into a cluster: go on with daimon cluster join`

/**
 * HomeError where a move goes on with another cluster than it was begun with: what is there already would be
 * taken for moved, or for gone.
 */
export const mustGoOnWith = (identity: string, home: string, stand: HomeStand): void => {
  const of = 'of' in stand ? stand.of : undefined
  if (of === undefined || of === identity) return
  throw new HomeError(
    `the move of the home ${home} was begun with another cluster (its name and the id of its key are ${of}, here they are ${identity}): go on with DAIMON_CLUSTER and DAIMON_CLUSTER_KEY as they were`,
  )
}

const contents = (home: string): string | undefined => {
  try {
    return readFileSync(fileOf(home), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
