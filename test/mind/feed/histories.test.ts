/** The process that reads an imported history, as the daemon uses it: results, shutdown and crashes. */
import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { personaFolder } from '../../../home/places.ts'
import { makeFolder } from '../../../journal/leveldb/durable-files.ts'
import { withFile } from '../../../packages/documents/test/place.ts'
import { readHistory } from '../../../packages/history-import/exported-history.ts'
import { type Asked, createHistories, type Histories } from '../../../packages/history-import/histories.ts'
import type { Conversation } from '../../../packages/history-import/imported-conversation.ts'
import { fixtures, simple } from '../../../packages/history-import/test/made.ts'
import { type ReaderBounds, Unreadable } from '../../../packages/history-import/unreadable.ts'
import { waitFor } from '../../calls.ts'
import { tempHome } from '../../daemon.ts'

const neverAborts = new AbortController().signal

const withHistories = async (
  work: (
    histories: Histories,
    createRequest: (path: string, changes?: Partial<Asked>) => Asked,
    home: string,
  ) => Promise<void>,
  bounds: Partial<ReaderBounds> = {},
): Promise<void> => {
  const home = await tempHome()
  await makeFolder(personaFolder(home, 'ada'))
  const histories = createHistories({ home, bounds })
  try {
    await work(
      histories,
      (path, changes = {}) => ({
        id: 'ada',
        path,
        sha256: 'f'.repeat(64),
        as: 'conversations',
        signal: neverAborts,
        ...changes,
      }),
      home,
    )
  } finally {
    await histories.close()
    await rm(home, { recursive: true, force: true })
  }
}

const all = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const getReason = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'read'
  } catch (error) {
    return error instanceof Unreadable ? error.reason : String(error)
  }
}

const children = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length
const marks = (home: string) => readdir(join(personaFolder(home, 'ada'), 'feeding')).catch(() => [])

test('returns the same conversations and lines as a read in this process, at any size', () =>
  withHistories(async (histories, createRequest) => {
    const longConversation = {
      title: 'Long',
      messages: Array.from({ length: 40 }, (_, n) => ({
        role: 'user',
        content: `${n} ${'é'.repeat(200_000)}`,
      })),
    }
    for (const bytes of [
      fixtures().claude ?? '',
      fixtures()['chatGpt, zip'] ?? '',
      JSON.stringify([longConversation, simple('One')]),
    ]) {
      await withFile(bytes, async (path) => {
        const expectedConversations = await all<Conversation>(readHistory(path, { signal: neverAborts }))
        const history = await histories.open(createRequest(path))
        assert.equal([history.total, history.leftOut], [expectedConversations.length, 0])
        assert.equal(await all(history.conversations()), expectedConversations)
        await history.close()
        const preview = await histories.open(createRequest(path, { as: 'previews' }))
        assert.equal(
          (await all(preview.lines())).map(({ title, messages, hash }) => [title, messages, hash]),
          expectedConversations.map(({ title, messages, hash }) => [title, messages.length, hash]),
        )
        await preview.close()
      })
    }
  }))

test('rejects an unreadable history with its reason, and a missing file with the disk error', () =>
  withHistories(async (histories, createRequest, home) => {
    await withFile('Dear diary', async (path) =>
      assert.is(await getReason(histories.open(createRequest(path))), 'not_json'),
    )
    await withFile('{"a":1}', async (path) =>
      assert.is(await getReason(histories.open(createRequest(path))), 'unknown_form'),
    )
    assert.match(
      await getReason(histories.open(createRequest(join(home, 'nobody.json')))),
      /could not be read \(ENOENT\)/,
    )
    assert.equal(await marks(home), [])
    await waitFor('no process', () => children() === 0)
  }))

// Verified to fail if the reader has no memory limit: the history was read.
test('reports a history as too large if its reader runs out of memory', () =>
  withHistories(
    async (histories, createRequest) => {
      const messages = Array.from({ length: 60 }, () => ({ role: 'user', content: '€'.repeat(250_000) }))
      await withFile(JSON.stringify([{ messages }]), async (path) =>
        assert.is(await getReason(histories.open(createRequest(path))), 'too_large'),
      )
      await waitFor('no process', () => children() === 0)
    },
    { memory: 60 * 1024 * 1024 },
  ))

test('stops a reader that sends nothing in time', () =>
  withHistories(
    async (histories, createRequest) =>
      withFile('[]', async (path) => {
        assert.is(await getReason(histories.open(createRequest(path))), 'too_long')
        await waitFor('no process', () => children() === 0)
      }),
    { silence: 1 },
  ))

test('stops the reader when its signal aborts and when the histories are closed', () =>
  withHistories(async (histories, createRequest, home) =>
    withFile(JSON.stringify([simple('One'), simple('Two')]), async (path) => {
      const controller = new AbortController()
      const history = await histories.open(createRequest(path, { signal: controller.signal }))
      const conversations = history.conversations()
      assert.is((await conversations.next()).value?.title, 'One')
      assert.equal(await marks(home), ['f'.repeat(64)])
      controller.abort(new Error('gone'))
      assert.is(await getReason(conversations.next()), 'Error: gone')
      await history.close()
      assert.equal(await marks(home), [])
      await histories.open(createRequest(path, { as: 'previews' }))
      await histories.close()
      await waitFor('no process', () => children() === 0)
    }),
  ))

test('counts one crash per daemon and history, and none after a conversation was stored', () =>
  withHistories(async (histories, createRequest, home) =>
    withFile(JSON.stringify([simple('One'), simple('Two')]), async (path) => {
      /** Leaves the same files as a daemon that was killed. */
      const simulateCrash = async (hasStored: boolean) => {
        const otherHistories = createHistories({ home })
        const [history] = await Promise.all([
          otherHistories.open(createRequest(path)),
          otherHistories.open(createRequest(path, { as: 'previews' })),
        ])
        if (hasStored) await history.keptSome()
        const place = join(personaFolder(home, 'ada'), 'feeding', 'f'.repeat(64))
        const file = await open(place, 'r')
        const fileAfter = await file.readFile()
        await file.close()
        await otherHistories.close()
        const rewrittenFile = await open(place, 'w')
        await rewrittenFile.writeFile(fileAfter)
        await rewrittenFile.close()
      }
      await simulateCrash(false)
      await simulateCrash(true)
      await simulateCrash(false)
      assert.is(await getReason(histories.open(createRequest(path))), 'ended_twice')
      assert.is(await getReason(histories.open(createRequest(path, { sha256: 'e'.repeat(64) }))), 'read')
    }),
  ))

test.run()
