/** Finds the fact that refers to a file, however old it is, and checks the file's content. */
import { hash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { EventOf } from '../../facts/facts.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { createMediaStore } from '../../home/media.ts'
import { mediaFolder } from '../../home/places.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { createMediaIntegrity } from '../../src/persona/media-integrity.ts'
import { tempHome } from '../daemon.ts'
import { born, createMessageHeard, draft } from '../journal/facts.ts'

const toHash = (n: number) => hash('sha256', `file ${n}`)
const toName = (n: number) => `${hash('md5', `file ${n}`)}.txt`
const withFile = (n: number, sha256: string | null = toHash(n)): EventOf<'MessageHeard'> => ({
  ...(createMessageHeard(`file ${n}`) as EventOf<'MessageHeard'>),
  media: {
    filename: toName(n),
    name: `${n}.txt`,
    mime: 'text/plain',
    caption: '',
    voice: false,
    bytes: null,
    sha256,
    from: 'person',
    by: null,
  },
})

const withLife = async (
  play: (setup: {
    sound: ReturnType<typeof createMediaIntegrity>
    home: string
    journal: Journal
  }) => Promise<void>,
) => {
  const home = await tempHome()
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const journal = await journals.create('ada', draft(born))
  try {
    await play({ sound: createMediaIntegrity(home, createMediaStore(home, systemClock())), home, journal })
  } finally {
    await journal.close()
    await rm(home, { recursive: true })
  }
}
type Journal = Awaited<ReturnType<ReturnType<typeof openPersonaJournals>['create']>>

test('finds every file by its name, in any order, and files that were added since', () =>
  withLife(async ({ sound, journal }) => {
    for (let first = 0; first < 4000; first += 1000)
      await journal.append(
        [
          draft(
            ...Array.from({ length: 1000 }, (_, n) =>
              n % 100 === 0 ? withFile(first + n) : createMessageHeard('words'),
            ),
          ),
        ],
        journal.head,
      )
    const sha = async (n: number) => (await sound.findNamed('ada', toName(n), journal))?.sha256
    for (const n of [3900, 2000, 0, 3900, 100]) assert.is(await sha(n), toHash(n))
    assert.is(await sha(4000), undefined)
    await journal.append([draft(withFile(4000))], journal.head)
    assert.equal(await Promise.all([sha(4000), sha(1700), sha(9)]), [toHash(4000), toHash(1700), undefined])
    await journal.append([draft(withFile(100, toHash(1)))], journal.head)
    assert.is(await sha(100), toHash(1))
  }))

test('a file is intact if it matches its fact, or if no fact has a checksum', () =>
  withLife(async ({ sound, home }) => {
    await mkdir(mediaFolder(home, 'ada'), { recursive: true })
    const path = join(mediaFolder(home, 'ada'), toName(1))
    const is = (bytes: number | null, sha256: string | null) =>
      sound.isSound('ada', { filename: toName(1), bytes, sha256 })
    assert.is(await is(6, toHash(1)), true, 'the file is missing')
    await writeFile(path, 'file 1')
    assert.equal(await Promise.all([is(6, toHash(1)), is(6, toHash(2)), is(7, toHash(1)), is(null, null)]), [
      true,
      false,
      false,
      true,
    ])
    await writeFile(path, 'file 2')
    assert.equal([await is(6, toHash(1)), await is(6, toHash(2))], [false, true])
  }))

test.run()
