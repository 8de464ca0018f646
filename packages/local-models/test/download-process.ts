/**
 * Downloads a model in its own process. Arguments: home, address of the hub, name. Prints `begun` after the
 * first bytes.
 */
import { createNetwork } from '../../kit/network/network.ts'
import { systemClock } from '../../kit/time/clock.ts'
import { openLocalModels } from '../local-models.ts'

const [home = '', hub = '', name = ''] = process.argv.slice(2)
const models = await openLocalModels({
  home,
  network: createNetwork({ env: {} }),
  hubs: { hub, registry: hub },
  runtime: {
    state: () => ({ phase: 'ready', version: '1', bytes: null, reason: null, gpu: 'none', gpus: [] }),
    install: async () => {},
    unload: async () => {},
    loaded: () => [],
    createEmbedder: () => {
      throw new Error('not used')
    },
    forgive: () => {},
  },
  pull: async () => {},
  prove: async () => ({
    talks: true,
    usesTools: true,
    answersJson: true,
    tokensPerSecond: null,
    reason: null,
  }),
  onChange: ({ completed }) => {
    if ((completed ?? 0) > 0) process.stdout.write('begun\n')
  },
  now: () => performance.now(),
  timestamp: () => '2026-11-28T10:00:00+00:00',
  wait: systemClock().wait,
  knownServers: [],
  freeBytes: async () => 100e9,
})
models.get({ ...models.want(name, 'runtime'), owner: null })
await models.whenFinished(name)
process.exit(0)
