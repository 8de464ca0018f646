/** Verification while files next to the journal change on disk. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { emptyHead } from '../../journal/log/head.ts'
import { verifyLife } from '../../src/commands/journal.ts'
import { fileKindOfPath } from '../../src/diary/decrypt-diary.ts'
import { JournalUnavailable } from '../../src/persona/refusals.ts'

const verdict = { events: 1, head: emptyHead, intact: false, firstBad: 2 }
const row = { self: { recipient: 'age1' }, trouble: null }
const personas = { getRow: () => row, verify: async () => verdict } as never
const diaryAt = (path: string) => ({ path, made: 0, seq: 1, bytes: 5, isFor: () => true })

/** Fails if `kindOf` does not handle missing files: it reports them as unreadable. */
test('skips a diary that was deleted meanwhile, and reports an unreadable one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'verify-'))
  try {
    const [here, gone, held] = ['here', 'gone', 'held'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await writeFile(here, 'age-encryption.org/v1\n')
    const diaries = {
      list: async () => [here, gone, held].map(diaryAt),
      kindOfKept: async ({ path }: { readonly path: string }) => {
        if (path === held) throw new JournalUnavailable('the diary cannot be read')
        return fileKindOfPath(path)
      },
    } as never
    const { diaries: foundDiaries } = await verifyLife(
      { diaries, personas },
      'ada',
      { deep: false },
      new AbortController().signal,
    )
    assert.equal(
      foundDiaries.map(({ path, readable }) => [path, readable]),
      [
        [here, true],
        [held, false],
      ],
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.run()
