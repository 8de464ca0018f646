/** A file whose fact could not be written is removed, unless a stored fact refers to it. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { type Fault, memoryStores, type Operation } from '../../journal/log/memory-store.ts'
import { createLog } from '../../packages/kit/log.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { createBus } from '../../src/bus.ts'
import { createPersonaStore } from '../../src/persona/create-persona-store.ts'
import type { PersonaStore } from '../../src/persona/persona-store.ts'
import { JournalUnavailable, Refused } from '../../src/persona/refusals.ts'
import { inHome } from '../journal/engines.ts'
import { toHeardMedia } from '../message-parts.ts'
import { web } from './given.ts'

interface Setup {
  readonly personas: PersonaStore
  /** The next calls of each kind fail with these faults, in order. */
  readonly faults: Partial<Record<Operation, Fault[]>>
  readonly listFiles: () => Promise<readonly string[]>
  /** Shows the same file to the persona again. Returns its name, and true if the command was acknowledged. */
  readonly show: (key?: string) => Promise<{ readonly filename: string; readonly isAcknowledged: boolean }>
}

const inSetup = (act: (setup: Setup) => Promise<void>) => () =>
  inHome(async (home) => {
    const faults: Setup['faults'] = {}
    const catalog = await openCatalog(home)
    const journals = openPersonaJournals({
      stores: memoryStores({ fault: (operation) => faults[operation]?.shift() }),
      witness: async () => undefined,
    })
    const log = await createLog({ level: 'silent' })
    const personas = createPersonaStore({
      home,
      journals,
      catalog,
      bus: createBus(),
      clock: systemClock(),
      log,
    })
    await mkdir(join(home, 'personas', 'ada'), { recursive: true })
    await personas.create({
      type: 'CreatePersona',
      id: 'ada',
      name: 'Ada',
      birthday: '2026-01-01',
      recipient: '',
      organs: {},
    })
    const show: Setup['show'] = async (key) => {
      const file = await personas.keepMedia('ada', { bytes: Buffer.from('a kite') }, 'txt')
      const media = { ...file, name: 'kite.txt', mime: 'text/plain', caption: '', voice: false }
      const isAcknowledged = await personas
        .execute(
          'ada',
          { type: 'Hear', channel: web, content: '', media: toHeardMedia(media), key: key ?? null },
          'person',
        )
        .then(
          () => true,
          () => false,
        )
      return { filename: file.filename, isAcknowledged }
    }
    const listFiles = () => personas.mediaFolder('ada').then((folder) => readdir(folder))
    try {
      await act({ personas, faults, listFiles, show })
    } finally {
      await personas.close()
      await catalog.close()
    }
  })

test(
  'a file without a fact is removed, also if its fact was certainly refused',
  inSetup(async ({ personas, faults, listFiles, show }) => {
    const first = await show('a key')
    const second = await show('a key')
    await personas.dropMedia('ada', second.filename)
    faults.batch = ['refused']
    const refusedFile = await show()
    assert.equal([first.isAcknowledged, refusedFile.isAcknowledged], [true, false])
    await personas.dropMedia('ada', refusedFile.filename)
    assert.equal(await listFiles(), [first.filename])
  }),
)

// Fails if the file is removed in any case: the message was stored, but its file was missing.
test(
  'if the fact was in doubt, the file is kept exactly if the fact is stored',
  inSetup(async ({ personas, faults, listFiles, show }) => {
    for (const fault of ['kept', 'lost'] as const) {
      Object.assign(faults, { batch: [fault], reopen: ['refused'] } satisfies Setup['faults'])
      const { filename, isAcknowledged } = await show()
      assert.not.ok(isAcknowledged, 'in doubt')
      await personas.dropMedia('ada', filename)
      assert.is((await listFiles()).includes(filename), fault === 'kept', fault)
    }
    const filesInFacts: (string | undefined)[] = []
    await personas.read('ada', async ({ journal }) => {
      for await (const { event } of journal.read({ kind: 'talk' }))
        if (event.type === 'MessageHeard') filesInFacts.push(event.media?.filename)
    })
    assert.equal(await listFiles(), filesInFacts)
  }),
)

test(
  'while the doubt cannot be settled, the file is kept and no error is thrown',
  inSetup(async ({ personas, faults, listFiles, show }) => {
    Object.assign(faults, { batch: ['lost'], reopen: ['refused', 'refused'] } satisfies Setup['faults'])
    const { filename, isAcknowledged } = await show()
    assert.not.ok(isAcknowledged)
    await personas.dropMedia('ada', filename)
    assert.equal(await listFiles(), [filename])
  }),
)

test(
  'a missing persona accepts no file, and has none to remove',
  inSetup(async ({ personas }) => {
    const error = await personas
      .keepMedia('eva', { bytes: Buffer.of(1) }, 'txt')
      .catch((error: unknown) => error)
    assert.equal(error instanceof Refused && error.refusal, { code: 'persona_unknown' })
    await personas.dropMedia('eva', '00000000000000000000000000000000.txt')
    const hard = personas.stageMedia(
      (async function* () {
        yield Buffer.of(1)
        throw new JournalUnavailable('passed on')
      })(),
    )
    assert.is(await hard.catch(({ message }: Error) => message), 'passed on')
  }),
)

test.run()
