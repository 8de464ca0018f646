/** Calls and dictation, with a simulated microphone and a speech synthesis that records its texts. */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { MindError } from '../../packages/models/mind.ts'
import { createSentenceFeed } from '../../web/talk/sentence-feed.ts'
import { createVoiceActivity } from '../../web/talk/voice-activity.ts'
import { waitFor } from '../calls.ts'
import { barriers, waitForFocusOn } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { loadMessages, say, type WokenPersona, waitForMessage, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'
import { tone } from './tone.ts'

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
      await otherPage.getByRole('textbox').waitFor()
      for (const name of ['Talk hands-free', 'Record your voice'])
        await pollAssert.is(() => otherPage.getByRole('button', { name }).count(), 0)
    })
  })
})

/** Records when each sound begins, and whether one is playing. */
const loudspeaker = `
  window.played = []
  window.stopped = 0
  const start = AudioBufferSourceNode.prototype.start
  AudioBufferSourceNode.prototype.start = function () {
    played.push(performance.timeOrigin + performance.now())
    return start.call(this)
  }
  const stop = AudioBufferSourceNode.prototype.stop
  AudioBufferSourceNode.prototype.stop = function () {
    stopped += 1
    return stop.call(this)
  }`
const mouth = { ...ear, mouth_model: 'embedded/practice' }

test('says an answer with the Mouth while it is streamed, sentence by sentence', async () => {
  let openRest = () => {}
  const restOpened = new Promise<void>((resolve) => {
    openRest = resolve
  })
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira', mouth)
      await withPage(url + persona.room, async ({ page, complaints }) => {
        const saidTexts: string[] = []
        page.on('request', (request) => {
          if (request.url().endsWith('/speak'))
            saidTexts.push((request.postDataJSON() as { readonly text: string }).text)
        })
        await page.reload()
        await page.evaluate(loudspeaker)
        await begin(page)
        await page.evaluate('speaks(700)')
        await hands(page).getByText('Mira is speaking. Speak or tap to interrupt.').waitFor()
        await hands(page).locator('.said').getByText('It rains.').waitFor()
        // The rest of the answer waits for the first sound.
        await pollAssert.is(() => page.evaluate<number>('played.length'), 1)
        assert.equal(saidTexts, ['It rains.'])
        openRest()
        await pollAssert.is(() => page.evaluate<number>('played.length'), 3)
        assert.equal(saidTexts, ['It rains.', 'Take a coat.', 'It may be cold tonight.'])
        await hands(page).getByText('Listening. Just speak.').waitFor()
        assert.equal(complaints, [])
      })
    },
    {
      models: {
        ...createTalker({ transcript: 'How is it outside?', sound: tone(0.5) }),
        mind: () => ({
          async *think() {
            yield { type: 'words', text: 'It rains. Take' }
            await restOpened
            yield { type: 'words', text: ' a coat. It may be cold tonight.' }
            yield { type: 'end', usage: { input: null, output: null } }
          },
        }),
      },
    },
  )
})

// Verified to fail if only a press interrupts.
test('is interrupted by speech, shows what it understood, and takes a correction', async () => {
  const folder = fileURLToPath(new URL('../../.tmp/screens/', import.meta.url))
  await mkdir(folder, { recursive: true })
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira', mouth)
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await page.evaluate(loudspeaker)
        await begin(page)
        await page.evaluate('speaks(700)')
        await hands(page).getByText('Mira is speaking.').waitFor()
        await hands(page).getByText('How is it outside?').waitFor()
        await pollAssert.equal(() => barriers(page), [])
        await page.screenshot({ path: `${folder}call-light.png` })
        await page.waitForTimeout(1_500)
        assert.is(await clips(url, persona), 1, 'its own voice does not interrupt it')
        await page.evaluate('speaks(1200)')
        await hands(page).getByText('Hearing you…').waitFor()
        await pollAssert.ok(() => page.evaluate<boolean>('stopped > 0'))
        await waitFor('the second clip', async () => (await clips(url, persona)) === 2)
        await hands(page).getByText('Mira is speaking.').waitFor()

        await hands(page).getByRole('button', { name: 'Correct what was understood' }).click()
        const field = hands(page).getByRole('textbox', { name: 'The corrected text' })
        assert.is(await field.inputValue(), 'How is it outside?')
        await field.fill('How is it inside?')
        await hands(page).getByRole('button', { name: 'Send the correction' }).click()
        await hands(page).getByText('How is it inside?').waitFor()
        await pollAssert.is(async () => (await loadMessages(url, persona)).at(-2), 'How is it inside?')
        await hands(page).getByRole('button', { name: 'Turn the microphone off' }).click()
        await hands(page).getByRole('button', { name: 'Interrupt' }).click()
        await hands(page).getByText('The microphone is off.').waitFor()
        await page.evaluate('speaks(700)')
        await page.waitForTimeout(2_500)
        assert.is(await clips(url, persona), 1, 'one is replaced by the correction')
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
        await page.setViewportSize({ width: 360, height: 700 })
        await page.screenshot({ path: `${folder}call-dark-phone.png` })
        await hands(page).getByRole('button', { name: 'End' }).click()
        await waitForFocusOn(page, /^TEXTAREA/)
        await page.getByText('How is it outside?', { exact: true }).waitFor()
        await page.reload()
        await page.getByText('How is it outside?', { exact: true }).waitFor()
        assert.equal(complaints, [])
      })
    },
    {
      models: createTalker({
        answer: () => 'It rains. Take a coat.',
        transcript: 'How is it outside?',
        sound: tone(6),
      }),
    },
  )
})

