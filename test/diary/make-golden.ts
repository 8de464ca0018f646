/**
 * Writes the golden diary of this format. Run once per released format: `node --import tsx
 * test/diary/make-golden.ts v1`, and commit the result.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { recordSpan } from '../../journal/log/keys.ts'
import { encryptDiary, surveyDiary } from '../../src/diary/encrypt-diary.ts'
import { deriveRecipient, readPhrase } from '../../src/persona/phrase.ts'
import { born, draft } from '../journal/facts.ts'
import { golden } from '../journal/make-golden.ts'
import { createOutline, joinPieces, life, temporary } from './test-diary.ts'

/** A recovery phrase that no persona uses. */
export const goldenPhrase =
  'void come effort suffer camp survey warrior heavy shoot primary clutch crush open amazing screen patrol group space point ten exist slush involve unfold'

export const goldenMedia: Readonly<Record<string, string>> = {
  '00112233445566778899aabbccddeeff.txt': 'A note she was shown.\n',
  'ffeeddccbbaa99887766554433221100.png': 'No picture, only its name.\n',
}

const make = async (version: string): Promise<void> => {
  const home = await temporary()
  const stores = await openHomeStores(home)
  const [beginning, ...others] = life(3)
  const journal = await openPersonaJournals({ stores, witness: async () => undefined }).create(
    'ada',
    draft(beginning ?? born),
  )
  for (const event of others) await journal.append([draft(event)], journal.head)
  const { snapshot: _, part: __, ...said } = await golden(journal)
  await journal.close()

  const readResult = await readPhrase(goldenPhrase)
  if (readResult.fault) throw new Error('the golden phrase is one')
  for (const [filename, content] of Object.entries(goldenMedia))
    await writeFile(join(home, filename), content)
  const media = await surveyDiary(
    Object.keys(goldenMedia).map((filename) => ({ filename, path: join(home, filename), bytes: 1 })),
  )
  const manifest = {
    ...createOutline(await deriveRecipient(readResult.entropy), said.head),
    media: [...media],
  }
  const store = await stores.open('ada')
  const folder = join(import.meta.dirname, 'golden')
  await mkdir(folder, { recursive: true })
  const bytes = await joinPieces(
    encryptDiary(manifest, store.values(recordSpan(0)), (filename) => join(home, filename)),
  )
  await writeFile(join(folder, `${version}.diary`), bytes)
  await writeFile(join(folder, `${version}.json`), `${JSON.stringify({ manifest, ...said }, null, 2)}\n`)
  await store.close()
  await rm(home, { recursive: true })
}

const [, script, version] = process.argv
if (script === import.meta.filename && version !== undefined) await make(version)
