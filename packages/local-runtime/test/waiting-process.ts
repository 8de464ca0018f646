/** A daemon's part: asks a model that never answers, prints the process id of the model, and waits. */
import { createFakeClock } from '../../../test/clock.ts'
import type { Prompt } from '../../models/mind.ts'
import { openLocalRuntime } from '../open-local-runtime.ts'

const [folder = '', model = ''] = process.argv.slice(2)
const doNothing = () => {}
const runtime = await openLocalRuntime({
  folder,
  log: { debug: doNothing, info: doNothing, warn: doNothing, error: doNothing },
  clock: createFakeClock(),
  contextTokens: null,
  runnerFile: new URL('./fake-runner.mjs', import.meta.url),
})
const mind = runtime.createMind(model, { model: 'tiny' })
const prompt: Prompt = {
  system: '',
  messages: [{ role: 'user', content: 'wait' }],
  tools: [],
  data: () => ({ kind: 'question', words: 'wait' }),
}
for await (const _ of mind.think(prompt, new AbortController().signal)) console.log(runtime.loaded()[0]?.pid)
