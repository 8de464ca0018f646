/** Creates histories of personas through the API, and checks of their rooms. */
import type { Page } from 'playwright-core'
import { type Clock, systemClock } from '../../packages/kit/time/clock.ts'
import { post } from './setup.ts'

interface Fact {
  readonly seq: number
  readonly type: string
  readonly at: string
  readonly payload: Readonly<Record<string, unknown>> | null
}

/** Sends a message and waits for the end of the turn. */
export const sendMessage = (url: string, id: string, message: string): Promise<unknown> =>
  post(url, `/api/persona/${id}/read?wait=20`, { message })

export const loadFacts = async (url: string, id: string): Promise<readonly Fact[]> => {
  const lines = await (await fetch(`${url}/api/persona/${id}/journal`)).text()
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Fact)
}

export const keep = (url: string, id: string, text: string): Promise<{ readonly id: string }> =>
  post(url, `/api/persona/${id}/memories`, { document: 'person', text })

export const listedPersona = async (
  url: string,
  id: string,
): Promise<{ readonly id: string; readonly name: string; readonly status: string }> => {
  const { personas } = (await (await fetch(`${url}/api/personas`)).json()) as {
    personas: { id: string; name: string; status: string }[]
  }
  return personas.find((persona) => persona.id === id) ?? { id: '', name: '', status: '' }
}

/** A running clock with an offset in milliseconds from the real one. */
export const movableClock = (offsetMs: number): Clock & { move(ms: number): void } => {
  const real = systemClock()
  let nowEpoch = offsetMs
  return {
    zone: real.zone,
    wait: real.wait,
    every: real.every,
    now: () => real.now() + nowEpoch,
    move: (ms) => {
      nowEpoch += ms
    },
  }
}

/** Returns by how many pixels a room is wider than its container. */
export const getOverflow = (page: Page): Promise<number> =>
  page.locator('.room-body').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)

export const focusedTag = (page: Page): Promise<string | undefined> =>
  page.evaluate<string | undefined>('document.activeElement?.tagName')
