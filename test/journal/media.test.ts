/** Media files are complete and synced, under generated names, before a fact names them. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { dropMedia, keepMedia, stageMedia } from '../../home/media.ts'
import { Unavailable, Unknown } from '../../journal/log/errors.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { waitFor } from '../calls.ts'
import { temporary } from './engines.ts'

const inHome = async (prove: (home: string, folder: string) => Promise<void>): Promise<void> => {
  const home = await temporary()
  try {
    await mkdir(join(home, 'personas', 'ada'), { recursive: true })
    await prove(home, join(home, 'personas', 'ada', 'media'))
  } finally {
    await rm(home, { recursive: true })
  }
}

const toSha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const listTrash = (home: string) => readdir(join(home, 'trash')).catch(() => [])
const clock = systemClock()

async function* inPieces(...pieces: readonly Uint8Array[]) {
  yield* pieces
}

const failure = (operation: Promise<unknown>): Promise<unknown> =>
  operation.then(
    () => undefined,
    (error: unknown) => error,
  )

test('stores bytes under a generated name for the owner only, and returns size and hash', () =>
  inHome(async (home, folder) => {
    const bytes = Buffer.from('hello 🌱')
    const media = await keepMedia(home, 'ada', { bytes }, '.PNG')
    assert.match(media.filename, /^[0-9a-f]{32}\.png$/)
    assert.equal([media.bytes, media.sha256], [bytes.length, toSha(bytes)])
    assert.equal(await readFile(join(folder, media.filename)), bytes)
    assert.equal(
      [(await stat(folder)).mode & 0o777, (await stat(join(folder, media.filename))).mode & 0o777],
      [0o700, 0o600],
    )
    assert.equal(await listTrash(home), [])
  }))

test('an extension is up to eight letters and digits, and never a part of a path', () =>
  inHome(async (home) => {
    const keepAs = async (extension: string) =>
      (await keepMedia(home, 'ada', { bytes: Buffer.of(1) }, extension)).filename.split('.')[1]
    assert.equal(await Promise.all(['webm', '.Mp4', '7z', 'markdown'].map(keepAs)), [
      'webm',
      'mp4',
      '7z',
      'markdown',
    ])
    for (const oddName of ['', '.', '/../x', 'p/x', 'jpég', 'excalidraw', 'a b', '..png', '\0', 'tar.gz'])
      assert.is(await keepAs(oddName), 'bin', oddName)
  }))

test('moves a staged file, and measures it only if necessary', () =>
  inHome(async (home, folder) => {
    const bytes = Buffer.alloc(200_000, 'ab')
    const stagedFile = await stageMedia(
      home,
      inPieces(bytes.subarray(0, 70_000), bytes.subarray(70_000)),
      clock,
    )
    assert.equal(stagedFile.measured, { bytes: bytes.length, sha256: toSha(bytes) })
    const media = await keepMedia(home, 'ada', stagedFile, 'txt')
    const foundPath = join(home, 'trash', 'found')
    await writeFile(foundPath, bytes)
    const measuredMedia = await keepMedia(home, 'ada', { path: foundPath }, 'txt')
    for (const { filename, ...rest } of [media, measuredMedia]) {
      assert.equal(rest, stagedFile.measured)
      assert.equal(await readFile(join(folder, filename)), bytes)
    }
    await stagedFile.drop()
    assert.equal([(await readdir(folder)).length, await listTrash(home)], [2, []])
  }))

test('removes incomplete and dropped files', () =>
  inHome(async (home, folder) => {
    async function* cutBytes() {
      yield Buffer.alloc(1000)
      throw new Error('the sender left')
    }
    assert.is(((await failure(stageMedia(home, cutBytes(), clock))) as Error).message, 'the sender left')
    const stagedFile = await stageMedia(home, inPieces(Buffer.alloc(10)), clock)
    await stagedFile.drop()
    await stagedFile.drop()
    const { filename } = await keepMedia(home, 'ada', { bytes: Buffer.alloc(10) }, 'txt')
    await dropMedia(home, 'ada', filename)
    await dropMedia(home, 'ada', filename)
    assert.equal(await readdir(folder), [])
    // An aborted file is removed after the caller was notified.
    await waitFor('the trash to be empty', async () => (await listTrash(home)).length === 0)
  }))

test('creates no folder for an unknown persona, and rejects names that were not generated', () =>
  inHome(async (home) => {
    for (const id of ['eva', '..', 'Ada'])
      assert.instance(await failure(keepMedia(home, id, { bytes: Buffer.of(1) }, 'txt')), Unknown)
    assert.equal(await readdir(join(home, 'personas')), ['ada'])
    await writeFile(join(home, 'personas', 'ada', 'secrets'), 'x')
    for (const name of ['../secrets', 'secrets', '', '..', '/etc/passwd'])
      assert.instance(await failure(dropMedia(home, 'ada', name)), Unknown)
    assert.is(await readFile(join(home, 'personas', 'ada', 'secrets'), 'utf8'), 'x')
    assert.equal(await listTrash(home), [])
  }))

test('a failing disk is Unavailable, and no file is stored', () =>
  inHome(async (home, folder) => {
    await writeFile(folder, 'a file where her folder should be')
    assert.instance(await failure(keepMedia(home, 'ada', { bytes: Buffer.of(1) }, 'txt')), Unavailable)
    const stagedFile = await stageMedia(home, inPieces(Buffer.of(1)), clock)
    assert.instance(await failure(keepMedia(home, 'ada', stagedFile, 'txt')), Unavailable)
    await stagedFile.drop()
    assert.equal(await listTrash(home), [])
    await rm(join(home, 'trash'), { recursive: true })
    await writeFile(join(home, 'trash'), '')
    assert.instance(await failure(stageMedia(home, inPieces(Buffer.of(1)), clock)), Unavailable)
  }))

// Fails without the sync of the file, of its folder, and of the folder's parent.
test('syncs the file, its name and its folder before it resolves', () =>
  inHome(async (home, folder) => {
    const stagedFile = await stageMedia(home, inPieces(Buffer.alloc(1000)), clock)
    const calls = await recordCalls(() => keepMedia(home, 'ada', stagedFile, 'txt'))
    const [place = ''] = await readdir(folder)
    assert.equal(calls, [
      `sync ${stagedFile.path}`,
      `sync ${join(home, 'personas', 'ada')}`,
      `rename ${join(folder, place)}`,
      `sync ${folder}`,
    ])
    const [first = '', ...rest] = await recordCalls(() =>
      keepMedia(home, 'ada', { bytes: Buffer.alloc(10) }, 'txt'),
    )
    assert.match(first, /^sync .*trash/)
    assert.equal([rest[0]?.startsWith('rename '), rest[1]], [true, `sync ${folder}`])
    const [last = ''] = (await recordCalls(() => stageMedia(home, inPieces(Buffer.alloc(10)), clock))).slice(
      -1,
    )
    assert.match(last, /^sync .*trash/)
  }))

/** Returns the renames and syncs during `act`, in order. */
const recordCalls = async (act: () => Promise<unknown>): Promise<readonly string[]> => {
  const { open, rename } = fs.promises
  const calls: string[] = []
  Object.assign(fs.promises, {
    open: async (...args: Parameters<typeof open>) => {
      const file = await open(...args)
      const { sync } = file
      return Object.assign(file, {
        sync: async () => {
          await sync.call(file)
          calls.push(`sync ${String(args[0])}`)
        },
      })
    },
    rename: async (...args: Parameters<typeof rename>) => {
      await rename(...args)
      calls.push(`rename ${String(args[1])}`)
    },
  })
  syncBuiltinESMExports()
  try {
    await act()
    return calls
  } finally {
    Object.assign(fs.promises, { open, rename })
    syncBuiltinESMExports()
  }
}

// Fails without a timeout: the file is staged.
test('times out on a hanging disk, and removes a file that is written later', () =>
  inHome(async (home) => {
    let finish = () => {}
    const time = new Promise<void>((resolve) => {
      finish = resolve
    })
    // The folder and the file are created in time, but the bytes are not written.
    async function* bytes() {
      finish()
      yield Buffer.of(1)
    }
    assert.instance(await failure(stageMedia(home, bytes(), { wait: () => time })), Unavailable)
    await waitFor('the file to go', async () => (await listTrash(home)).length === 0)
  }))

test.run()
