/** Starts a daemon with a persona, and reads the content of its page. */
import type { Page } from 'playwright-core'
import { waitFor } from '../calls.ts'
import { type Overrides, startDaemon, type TestDaemon } from '../daemon.ts'
import { pollAssert } from './poll-assert.ts'
import { createTalker } from './talker.ts'

export interface WokenPersona {
  readonly id: string
  /** The path of its room. */
  readonly room: string
}

/** Returns the path of its settings, optionally with the anchor of a section. */
export const settingsPath = ({ id }: WokenPersona, section = ''): string =>
  `/persona/${id}/settings${section && `#${section}`}`

/** Opens a room from the menu of the rooms that are no tabs. */
export const openRoom = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('link', { name, exact: true }).click()
}

/** Runs a daemon with simulated models during the test. */
export const withDaemon = async (look: (daemon: TestDaemon) => Promise<void>, overrides: Overrides = {}) => {
  const daemon = await startDaemon({ models: createTalker(), ...overrides })
  try {
    await look(daemon)
  } finally {
    await daemon.close()
  }
}

/** `organs`: more fields of the request. Confirms the recovery words, so that no bar asks for them. */
export const wake = async (
  url: string,
  name: string,
  organs: Readonly<Record<string, string>> = {},
): Promise<WokenPersona> => {
  const body = { name, thinking_model: 'embedded/practice', ...organs }
  const { persona } = await post<{ persona: { id: string } }>(url, '/api/persona/create', body)
  await post(url, `/api/persona/${persona.id}/phrase/confirm`)
  return { id: persona.id, room: `/persona/${persona.id}/talk` }
}

export const post = async <T>(url: string, path: string, body: unknown = {}): Promise<T> => {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as T
}

/** Returns provider and model of each organ of the only persona. */
export const organs = async (url: string): Promise<Readonly<Record<string, string>>> => {
  const response = await fetch(`${url}/api/personas`)
  const { personas } = (await response.json()) as {
    personas: readonly Record<string, { name?: string; provider?: string } | null>[]
  }
  return Object.fromEntries(
    Object.entries(personas[0] ?? {}).flatMap(([slot, organ]) =>
      organ?.name ? [[slot, `${organ.provider ?? 'local'} ${organ.name}`]] : [],
    ),
  )
}

interface Message {
  readonly role: string
  readonly content: string
  readonly media: {
    readonly name: string
    readonly mime: string
    readonly url: string
    readonly caption: string
  } | null
}

const messages = async (url: string, { id }: WokenPersona): Promise<readonly Message[]> => {
  const response = await fetch(`${url}/api/persona/${id}/conversation?limit=1000`)
  return ((await response.json()) as { messages: readonly Message[] }).messages
}

/** Returns the messages in the journal, oldest first. */
export const loadMessages = async (url: string, persona: WokenPersona): Promise<readonly string[]> =>
  (await messages(url, persona)).map(({ content }) => content)

/** Returns the files in the journal with their captions. */
export const files = async (
  url: string,
  persona: WokenPersona,
): Promise<readonly (NonNullable<Message['media']> & { readonly content: string })[]> =>
  (await messages(url, persona)).flatMap(({ media, content }) => (media ? [{ ...media, content }] : []))

/** Returns the messages on the page, without undelivered and streamed ones. */
export const listMessages = (page: Page): Promise<readonly string[]> =>
  page.locator('[role=log] .words').allTextContents()

/**
 * Returns all messages from the first to the last. The page only contains those near the scroll position, so
 * this scrolls through it. Each must be in it once, and below the one before.
 */
export const readAllMessages = async (page: Page): Promise<readonly string[]> => {
  const nextFrame = 'new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 50)))'
  for (let stableRounds = 0; stableRounds < 3; ) {
    await page.evaluate(`document.querySelector('.scroller').scrollTop = 0; ${nextFrame}`)
    const isAtStart = `document.querySelector('.scroller').scrollTop === 0 && document.querySelector('.earlier').hidden`
    stableRounds = (await page.evaluate(isAtStart)) ? stableRounds + 1 : 0
  }
  const texts = new Map<number, string>()
  for (let previousPosition = -1, position = 0; position !== previousPosition; ) {
    const visible = await page.evaluate<readonly (readonly [number, number, string])[]>(positionsScript)
    const sortedRows = visible.toSorted((a, b) => a[1] - b[1])
    for (const [n, [record, , words]] of sortedRows.entries()) {
      if (n > 0 && record <= (sortedRows[n - 1]?.[0] ?? 0)) throw new Error(`${record} is in the wrong place`)
      if (!texts.has(record) && record < Math.max(0, ...texts.keys())) throw new Error(`${record} came late`)
      texts.set(record, words)
    }
    previousPosition = position
    position = await page.evaluate<number>(`{
      const scroller = document.querySelector('.scroller')
      scroller.scrollTop += scroller.clientHeight * 0.7
      ${nextFrame}.then(() => scroller.scrollTop)
    }`)
  }
  return [...texts.values()]
}

/** Runs in the page: sequence number, position and text of each message. */
const positionsScript = `[...document.querySelectorAll('[role=log] [data-record]')].map((entry) => [
  Number(entry.dataset.record), entry.getBoundingClientRect().top, entry.querySelector('.words').textContent,
])`

/** Types into the focused element, once the page has focused a field. */
export const typeText = async (page: Page, text: string) => {
  await pollAssert.ok(() => page.evaluate<boolean>(`document.activeElement.matches('input, textarea')`))
  await page.keyboard.type(text)
}

export const say = async (page: Page, message: string) => {
  await page.getByRole('textbox').fill(message)
  await page.getByRole('textbox').press('Enter')
}

/** Waits for a number of messages of which the last has this text. */
export const endsWith = async (
  page: Page,
  message: string,
  url: string,
  persona: WokenPersona,
  count: number,
) => {
  await waitFor(`${count} messages`, async () => (await loadMessages(url, persona)).length === count)
  const last = `document.querySelector('[role=log] > * > :last-child .words')`
  await waitFor(message, () => page.evaluate<boolean>(`${last}?.textContent === ${JSON.stringify(message)}`))
}

/** Waits until the talk contains this message. */
export const waitForMessage = (page: Page, text: string, times = 1) =>
  page
    .locator('[role=log] .words')
    .getByText(text, { exact: true })
    .nth(times - 1)
    .waitFor()
