/** A defect that throws in each turn is shown to the user, in diagnose, in /api/health and in the log. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import { is, match, ok } from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'

const secret = 'sk-1234567890abcdef'

test('reports the defect and pauses between retries, also after a restart', async () => {
  const home = await tempHome()
  const lines: string[] = []
  const models = standIn()
  let isBroken = true
  let tries = 0
  const begin = () =>
    startDaemon({
      home,
      logTo: (line) => lines.push(line),
      models: {
        ...models,
        getContextWindow: async () => {
          tries++
          if (isBroken) throw new TypeError(`no window for ${secret}`)
          return null
        },
      },
    })
  let daemon = await begin()
  try {
    const ask = (method: 'GET' | 'POST', path: string, body?: unknown) => call(daemon.url, method, path, body)
    const creation = await ask('POST', '/api/persona/create', { name: 'Ada', thinking_model: 'llama' })
    const personaPath = `/api/persona/${creation.body.persona.id}`
    const firstReply = ask('POST', `${personaPath}/read?wait=20`, { message: 'hello' }).catch(() => null)
    await waitFor('the first try', () => tries > 0)
    await daemon.close()
    await firstReply
    daemon = await begin()
    const text = await waitFor('the reply', async () => {
      const { messages } = (await ask('GET', `${personaPath}/conversation`)).body
      return messages.find(({ role }: { role: string }) => role === 'assistant')
    })
    match(text.content, 'Your message is kept in the conversation')
    ok(tries >= 3 && tries < 8, `${tries} tries`)
    const { reason } = (await ask('GET', `${personaPath}/diagnose`)).body
    match(reason, /^Answering failed 3 times in a row because of a defect in the daemon \(TypeError\)/)
    is((await ask('GET', '/api/health')).body.warnings[0], `Ada: ${reason}`)
    ok(lines.some((line) => line.includes('Answering failed in the daemon')))
    isBroken = false
    const next = await ask('POST', `${personaPath}/read?wait=10`, { message: 'are you there?' })
    match(next.body.reply.content, 'are you there?')
    is((await ask('GET', `${personaPath}/diagnose`)).body.reason, null)
    const shownText = JSON.stringify([reason, text, next.body])
    is(shownText.includes(secret), false)
  } finally {
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  }
})

test.run()
