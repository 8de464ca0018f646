#!/usr/bin/env node
/**
 * The first file of the built daemon. It loads the others with what V8 made of them at an earlier start, kept
 * in `compiled/` beside them: ⏱ compiling them anew takes half of a start, and Node's own cache (from 22 on)
 * gives back less than this one. Where nothing is kept, or it is damaged, or the folder cannot be written,
 * they are compiled.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'
import { growHeap, heapGrowths } from '../packages/kit/flow/heap-growth.ts'

const main = './daimon.cjs'
const here = __dirname
const nodes = require

/** Of this Node, this processor and these flags alone: V8 refuses that of others. */
const tag = cachedDataVersionTag()
const kept = join(here, 'compiled', `${process.version}-${process.arch}-${tag}`)

/** Milliseconds without another file being loaded: what has run by then is what a start runs. */
const settled = 2000

interface Fresh {
  readonly file: string
  readonly script: Script
  readonly sum: number
}

const modules = new Map<string, { readonly exports: unknown }>()
const fresh: Fresh[] = []

const load = (file: string): unknown => {
  const known = modules.get(file)
  if (known) return known.exports
  const made = { exports: {} }
  modules.set(file, made)
  try {
    const path = join(here, file)
    const run = compiled(file, path).runInThisContext()
    run.call(made.exports, made.exports, ask, made, path, here)
  } catch (error) {
    modules.delete(file) // half of it is nothing: who asks again begins anew
    throw error
  }
  return made.exports
}

const ask = Object.assign((id: string) => (id.startsWith('./') ? load(id.slice(2)) : nodes(id)), nodes)

const before = '(function(exports,require,module,__filename,__dirname){'

const compiled = (file: string, path: string): Script => {
  const source = readFileSync(path)
  const sum = crc32(source)
  const cachedData = dataOf(join(kept, file), sum)
  const script = asAtStart(
    () =>
      new Script(`${before}${source}\n})`, {
        filename: path,
        columnOffset: -before.length,
        ...(cachedData && { cachedData }),
      }),
  )
  if (!cachedData || script.cachedDataRejected) {
    fresh.push({ file, script, sum })
    keepLater()
  }
  return script
}

/** With the flags that the tag names: others may have been set since. */
const asAtStart = <T>(act: () => T): T => {
  const now = cachedDataVersionTag()
  if (now === tag) return act()
  growHeap('as at start')
  try {
    return act()
  } finally {
    for (const how of heapGrowths) {
      growHeap(how)
      if (cachedDataVersionTag() === now) break
    }
  }
}

/**
 * V8 looks neither at the source but for its length nor at the data's own sum, and may run what is damaged.
 */
const dataOf = (path: string, sum: number): Buffer | undefined => {
  try {
    const bytes = readFileSync(path)
    const data = bytes.subarray(8)
    return bytes.readUInt32LE(0) === sum && bytes.readUInt32LE(4) === crc32(data) ? data : undefined
  } catch {
    return undefined
  }
}

let timer: NodeJS.Timeout | undefined
const keepLater = (): void => {
  if (timer) return void timer.refresh()
  timer = setTimeout(keepInTurns, settled).unref()
  process.on('exit', () => {
    while (fresh.length > 0) keepNext()
  })
}

/** Others have their turn between two files. */
const keepInTurns = (): void => {
  keepNext()
  if (fresh.length > 0) setImmediate(keepInTurns).unref()
}

/** With those functions that have run, which V8 compiles one by one. */
const keepNext = (): void => {
  const next = fresh.shift()
  if (!next) return
  try {
    const data = asAtStart(() => next.script.createCachedData())
    const sums = Buffer.alloc(8)
    sums.writeUInt32LE(next.sum)
    sums.writeUInt32LE(crc32(data), 4)
    const staged = join(kept, `${next.file}.${process.pid}`)
    mkdirSync(kept, { recursive: true })
    writeFileSync(staged, Buffer.concat([sums, data]))
    renameSync(staged, join(kept, next.file))
  } catch {} // it is only slower the next time
}

// Node maps what its own loader has read back to the sources, and nothing else.
if (process.sourceMapsEnabled) nodes(main)
else load(main.slice(2))
