/** The file in a home that records its state in a cluster. */

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../facts/fact-values.ts'
import { syncFolder, writeWhole } from '../journal/leveldb/durable-files.ts'
import { HomeError } from './home-lock.ts'

/**
 * `cache`: used by a daemon of a cluster. `joining`: its personas are being moved into a cluster; `moved` are
 * done. `leaving`: a persona is being moved out of a cluster; its copy here is complete before anything is
 * removed there. `of`: the identity of the cluster; missing in moves from before it was recorded.
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

/** Ids contain no space, so this prefix is unambiguous. */
const ofCluster = 'of '

const getPath = (home: string): string => join(home, 'cluster')

/** Throws if the file cannot be read. */
export const getClusterState = (home: string): HomeStand => {
  const [word = '', ...lines] = contents(home)?.split('\n').filter(Boolean) ?? ['alone']
  const clusterId = lines.find((line) => line.startsWith(ofCluster))?.slice(ofCluster.length)
  const ids = lines.filter((line) => !line.startsWith(ofCluster))
  if (word === 'alone') return { is: 'alone' }
  if (word === 'joining') return { is: 'joining', moved: ids, of: clusterId }
  if (word !== 'leaving') return { is: 'cache' }
  return { is: 'leaving', id: ids[0] ?? '', isWhole: ids[1] === 'whole', of: clusterId }
}

/** Resolves when the file is durable. */
export const markHome = async (home: string, state: HomeStand): Promise<void> => {
  if (state.is === 'alone') {
    await rm(getPath(home), { force: true })
    return syncFolder(home)
  }
  await writeWhole(getPath(home), Buffer.from(serialize(state)))
}

const serialize = (state: Exclude<HomeStand, { is: 'alone' }>): string => {
  if (state.is === 'cache') return ''
  const lines = state.is === 'joining' ? state.moved : [state.id, ...(state.isWhole ? ['whole'] : [])]
  return [state.is, ...lines, ...(state.of === undefined ? [] : [ofCluster + state.of]), ''].join('\n')
}

/** Says how to continue an interrupted move. */
export const halfMoved = (home: string, state: HomeStand): string =>
  state.is === 'leaving'
    ? `the home ${home} has a persona that is on its way out of a cluster: continue with daimon cluster leave ${state.id}`
    : `the personas of the home ${home} are on their way into a cluster: continue with daimon cluster join`

/**
 * Throws HomeError if a move would continue with another cluster. Personas already there would be mistaken
 * for moved or deleted ones.
 */
export const mustGoOnWith = (identity: string, home: string, state: HomeStand): void => {
  const clusterId = 'of' in state ? state.of : undefined
  if (clusterId === undefined || clusterId === identity) return
  throw new HomeError(
    `the move of the home ${home} was begun with another cluster (its name and the id of its key are ${clusterId}, here they are ${identity}): continue with DAIMON_CLUSTER and DAIMON_CLUSTER_KEY as they were`,
  )
}

const contents = (home: string): string | undefined => {
  try {
    return readFileSync(getPath(home), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
