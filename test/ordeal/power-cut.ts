/**
 * A disk that loses its power: for everything below one folder, LevelDB's files and our own, unsynced data is
 * discarded.
 *
 * LevelDB syncs its log with a batch that asks for it, and a table or manifest before another file refers to
 * it. Syncing a manifest syncs its folder as well, so only the last step of an opening can be lost: the new
 * name of CURRENT and the removal of old files. A synced file is durable. A rename, creation or removal is
 * durable once one of its folders is synced, and earlier ones are durable before later ones.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { Level } from 'level'
import type { Chance } from '../random.ts'
import { entriesBelow, readTree, type Tree, tearBytes, toMovedPath, undoOpening } from './power-tree.ts'

/** The sync calls that are ignored, to prove that the test notices it. */
export type Neglect = 'batches' | 'files' | 'folders' | undefined

export interface Disk {
  /** Starts with this content, which is durable. */
  begin(home: string, lasting: Tree, onFailure: () => void): void
  /** The power fails in the call of that number, counted from now. */
  failIn(calls: number): void
  /** Waits until no call is running, and returns the content after the power has come back. */
  settle(): Promise<Tree>
  /** Rejects all hanging calls and all later ones. */
  refuse(): void
  /** Stops observing the folder. */
  end(): void
  /** Number of calls since `begin`. */
  readonly calls: number
  restore(): void
}

interface Step {
  readonly folders: readonly string[]
  readonly undo: (tree: Map<string, Buffer | null>) => void
}

/** An opened LevelDB: its files before it was opened, and the log that it continued. */
interface OpeningState {
  readonly treeBefore: Tree
  log: string | undefined
  /** True if its folder was synced afterwards. */
  firm: boolean
}

interface Chained {
  _write(options: { sync?: boolean }): Promise<void>
}
interface Engine {
  readonly location: string
  _open(options: unknown): Promise<void>
  _chainedBatch(): Chained
}

