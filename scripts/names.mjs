/**
 * Whether each name of a file of the daemon is used once, so that whoever reads it in an import knows which
 * it is: `node scripts/names.mjs [root]`. What every platform of channels has one of, in a folder of its own,
 * and the rules of a subject, called after it, may repeat.
 */
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesIn } from './files-in.mjs'

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url))
const ofOneShape = /^src\/(?:channels\/[^/]+\/(?:message|platform)|persona\/rules\/[^/]+)\.ts$/

const paths = filesIn(root, ['journal', 'projections', 'src']).filter((path) => path.endsWith('.ts'))

const places = new Map()
for (const path of paths)
  if (!ofOneShape.test(path)) places.set(basename(path), [...(places.get(basename(path)) ?? []), path])

const repeated = [...places].filter(([, all]) => all.length > 1)
for (const [name, all] of repeated) console.log(`${name} is the name of ${all.sort().join(' and ')}`)
if (!paths.length) console.log('no file was seen')
process.exitCode = repeated.length || !paths.length ? 1 : 0
