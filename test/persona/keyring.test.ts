/** Keys that are stored before their fact. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import { equal } from 'uvu/assert'
import { createSecretStore } from '../../home/secrets.ts'
import { createLog } from '../../packages/kit/log.ts'
import { initialTalk } from '../../projections/talk.ts'
import { createKeyring } from '../../src/persona/keyring.ts'
import { tempHome } from '../daemon.ts'

const createAda = (key: string | null, otherKey: string | null = null) => ({
  self: createSelf(key),
  talk: {
    ...initialTalk,
    inboxes: {
      web: {
        channel: null,
        consumed: 0,
        heard: 1,
        oldest: 1,
        putBack: 0,
        otherMind: {
          organ: { model: 'gpt', provider: 'openai' as const, url: null, key: otherKey },
          asked: 2,
        },
      },
    },
  },
})

const createSelf = (key: string | null) => ({
  id: 'ada',
  name: 'Ada',
  character: null,
  voice: [],
  minds: [],
  portrait: null,
  birthday: '2026-01-01',
  created: 0,
  status: 'active' as const,
  reason: null,
  idleTimeout: 1,
  recipient: '',
  wanted: true,
  deleted: false,
  purged: false,
  restored: 0,
  phraseConfirmed: false,
  channels: [],
  servers: {},
  hosts: {},
  searches: { providers: [], readsResults: false, choices: {} },
  calendars: [],
  mailboxes: [],
  care: { country: null, help: true },
  organs: { thinking: { model: 'llama', provider: null, url: null, key } },
})

test('removes a key whose fact was not written, and no other', async () => {
  const home = await tempHome()
  const keyring = createKeyring(createSecretStore(home), await createLog({ level: 'silent' }))
  const [hostedId, coming, refusedId] = await Promise.all(
    ['sk-hers', 'sk-coming', 'sk-refused'].map((value) => keyring.keep('ada', value)),
  )
  await keyring.drop(createAda(hostedId ?? null), refusedId ?? '')
  const keyringAfter = createKeyring(createSecretStore(home), await createLog({ level: 'silent' }))
  equal(
    await Promise.all([hostedId, coming, refusedId].map((ref) => keyringAfter.secret('ada', ref ?? ''))),
    ['sk-hers', 'sk-coming', null],
  )
  await rm(home, { recursive: true, force: true })
})

test('keeps the key of a model that is asked for one answer until the answer is there', async () => {
  const home = await tempHome()
  const keyring = createKeyring(createSecretStore(home), await createLog({ level: 'silent' }))
  const otherKey = await keyring.keep('ada', 'sk-other')
  const keyringAfter = createKeyring(createSecretStore(home), await createLog({ level: 'silent' }))
  await keyringAfter.settle(createAda(null, otherKey))
  equal(await keyringAfter.secret('ada', otherKey), 'sk-other')
  await keyringAfter.settle(createAda(null))
  equal(await keyringAfter.secret('ada', otherKey), null)
  await rm(home, { recursive: true, force: true })
})

test.run()
