/** `npm run bench [name…]`: measures and prints; goals are goals of a quiet machine with 2 cores. */
import { availableParallelism, loadavg } from 'node:os'
import { append } from './append.ts'
import { audit } from './audit.ts'
import { cluster } from './cluster.ts'
import { commandLine } from './command-line.ts'
import { diary } from './diary.ts'
import { documents } from './documents.ts'
import { erase } from './erase.ts'
import { fanOut } from './fan-out.ts'
import { feed } from './feed.ts'
import { print } from './figure.ts'
import { fork } from './fork.ts'
import { growth } from './growth.ts'
import { list } from './list.ts'
import { locomo } from './locomo.ts'
import { longLife } from './long-life.ts'
import { many } from './many.ts'
import { migrate } from './migrate.ts'
import { night } from './night.ts'
import { others } from './others.ts'
import { page } from './page.ts'
import { read } from './read.ts'
import { search } from './search.ts'
import { spine } from './spine.ts'
import { start } from './start.ts'
import { statements } from './statements.ts'
import { toolCall } from './tool-call.ts'
import { turn } from './turn.ts'
import { upload } from './upload.ts'
import { vectors } from './vectors.ts'

const all = {
  start,
  many,
  'command-line': commandLine,
  append,
  cluster,
  audit,
  read,
  list,
  'long-life': longLife,
  others,
  'fan-out': fanOut,
  turn,
  'tool-call': toolCall,
  upload,
  documents,
  search,
  vectors,
  locomo,
  night,
  diary,
  feed,
  migrate,
  fork,
  erase,
  statements,
  growth,
  page,
  spine,
}
const wanted = process.argv.slice(2)

const load = () => `load ${loadavg()[0]?.toFixed(1)}`
console.log(`Node ${process.version}, ${availableParallelism()} cores, ${load()}`)
for (const [name, measure] of Object.entries(all))
  if (wanted.length === 0 || wanted.includes(name)) {
    print(await measure())
    // What else this machine did meanwhile is in the figures.
    console.log(`        ${load()}`)
  }
