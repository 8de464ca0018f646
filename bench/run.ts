/**
 * Measures and prints the figures: `npm run bench [name…]`. Goals apply to a quiet machine with 2 cores. Each
 * row is measured in a separate process, after the disk has written the data of the previous row: after other
 * rows in one process, reading a document took 349 MB instead of 125 MB, and diaries were encrypted at 151
 * MB/s instead of 246 MB/s.
 */
import { spawnSync } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { append } from './append.ts'
import { audit } from './audit.ts'
import { causes } from './causes.ts'
import { cluster } from './cluster.ts'
import { commandLine } from './command-line.ts'
import { diary } from './diary.ts'
import { documents } from './documents.ts'
import { erase } from './erase.ts'
import { exchange } from './exchange.ts'
import { fanOut } from './fan-out.ts'
import { feed } from './feed.ts'
import { print } from './figure.ts'
import { fork } from './fork.ts'
import { growth } from './growth.ts'
import { largeBodies } from './large-bodies.ts'
import { list } from './list.ts'
import { locomo } from './locomo.ts'
import { longLife } from './long-life.ts'
import { measureMany } from './many.ts'
import { matrixEncryption } from './matrix-encryption.ts'
import { migrate } from './migrate.ts'
import { million } from './million.ts'
import { modelView } from './model-view.ts'
import { night } from './night.ts'
import { open } from './open.ts'
import { measureOthers } from './others.ts'
import { page } from './page.ts'
import { processes } from './processes.ts'
import { measureReads } from './read.ts'
import { search } from './search.ts'
import { signedHeads } from './signed-heads.ts'
import { spine } from './spine.ts'
import { start } from './start.ts'
import { statements } from './statements.ts'
import { subscriptions } from './subscriptions.ts'
import { toolCall } from './tool-call.ts'
import { tracing } from './tracing.ts'
import { turn } from './turn.ts'
import { upload } from './upload.ts'
import { vectors } from './vectors.ts'

const all = {
  start,
  many: measureMany,
  'command-line': commandLine,
  append,
  cluster,
  audit,
  causes,
  'signed-heads': signedHeads,
  read: measureReads,
  list,
  'long-life': longLife,
  'matrix-encryption': matrixEncryption,
  million,
  open,
  others: measureOthers,
  'fan-out': fanOut,
  turn,
  'model-view': modelView,
  exchange,
  'tool-call': toolCall,
  processes,
  'large-bodies': largeBodies,
  tracing,
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
  subscriptions,
  growth,
  page,
  spine,
}
const names = process.argv.slice(2)
const benchmarks = Object.entries(all).filter(([name]) => names.length === 0 || names.includes(name))

if (benchmarks.length === 1)
  for (const [, measure] of benchmarks) {
    print(await measure())
    // Other work of the machine affects the figures.
    console.log(`        load ${loadavg()[0]?.toFixed(1)}`)
  }
else {
  console.log(`Node ${process.version}, ${availableParallelism()} cores`)
  for (const [name] of benchmarks) {
    spawnSync('sync')
    const args = [...process.execArgv, fileURLToPath(import.meta.url), name]
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
  }
}
