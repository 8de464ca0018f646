/** Opens a page of Ada, who has some history. Daemon and browser have the same date. */
import { rm } from 'node:fs/promises'
import type { BrowserContextOptions } from 'playwright-core'
import type { PersonaEvent } from '../../facts/facts.ts'
import { createFakeClock } from '../clock.ts'
import { livedHome, nowIso } from './ada.ts'
import { type Visit, withPage } from './browser.ts'
import { withDaemon } from './setup.ts'

interface Options extends BrowserContextOptions {
  readonly moreFacts?: readonly PersonaEvent[]
}

export const withAda = async (
  path: string,
  look: (visit: Visit & { readonly url: string }) => Promise<void>,
  { moreFacts = [], ...options }: Options = {},
) => {
  const home = await livedHome(moreFacts)
  try {
    await withDaemon(
      ({ url }) =>
        withPage(
          `${url}/favicon.ico`,
          async (visit) => {
            await visit.page.clock.setFixedTime(new Date(nowIso))
            await visit.page.goto(url + path)
            await look({ ...visit, url })
          },
          { timezoneId: 'Europe/Berlin', ...options },
        ),
      { home, clock: createFakeClock(nowIso, 'Europe/Berlin') },
    )
  } finally {
    await rm(home, { recursive: true })
  }
}
