/** A daemon with someone in it, and what its page shows of her. */
import type { Page } from 'playwright-core'
import { type Overrides, startDaemon, type TestDaemon } from '../daemon.ts'
import { createTalker } from './talker.ts'

export interface Her {
  readonly id: string
  /** Path of her room. */
  readonly room: string
}

/** A daemon whose minds talk, for as long as the test looks. */
export const withDaemon = async (look: (daemon: TestDaemon) => Promise<void>, overrides: Overrides = {}) => {
  const daemon = await startDaemon({ models: createTalker(), ...overrides })
  try {
    await look(daemon)
  } finally {
    await daemon.close()
  }
}

export const wake = async (url: string, name: string): Promise<Her> => {
  const { persona } = await post<{ persona: { id: string } }>(url, '/api/persona/create', { name, thinking_model: 'embedded/practice' })
  return { id: persona.id, room: `/persona/${persona.id}/talk` }
}

export const post = async <T>(url: string, path: string, body: unknown = {}): Promise<T> => {
  const response = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return (await response.json()) as T
}

/** What the service holds of the talk, oldest first. */
export const remembered = async (url: string, { id }: Her): Promise<readonly string[]> => {
  const response = await fetch(`${url}/api/persona/${id}/conversation?limit=1000`)
  const { messages } = (await response.json()) as { messages: readonly { content: string }[] }
  return messages.map(({ content }) => content)
}

/** What the page shows as said, without letters on their way and words being thought. */
export const shown = (page: Page): Promise<readonly string[]> => page.locator('[role=log] .words').allTextContents()

export const say = async (page: Page, words: string) => {
  await page.getByRole('textbox').fill(words)
  await page.getByRole('textbox').press('Enter')
}

/** Waits until these words stand in the talk as said. */
export const hears = (page: Page, words: string, times = 1) =>
  page
    .locator('[role=log] .words')
    .getByText(words, { exact: true })
    .nth(times - 1)
    .waitFor()
