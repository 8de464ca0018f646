/** Upgrades a home that was last opened by another version of the daemon. */
import { type HomeVersion, homeFormat, readHomeVersion, writeHomeVersion } from '../home/home-version.ts'
import { keepUpgradeCopy, type UpgradeCopy } from '../home/upgrade-copies.ts'
import { version } from '../packages/kit/version.ts'

/** The home belongs to a newer daemon. The message is one line. Nothing in the home was changed. */
export class HomeNewer extends Error {
  override readonly name = 'HomeNewer'
}

/**
 * Must run while the home is locked, before anything in it is opened. Returns a one-line message, or
 * undefined. Throws HomeNewer, or the system's error if the copy cannot be made.
 */
export const upgradeHome = async (home: string): Promise<string | undefined> => {
  const versionBefore = await readHomeVersion(home)
  mustNotBeNewer(home, versionBefore)
  if (versionBefore?.format === homeFormat && versionBefore.daemon === version) return undefined
  const copy = await keepUpgradeCopy(home, versionBefore?.daemon ?? 'unversioned')
  await writeHomeVersion(home, { format: homeFormat, daemon: version })
  return copy && describeUpgrade(versionBefore, copy)
}

/** Compares the formats. Going back between daemons of the same format is safe. */
const mustNotBeNewer = (home: string, versionBefore: HomeVersion | undefined): void => {
  if (!versionBefore || versionBefore.format <= homeFormat) return
  throw new HomeNewer(
    `the home ${home} was last opened by daimon ${versionBefore.daemon} (format ${versionBefore.format}), and this is ${version} (format ${homeFormat}), which cannot read it. Run that version or a later one, or choose another home with DAIMON_HOME. docs/how-to/upgrading.md explains how to go back.`,
  )
}

const describeUpgrade = (
  versionBefore: HomeVersion | undefined,
  { path, personas, leftOut }: UpgradeCopy,
): string => {
  const last = versionBefore ? `daimon ${versionBefore.daemon}` : 'a daimon from before homes had a version'
  const all = `the journals and files of ${personas} ${personas === 1 ? 'persona' : 'personas'}`
  const unreadableNote = leftOut > 0 ? `; ${leftOut} could not be read and are not in it` : ''
  return `this home was last opened by ${last}: a copy of ${all} as they were is kept in ${path}${unreadableNote}`
}
