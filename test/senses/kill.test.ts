/**
 * A daemon that is killed after it received a file, while the file is perceived, and afterwards. It is
 * perceived once in the facts and answered once.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { endAll, newHome, startDaemonProcess, type World } from '../process/setup.ts'
import { type ChatRequest, createOllama } from '../stand-ins/ollama.ts'
import { type HostedPersona, persona } from './setup.ts'

const test = suite<World>('killed with a file in hand', { ends: [] })
test.after.each(endAll)

const isEye = ({ messages }: ChatRequest) => messages.some(({ images }) => images?.length)
const neverResolves = new Promise<never>(() => {})

/** The moments of the kill within one turn. */
const moments = [
  'right after it was received',
  'while its Eye looks',
  'while its Mind answers the description',
] as const

// Fails if `perceive` does not look for a recorded description: the Eye is called again after the third
// moment.
test('perceives and answers a picture once, whenever the daemon was killed', async (world) => {
  let hanging: (typeof moments)[number] | null = null
  let eyeCalls = 0
  const ollama = await createOllama({
    models: ['llama3', 'llava'],
    capabilities: ['completion', 'tools', 'vision'],
    answer: (request) => {
      if (isEye(request)) {
        eyeCalls++
        return hanging === moments[1] ? neverResolves : 'A red kite.'
      }
      return hanging === moments[2] ? neverResolves : 'A kite!'
    },
  })
  world.ends.push(ollama.close)
  const home = await newHome(world)
  const start = () => startDaemonProcess(world, { home, env: { OLLAMA_BASE_URL: ollama.url } })
  let daemon = await start()
  const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama3',
    eye_model: 'llava',
  })
  const ada: HostedPersona = persona(() => daemon.url, body.persona.id)

  for (const [n, moment] of moments.entries()) {
    // Opens the web channel.
    hanging = null
    await ada.say(`Round ${n}`)
    hanging = moment
    eyeCalls = 0
    const callsBefore = ollama.calls('/api/chat').length
    assert.is(await ada.send('attach', 'dot.png'), 200)
    if (moment === moments[1]) await waitFor('the Eye', () => eyeCalls === 1)
    if (moment === moments[2])
      await waitFor('the model call', () => ollama.calls('/api/chat').length === callsBefore + 2)
    await daemon.kill('SIGKILL')
    hanging = null
    daemon = await start()
    await waitFor('an answer', async () => (await ada.talk()).length === (n + 1) * 4)
    const { outcome, perceptions, steps, heard } = await ada.turn()
    assert.equal([outcome, perceptions.length, steps.length, heard.length], ['answered', 1, 1, 1], moment)
    assert.equal([perceptions[0].outcome, perceptions[0].text], ['perceived', 'A red kite.'])
    // The call may be repeated, the description is recorded once.
    assert.ok(eyeCalls >= 1 && eyeCalls <= 2, moment)
    if (moment === moments[2]) assert.is(eyeCalls, 1)
    assert.match(JSON.stringify(ollama.calls('/api/chat').at(-1)?.body), /A red kite\./)
  }
  const media = (await ada.talk()).filter(({ media }) => media)
  assert.is(media.length, moments.length)
})

test.run()
