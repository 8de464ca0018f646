#!/usr/bin/env node
/**
 * The entry file of the built daemon. Loads the other files with V8's code cache from an earlier start,
 * stored in `compiled/` next to them. Measured: compiling takes half of the start time, and Node's own cache
 * (since version 22) saves less than this one. Compiles the files if the cache is missing, damaged or not
 * writable.
 */
import { isAscii } from 'node:buffer'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'
import { growHeap, heapGrowths } from '../packages/kit/flow/heap-growth.ts'

const main = './daimon.cjs'
const folder = __dirname
const nodes = require

/** Identifies the version of V8, the processor and the flags. V8 rejects caches with another tag. */
const tag = cachedDataVersionTag()
const cacheFolder = join(folder, 'compiled', `${process.version}-${process.arch}-${tag}`)

/** In ms. If no other file was loaded for this long, the start is over and its functions can be cached. */
const settledMs = 2000

interface Fresh {
  readonly file: string
  readonly script: Script
  readonly sum: number
}

const modules = new Map<string, { readonly exports: unknown }>()
const newScripts: Fresh[] = []

const load = (file: string): unknown => {
  const loadedModule = modules.get(file)
  if (loadedModule) return loadedModule.exports
  const moduleObject = { exports: {} }
  modules.set(file, moduleObject)
  try {
    const path = join(folder, file)
    const run = compile(file, path).runInThisContext()
    run.call(moduleObject.exports, moduleObject.exports, ask, moduleObject, path, folder)
  } catch (error) {
    modules.delete(file) // a failed module must be loaded again from the start
    throw error
  }
  return moduleObject.exports
}

const ask = Object.assign((id: string) => (id.startsWith('./') ? load(id.slice(2)) : nodes(id)), nodes)

const wrapperStart = '(function(exports,require,module,__filename,__dirname){'
const wrapperStartBytes = Buffer.from(wrapperStart)
const wrapperEndBytes = Buffer.from('\n})')

const compile = (file: string, path: string): Script => {
  const source = readFileSync(path)
  const sum = crc32(source)
  const cachedData = readCache(join(cacheFolder, file), sum)
  const script = asAtStart(
    () =>
      new Script(toText(Buffer.concat([wrapperStartBytes, source, wrapperEndBytes])), {
        filename: path,
        columnOffset: -wrapperStart.length,
        ...(cachedData && { cachedData }),
      }),
  )
  if (!cachedData || script.cachedDataRejected) {
    newScripts.push({ file, script, sum })
    keepLater()
  }
  return script
}

/** Decoding ASCII as Latin-1 copies the bytes. */
const toText = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')

/** Restores the flags of the tag, which may have changed since. */
const asAtStart = <T>(act: () => T): T => {
  const now = cachedDataVersionTag()
  if (now === tag) return act()
  growHeap('as at start')
  try {
    return act()
  } finally {
    for (const growth of heapGrowths) {
      growHeap(growth)
      if (cachedDataVersionTag() === now) break
    }
  }
}

/** Checks the checksums, because V8 checks only the length of the source, and may run damaged data. */
const readCache = (path: string, sum: number): Buffer | undefined => {
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
  timer = setTimeout(keepInTurns, settledMs).unref()
  process.on('exit', () => {
    while (newScripts.length > 0) keepNext()
  })
}

/** Yields to the event loop between files. */
const keepInTurns = (): void => {
  keepNext()
  if (newScripts.length > 0) setImmediate(keepInTurns).unref()
}

/** V8 compiles functions one by one; the cache contains those that have run. */
const keepNext = (): void => {
  const next = newScripts.shift()
  if (!next) return
  try {
    const data = asAtStart(() => next.script.createCachedData())
    const sums = Buffer.alloc(8)
    sums.writeUInt32LE(next.sum)
    sums.writeUInt32LE(crc32(data), 4)
    const temporaryPath = join(cacheFolder, `${next.file}.${process.pid}`)
    mkdirSync(cacheFolder, { recursive: true })
    writeFileSync(temporaryPath, Buffer.concat([sums, data]))
    renameSync(temporaryPath, join(cacheFolder, next.file))
  } catch {} // the next start is slower, nothing else
}

// Node applies source maps only to files that its own loader has read.
if (process.sourceMapsEnabled) nodes(main)
else load(main.slice(2))