test('reads with the browser if the Mouth fails, and reports it', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira', mouth)
      await withPage(url + persona.room, async ({ page }) => {
        await begin(page)
        await page.evaluate('speaks(700)')
        await page.getByText('The voice of the persona failed').waitFor()
        await pollAssert.equal(() => page.evaluate('spoken'), ['It rains.', 'Take a coat.'])
      })
    },
    {
      models: {
        ...createTalker({ answer: () => 'It rains. Take a coat.', transcript: 'How is it outside?' }),
        mouth: () => ({ speak: () => Promise.reject(new MindError('refused', 'It has no voice.')) }),
      },
    },
  )
})

test('reads a message aloud with the Mouth, until stopped', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira', mouth)
      await withPage(url + persona.room, async ({ page, complaints }) => {
        const saidTexts: string[] = []
        page.on('request', (request) => {
          if (request.url().endsWith('/speak'))
            saidTexts.push((request.postDataJSON() as { readonly text: string }).text)
        })
        await page.evaluate(room + loudspeaker)
        await say(page, 'How is it outside?')
        await page.getByRole('button', { name: 'Read aloud' }).last().click()
        await page.getByText('Reading aloud…').waitFor()
        await pollAssert.is(() => page.evaluate<number>('played.length'), 1)
        await page.getByRole('button', { name: 'Stop reading' }).click()
        await page.getByText('Reading aloud…').waitFor({ state: 'detached' })
        assert.equal(saidTexts, ['It rains.', 'Take a coat.', 'It may be cold.'])
        assert.equal(await page.evaluate('[played.length, spoken.filter((text) => text !== "quiet")]'), [
          1,
          [],
        ])
        assert.equal(complaints, [])
      })
    },
    {
      models: createTalker({ answer: () => 'It **rains**. Take a coat. It may be cold.', sound: tone(3) }),
    },
  )
})

test('offers the dictation of the browser without an Ear', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page, complaints }) => {
      await page.addInitScript(`window.SpeechRecognition = class extends EventTarget {
        start() {
          window.recognition = this
          window.hear = (...texts) => this.dispatchEvent(
            Object.assign(new Event('result'), { results: texts.map((transcript) => [{ transcript }]) }))
        }
        stop() { this.dispatchEvent(new Event('end')) }
      }`)
      await page.reload()
      const dictate = page.getByRole('button', { name: 'Dictate' })
      await page.getByRole('textbox').fill('Note:')
      await page.getByRole('textbox').fill('')
      await dictate.click()
      await page.evaluate(`hear('Buy milk')`)
      await page.evaluate(`hear('Buy milk', ' and bread')`)
      await pollAssert.is(() => page.getByRole('textbox').inputValue(), 'Buy milk and bread')
      assert.is(await page.evaluate('recognition.lang'), 'en')
      await dictate.click()
      await waitForFocusOn(page, /^TEXTAREA/)
      await page.getByRole('textbox').press('Enter')
      await waitForMessage(page, 'Buy milk and bread')
      assert.equal(complaints, [])
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

/** Feeds measurements of the microphone and of another voice, 80 ms apart. Returns if they interrupt it. */
const interrupts = (levels: readonly (readonly [level: number, ownLevel: number])[]): boolean => {
  const { isInterrupted, update } = createVoiceActivity()
  for (let n = 1; n <= 12; n += 1) update(0.1, n * 80)
  return levels.some(([level, ownLevel], n) => isInterrupted(level, ownLevel, (n + 13) * 80))
}
const times = (count: number, level: number, ownLevel: number) =>
  Array.from({ length: count }, (_, n) => [level + (n % 3) * 0.02, ownLevel + (n % 3) * 0.02] as const)

test('distinguishes speech from the echo of another voice', () => {
  assert.not(interrupts(times(60, 0.12, 0.6)), 'no echo')
  assert.not(interrupts(times(60, 0.45, 0.6)), 'a loud echo')
  assert.not(interrupts([...times(30, 0.3, 0.45), ...times(30, 0.5, 0.65)]), 'a louder sentence')
  assert.not(interrupts([...times(20, 0.12, 0.6), ...times(3, 0.7, 0.6), ...times(20, 0.12, 0.6)]), 'a knock')
  assert.ok(interrupts([...times(20, 0.12, 0.6), ...times(8, 0.5, 0.6)]), 'speech')
  assert.ok(interrupts([...times(20, 0.4, 0.6), ...times(8, 0.7, 0.6)]), 'speech over a loud echo')
})

/** Returns the sentences of texts that grow, with the number of the text that completed each. */
const feedTexts = (texts: readonly string[], message: string) => {
  const sentences: (readonly [number, string])[] = []
  let place = 0
  const { grow, finish } = createSentenceFeed((sentence) => sentences.push([place, sentence]))
  for (const words of texts) {
    place += 1
    grow({ turn: 3, step: 1, from: 0, words })
  }
  place += 1
  finish(3, message)
  return sentences
}

test('passes on each sentence once, as soon as it is complete, without Markdown and code', () => {
  assert.equal(feedTexts(['It rai', 'It rains. T', 'It rains. Take a coat'], 'It rains. Take a coat.'), [
    [2, 'It rains.'],
    [4, 'Take a coat.'],
  ])
  assert.equal(feedTexts([], 'One. Two.'), [
    [1, 'One.'],
    [1, 'Two.'],
  ])
  const code = '**See:** this. ```\nlet a. Let b\n``` Done.'
  assert.equal(feedTexts([code.slice(0, 24), code], code), [
    [2, 'See: this.'],
    [3, 'Done.'],
  ])
})

test.run()
