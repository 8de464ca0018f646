/**
 * Creates the golden journal of this format. Run it once per released format, `node --import tsx
 * test/journal/make-golden.ts v1`, and commit the result.
 */
import { hash } from 'node:crypto'
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Journal, openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { emptyHead } from '../../journal/log/head.ts'
import { toParts } from '../message-parts.ts'
import { temporary } from './engines.ts'
import { born, collect, createMessageHeard, draft, factsByType, listPositions, readCommits } from './facts.ts'

const part = 'You are Ada. '.repeat(100)

const matrixFacts = [
  {
    ...factsByType.ChannelAdded,
    id: 'c2',
    kind: 'matrix',
    name: 'ada:example.org',
    bot: '@ada:example.org',
    token: 'k9',
  },
  {
    type: 'MessageHeard',
    channel: { type: 'matrix', name: '!home:example.org', topic: '!other:example.org $thread' },
    parts: toParts('hello from a thread'),
    media: null,
    key: 'matrix:@ada:example.org:$event',
  },
] as const

/** Returns the data that a golden journal must return. */
export const golden = async (journal: Journal) => ({
  head: journal.head,
  commits: readCommits(await collect(journal.commits(emptyHead))),
  talk: await listPositions(journal.read({ kind: 'talk' })),
  plans: await listPositions(journal.read({ kind: 'plans' })),
  calls: await listPositions(journal.read({ kind: 'calls' })),
  media: await listPositions(journal.read({ kind: 'media' })),
  days: await listPositions(journal.read({ kind: 'days' })),
  heard: await Promise.all(
    ['k', 'telegram:42:7', 'never'].map(async (key) => (await journal.findByKey(key)) ?? null),
  ),
  snapshot: await journal.snapshot('state', 1, 1000),
  part: Buffer.from((await journal.part(hash('sha256', part))) ?? []).toString(),
  intact: (await journal.verify()).intact,
})

const make = async (version: string): Promise<void> => {
  const home = await temporary()
  let drawnBytes = 0
  // Deterministic.
  const random = (bytes: number): Buffer =>
    Buffer.concat(
      Array.from({ length: bytes / 16 }, () => hash('sha256', `${drawnBytes++}`, 'buffer').subarray(0, 16)),
    )
  const journals = openPersonaJournals({
    stores: await openHomeStores(home),
    witness: async () => undefined,
    random,
  })
  const journal = await journals.create('ada', draft(born))
  for (const event of Object.values(factsByType))
    await journal.append(
      [{ ...draft(event), cause: { by: 'agent', life: 2, turn: 1 }, offset: -210 }],
      journal.head,
    )
  await journal.keepSnapshot({
    projector: 'state',
    version: 1,
    head: journal.head,
    state: { name: 'Ada', list: [1, null, 'two'] },
  })
  await journal.append(
    [
      draft(createMessageHeard('hello\n🌱', 'telegram:42:7'), factsByType.Renamed),
      draft(factsByType.StartAsked),
    ],
    journal.head,
  )
  await journal.append([draft(...matrixFacts)], journal.head)
  await journal.putPart(Buffer.from(part))
  await journal.close()
  // Opened again, so that all data is in a table.
  const reopened = await journals.open('ada', 'reader')
  const expectedGolden = await golden(reopened)
  await reopened.close()

  const folder = join(import.meta.dirname, 'golden', version)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const source = join(home, 'personas', 'ada', 'journal')
  const neededFiles = (await readdir(source)).filter((name) => /^CURRENT$|^MANIFEST|\.(ldb|log)$/.test(name))
  for (const name of neededFiles) await cp(join(source, name), join(folder, 'journal', name))
  await writeFile(join(folder, 'expected.json'), `${JSON.stringify(expectedGolden, null, 2)}\n`)
  await rm(home, { recursive: true })
}

const [, script, version] = process.argv
if (script === import.meta.filename && version !== undefined) await make(version)
