/** Finds the npm that belongs to the running Node. */
import { access, realpath } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'

const cliPath = ['npm', 'bin', 'npm-cli.js']

/** Returns the path of `npm-cli.js`, or null if there is none. `execPath`: the Node program. */
export const findNpm = async (execPath: string, env: NodeJS.ProcessEnv): Promise<string | null> => {
  const folder = dirname(await realpath(execPath).catch(() => execPath))
  const besideNode = [
    join(folder, '..', 'lib', 'node_modules', ...cliPath),
    join(folder, 'node_modules', ...cliPath),
    join(dirname(execPath), '..', 'lib', 'node_modules', ...cliPath),
  ]
  for (const path of besideNode) if (await exists(path)) return path
  // Distributions install npm elsewhere and link it. On Windows the link is a script beside its folder.
  for (const entry of (env.PATH ?? env.Path ?? '').split(delimiter).filter(Boolean)) {
    const target = await realpath(join(entry, 'npm')).catch(() => '')
    if (target.endsWith('npm-cli.js')) return target
    const nearPath = join(entry, 'node_modules', ...cliPath)
    if (target !== '' && (await exists(nearPath))) return nearPath
  }
  return null
}

const exists = async (path: string): Promise<boolean> => {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}