export const createDisk = (chance: Chance, neglect?: Neglect): Disk => {
  let home = ''
  let power: 'on' | 'off' | 'gone' = 'gone'
  let callsLeft = 0
  let calls = 0
  let moving = 0
  let onFailure = () => {}
  /** Durable length of each file. */
  const sure = new Map<string, number>()
  let steps: Step[] = []
  const openings = new Map<string, OpeningState>()
  const hangingCalls: ((error: Error) => void)[] = []

  const toName = (path: unknown): string | undefined => {
    const name = relative(home, String(path))
    return home !== '' && !name.startsWith('..') ? name : undefined
  }
  const noPower = () => Object.assign(new Error('EIO: the power is gone'), { code: 'EIO' })
  const hang = <T>(): Promise<T> =>
    power === 'gone' ? Promise.reject(noPower()) : new Promise((_, reject) => hangingCalls.push(reject))

  /** A call that runs when the power fails may reach the disk, but its caller gets no result. */
  const runCall = async <T>(act: () => Promise<T>, onDone: () => void = () => {}): Promise<T> => {
    calls++
    const isDying = power === 'on' && calls === callsLeft
    if (isDying) {
      power = 'off'
      onFailure()
    }
    if (power !== 'on' && !(isDying && chance.next() < 0.6)) return hang()
    moving++
    try {
      const result = await act()
      if (power === 'on') onDone()
      if (power === 'on') return result
    } catch (error) {
      if (power === 'on') throw error
    } finally {
      moving--
    }
    return hang()
  }

  const syncedFolder = (name: string, filesBefore: readonly Step[]) => {
    steps = steps.filter((step) => !filesBefore.includes(step) || !step.folders.includes(name))
    const openState = openings.get(name)
    if (openState) openState.firm = true
  }
  const rememberMove = (source: string, target: string) => {
    for (const map of [sure, openings] as Map<string, unknown>[]) {
      for (const [name, value] of entriesBelow(map, target)) if (value !== undefined) map.delete(name)
      for (const [name, value] of entriesBelow(map, source)) {
        map.delete(name)
        map.set(toMovedPath(name, source, target), value)
      }
    }
  }
  const toCreation = (name: string): Step => ({
    folders: [dirname(name)],
    undo: (tree) => {
      for (const [path] of entriesBelow(tree, name)) tree.delete(path)
    },
  })

  // --- our own files

  const { promises } = fs
  const original = { ...promises }
  const handles = new WeakMap<object, string>()
  const patchMethod = <K extends keyof typeof promises>(key: K, call: (typeof promises)[K]) => {
    promises[key] = call
  }
  // biome-ignore lint/suspicious/noExplicitAny: the calls of Node's own module are handed on as they come
  type Loose = any

  patchMethod('open', (async (path: string, flags: string, mode?: number) => {
    const name = toName(path)
    if (name === undefined) return original.open(path, flags, mode)
    const isNew = flags !== 'r' && !fs.existsSync(path)
    const act = async () => {
      const handle = await original.open(path, flags, mode)
      if (isNew) steps.push(toCreation(name))
      handles.set(handle, name)
      // The caller never receives it.
      if (power !== 'on') await handle.close()
      return handle
    }
    return flags === 'r' ? act() : runCall(act)
  }) as Loose)
  patchMethod('mkdir', (async (path: string, options: Loose) => {
    const name = toName(path)
    if (name === undefined || fs.existsSync(path)) return original.mkdir(path, options)
    // The first folder that does not exist yet: everything below it is lost with it.
    let first = name
    while (first !== '' && dirname(first) !== '.' && !fs.existsSync(join(home, dirname(first))))
      first = dirname(first)
    return runCall(async () => {
      const uppermost = await original.mkdir(path, options)
      steps.push(toCreation(first))
      return uppermost
    })
  }) as Loose)
  patchMethod('writeFile', (async (path: string, ...rest: readonly Loose[]) => {
    const name = toName(path)
    const write = () => (original.writeFile as Loose)(path, ...rest)
    if (name === undefined) return write()
    if (!fs.existsSync(path)) steps.push(toCreation(name))
    sure.set(name, 0)
    return runCall(write)
  }) as Loose)
  patchMethod('rename', (async (source: string, target: string) => {
    const old = toName(source)
    const name = toName(target)
    if (old === undefined || name === undefined) return original.rename(source, target)
    const replacedTree = readTree(home, name)
    const undo: Step['undo'] = (tree) => {
      const entriesBelowName = entriesBelow(tree, name)
      for (const [path] of entriesBelowName) tree.delete(path)
      for (const [path, bytes] of entriesBelowName) tree.set(toMovedPath(path, name, old), bytes)
      for (const [path, bytes] of replacedTree) tree.set(path, bytes)
    }
    return runCall(async () => {
      await original.rename(source, target)
      rememberMove(old, name)
      steps.push({ folders: [dirname(old), dirname(name)], undo })
    })
  }) as Loose)
  patchMethod('rm', (async (path: string, options: Loose) => {
    const name = toName(path)
    if (name === undefined || power === 'gone' || !fs.existsSync(path)) return original.rm(path, options)
    const removedTree = readTree(home, name)
    // The files are removed one by one, and any of the last removals may be undone.
    const undo: Step['undo'] = (tree) => {
      for (const [file, bytes] of [...removedTree].slice(0, chance.pickBetween(1, removedTree.size)))
        tree.set(file, bytes)
    }
    return runCall(async () => {
      await original.rm(path, options)
      for (const map of [sure, openings] as Map<string, unknown>[])
        for (const [file] of entriesBelow(map, name)) map.delete(file)
      steps.push({ folders: [dirname(name)], undo })
    })
  }) as Loose)
  patchMethod('cp', ((source: string, target: string, options: Loose) => {
    const copy = () => original.cp(source, target, options)
    return toName(target) === undefined ? copy() : runCall(copy)
  }) as Loose)

  let handleMethods: { sync(): Promise<void>; writeFile(bytes: Uint8Array): Promise<void> } | undefined
  let plainMethods: typeof handleMethods
  const patchHandles = async () => {
    const handle = await original.open(import.meta.filename, 'r')
    const methods = Object.getPrototypeOf(handle) as NonNullable<typeof handleMethods>
    const { sync, writeFile } = methods
    handleMethods = methods
    plainMethods = { sync, writeFile }
    methods.writeFile = function (this: object, bytes) {
      return handles.has(this) ? runCall(() => writeFile.call(this, bytes)) : writeFile.call(this, bytes)
    }
    // Not passed to the system: this module decides which bytes are durable.
    methods.sync = function (this: { fd: number }) {
      const name = handles.get(this)
      if (name === undefined) return sync.call(this)
      const isFolder = fs.fstatSync(this.fd).isDirectory()
      const stepsBefore = [...steps]
      return runCall(
        async () => {},
        () => {
          if (neglect === (isFolder ? 'folders' : 'files')) return
          if (isFolder) syncedFolder(name === '' ? '.' : name, stepsBefore)
          else sure.set(name, fs.fstatSync(this.fd).size)
        },
      )
    }
    await handle.close()
  }
  const patching = patchHandles()
  syncBuiltinESMExports()

  // --- LevelDB's files

  const logIn = (folder: string): string | undefined =>
    fs
      .readdirSync(join(home, folder))
      .filter((name) => name.endsWith('.log'))
      .sort()
      .at(-1)

  const engine = Level.prototype as unknown as Engine
  const { _open, _chainedBatch } = engine
  engine._open = async function (options) {
    await patching
    const name = toName(this.location)
    if (name === undefined) return _open.call(this, options)
    const treeBefore = readTree(home, name)
    const openState: OpeningState = { treeBefore, log: undefined, firm: false }
    return runCall(
      async () => {
        openings.set(name, openState)
        await _open.call(this, options)
        openState.log = logIn(name)
      },
      () => {},
    )
  }
  engine._chainedBatch = function () {
    const batch = _chainedBatch.call(this)
    const write = batch._write
    const { location } = this
    batch._write = function (options) {
      const name = toName(location)
      if (name === undefined) return write.call(this, options)
      const earlyLog = logIn(name)
      return runCall(
        () => write.call(this, { ...options, sync: false }),
        () => {
          if (options.sync !== true || neglect === 'batches') return
          // If LevelDB started another log meanwhile, the batch is in one of the two.
          for (const log of new Set([earlyLog, logIn(name)]))
            if (log !== undefined && fs.existsSync(join(home, name, log)))
              sure.set(join(name, log), fs.statSync(join(home, name, log)).size)
        },
      )
    }
    return batch
  }

  // --- after the power cut

  const print = () =>
    fs
      .readdirSync(home, { recursive: true })
      .map((name) => `${name} ${fs.statSync(join(home, String(name)), { throwIfNoEntry: false })?.size}`)
      .join('\n')

  /** Waits until no call is running and LevelDB's own threads are idle. */
  const waitUntilIdle = async (): Promise<Tree> => {
    for (;;) {
      while (moving > 0) await new Promise(setImmediate)
      const printedLines = print()
      await new Promise((resolve) => setTimeout(resolve, 3))
      if (printedLines !== print()) continue
      const tree = readTree(home, '')
      if (moving === 0 && printedLines === print()) return tree
    }
  }

  /** LevelDB's logs and our own files end at the last sync or somewhere after it. */
  const loseTails = (tree: Map<string, Buffer | null>) => {
    const folders = [...openings.keys()].map((folder) => `${folder}/`)
    for (const [name, bytes] of tree) {
      const lastsByItself = !name.endsWith('.log') && folders.some((folder) => name.startsWith(folder))
      if (bytes && !lastsByItself) tree.set(name, tearBytes(bytes, sure.get(name) ?? 0, chance))
    }
  }

  /** Undoes the last step of an opening, unless LevelDB has started another log since. */
  const loseOpenings = (tree: Map<string, Buffer | null>) => {
    for (const [folder, { treeBefore, log, firm }] of openings) {
      const possible =
        !firm && treeBefore.has(join(folder, 'CURRENT')) && (log === undefined || tree.has(join(folder, log)))
      if (possible && chance.next() < 0.3) undoOpening(tree, folder, treeBefore, chance)
    }
  }

  const settle = async (): Promise<Tree> => {
    const tree = new Map(await waitUntilIdle())
    loseTails(tree)
    loseOpenings(tree)
    const count = chance.pick([0, steps.length, chance.pickBetween(0, steps.length)])
    for (const step of steps.slice(steps.length - count).reverse()) step.undo(tree)
    return tree
  }

  return {
    get calls() {
      return calls
    },
    failIn: (extraCalls) => {
      callsLeft = calls + extraCalls
    },
    end: () => {
      home = ''
    },
    begin: (folder, tree, onFail) => {
      home = folder
      power = 'on'
      callsLeft = Number.POSITIVE_INFINITY
      calls = 0
      onFailure = onFail
      steps = []
      sure.clear()
      openings.clear()
      for (const [name, bytes] of tree) if (bytes) sure.set(name, bytes.length)
    },
    settle,
    refuse: () => {
      power = 'gone'
      for (const reject of hangingCalls.splice(0)) reject(noPower())
    },
    restore: () => {
      Object.assign(promises, original)
      Object.assign(engine, { _open, _chainedBatch })
      if (handleMethods && plainMethods) Object.assign(handleMethods, plainMethods)
      syncBuiltinESMExports()
    },
  }
}
