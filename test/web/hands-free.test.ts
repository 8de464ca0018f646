/** A conversation by voice, with a simulated microphone and a speech synthesis that records its texts. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createVoiceActivity } from '../../web/talk/voice-activity.ts'
import { waitFor } from '../calls.ts'
import { barriers, waitForFocusOn } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { type WokenPersona, waitForMessage, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

/**
 * `speaks(ms)` makes the microphone pick up speech, above the noise of a room. `spoken` is the text that the
 * browser's voice read.
 */
const room = `
  window.spoken = []
  speechSynthesis.speak = (one) => {
    spoken.push(one.text)
    window.finish = () => one.onend()
    if (!window.slow) setTimeout(finish, 50)
  }
  speechSynthesis.cancel = () => spoken.push('quiet')
  window.opened = []
  navigator.mediaDevices.getUserMedia = async () => {
    const context = new AudioContext()
    const [hum, voice] = [0.002, 0].map((volume) => {
      const gain = new GainNode(context, { gain: volume })
      const tone = new OscillatorNode(context, { frequency: 220 })
      tone.connect(gain)
      tone.start()
      return gain
    })
    const { stream } = [hum, voice].reduce((to, from) => (from.connect(to), to), new MediaStreamAudioDestinationNode(context))
    window.speaks = (ms) => {
      voice.gain.value = 0.5
      setTimeout(() => { voice.gain.value = 0 }, ms)
    }
    opened.push(stream)
    return stream
  }`

const hands = (page: Page) => page.getByRole('group', { name: 'Talk hands-free' })
const begin = async (page: Page) => {
  await page.evaluate(room)
  await page.getByRole('button', { name: 'Talk hands-free' }).click()
  await hands(page).getByText('Listening. Just speak.').waitFor()
}
const clips = async (url: string, { id }: WokenPersona): Promise<number> => {
  const { messages } = (await (await fetch(`${url}/api/persona/${id}/conversation`)).json()) as {
    messages: readonly { role: string; media?: { kind?: string } | null }[]
  }
  return messages.filter(({ role, media }) => role === 'person' && media).length
}
const ear = { ear_model: 'embedded/practice' }

test('sends speech after a pause, reads the answer aloud, and listens again', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira', ear)
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await begin(page)
        await waitForFocusOn(page, /^BUTTON Listening/)
        await pollAssert.equal(() => barriers(page), [])
        for (const times of [1, 2]) {
          await page.evaluate('speaks(700)')
          await hands(page).getByText('Hearing you…').waitFor()
          await waitFor('the clip to be delivered', async () => (await clips(url, persona)) === times)
          await pollAssert.is(() => page.evaluate<number>('spoken.length'), 2 * times)
          await hands(page).getByText('Listening. Just speak.').waitFor()
        }
        await pollAssert.equal(
          () => page.evaluate('spoken'),
          ['It rains.', 'Take a coat.', 'It rains.', 'Take a coat.'],
        )
        // There is silence, so nothing more is sent.
        await page.waitForTimeout(2_500)
        assert.is(await clips(url, persona), 2)

        await hands(page).getByRole('button', { name: 'End' }).click()
        await waitForFocusOn(page, /^TEXTAREA/)
        await pollAssert.ok(() =>
          page.evaluate(
            `opened.flatMap((one) => one.getTracks()).every((one) => one.readyState === 'ended')`,
          ),
        )
        assert.equal(complaints, [])
      })
    },
    { models: createTalker({ answer: () => 'It rains. Take a coat.', transcript: 'How is it outside?' }) },
  )
})

// Verified to fail if the microphone is used while the persona speaks.
test('ignores the microphone until a press interrupts the persona', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira', ear)
      await withPage(url + persona.room, async ({ page }) => {
        await begin(page)
        await page.evaluate('window.slow = true; speaks(700)')
        await hands(page).getByText('Mira is speaking. Tap to interrupt.').waitFor()
        await page.evaluate('speaks(700)')
        await page.waitForTimeout(2_500)
        assert.is(await clips(url, persona), 1)
        await hands(page).getByRole('button', { name: 'Interrupt' }).click()
        await hands(page).getByText('Listening. Just speak.').waitFor()
        await pollAssert.equal(() => page.evaluate('spoken'), ['It rains.', 'quiet'])
        await page.keyboard.press('Escape')
        await waitForMessage(page, 'It rains. Take a coat.')
        await waitForFocusOn(page, /^TEXTAREA/)
      })
    },
    { models: createTalker({ answer: () => 'It rains. Take a coat.', transcript: 'How is it outside?' }) },
  )
})

test('explains a missing microphone, and is not offered without an Ear', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira', ear)
    const deaf = await wake(url, 'Ada')
    await withPage(url + persona.room, async ({ page, tab }) => {
      await page.evaluate(
        `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'))`,
      )
      await page.getByRole('button', { name: 'Talk hands-free' }).click()
      await page.getByText('No microphone was found').waitFor()
      await waitForFocusOn(page, /^TEXTAREA/)
      const otherPage = await tab(deaf.room)
      await otherPage.getByRole('button', { name: 'Record your voice' }).waitFor()
      await pollAssert.is(() => otherPage.getByRole('button', { name: 'Talk hands-free' }).count(), 0)
    })
  })
})

/** Feeds measurements 80 ms apart. Returns the results without repetitions. */
const feed = (...parts: readonly (readonly [level: number, ms: number])[]): readonly string[] => {
  const { update } = createVoiceActivity()
  const levels = parts.flatMap(([level, ms]) =>
    Array.from({ length: Math.round(ms / 80) }, (_, n) => level + (n % 2) * 0.01),
  )
  const all = levels.map((level, n) => update(level, (n + 1) * 80))
  return all.filter((result, n) => result !== all[n - 1])
}

test('distinguishes speech from noise, a knock and a short pause', () => {
  assert.equal(feed([0.1, 5000]), ['quiet'])
  assert.equal(feed([0.1, 1000], [0.8, 100], [0.1, 3000]), ['quiet'], 'a knock')
  assert.equal(feed([0.1, 1000], [0.7, 900], [0.1, 700], [0.7, 900], [0.1, 2000]), [
    ...['quiet', 'speaking', 'spoken', 'quiet'],
  ])
  assert.equal(
    feed([0.35, 4000], [0.7, 900], [0.35, 2000]),
    ['quiet', 'speaking', 'spoken', 'quiet'],
    'a fan',
  )
  assert.equal(
    feed([0.7, 900], [0.1, 2000]),
    ['quiet', 'speaking', 'spoken', 'quiet'],
    'from the first moment',
  )
  assert.is(
    feed([0.1, 500], [0.8, 200_000]).filter((result) => result === 'spoken').length,
    2,
    'never for ever',
  )
})

test.run()
