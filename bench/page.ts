/**
 * Measures the page of the built daemon in a real browser, in a talk with ten thousand messages: bytes of the
 * first load, time until the user can write, longest task while scrolling, and a keystroke.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { createName, fillHome } from '../test/ordeal/homes.ts'
import { closeBrowser, withPage } from '../test/web/browser.ts'
import { type Figure, median } from './figure.ts'
import { startRunning } from './running-daemon.ts'

/** Two of five facts are messages. */
const facts = 25_000

export const page = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  await fillHome(home, [facts])
  const daemon = await startRunning(home)
  const figures: Figure[] = []
  try {
    await withPage(`${daemon.url}/persona/${createName(0)}/talk`, async ({ page: tab, tab: open }) => {
      await ready(tab)
      const fetchedKb = (await tab.evaluate<number>(fetchedBytes)) / 1000
      figures.push(figure('first view of the talk, all files and answers, compressed', fetchedKb, 'KB', 110))
      // The browser's cache is empty in each run.
      const openTimes: number[] = []
      for (let n = 0; n < 5; n++) {
        const secondTab = await open(`/persona/${createName(0)}/talk`)
        openTimes.push(await ready(secondTab))
        await secondTab.close()
      }
      figures.push(figure('navigation until the user can write', median(openTimes), 'ms', 500))
      figures.push(figure('a keystroke', await tab.evaluate<number>(keystroke), 'ms', 3))
      await tab.evaluate(watchTasks)
      await scrollToFirst(tab)
      figures.push(
        figure('longest task while scrolling', await tab.evaluate<number>('window.longest'), 'ms', 60),
      )
      figures.push(
        figure(
          'DOM elements of the first view',
          await tab.evaluate<number>('document.querySelectorAll("*").length'),
          '',
          1500,
        ),
      )
    })
  } finally {
    await closeBrowser()
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  }
  return figures
}

const figure = (label: string, value: number, unit: string, max: number): Figure => ({
  label,
  value,
  unit,
  goal: `≤ ${max} ${unit}`.trim(),
  isMet: value <= max,
})

/** Milliseconds from navigation until messages are shown and the user can write. */
const ready = async (tab: Page): Promise<number> => {
  await tab.locator('[role=log] .words').first().waitFor()
  return tab.evaluate<number>(`new Promise((done) => {
    const look = () => document.querySelector('textarea') ? done(performance.now()) : requestAnimationFrame(look)
    look()
  })`)
}

const fetchedBytes = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`

/** The median of a hundred letters, including the layout for each. */
const keystroke = `(() => {
  const area = document.querySelector('textarea')
  const times = Array.from({ length: 100 }, () => {
    const began = performance.now()
    area.value += 'x'
    area.dispatchEvent(new Event('input', { bubbles: true }))
    document.body.offsetHeight
    return performance.now() - began
  })
  area.value = ''
  area.dispatchEvent(new Event('input', { bubbles: true }))
  return times.sort((a, b) => a - b)[50]
})()`

const watchTasks = `window.longest = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration)
  }).observe({ entryTypes: ['longtask'] })`

/** Scrolls up one screen at a time, like a reader, until the first message is reached. */
const scrollToFirst = async (tab: Page) => {
  const end = Date.now() + 240_000
  for (let unmovedCount = 0; unmovedCount < 20 && Date.now() < end; ) {
    const hasMoved = await tab.evaluate<boolean>(`(async () => {
      const log = document.querySelector('.scroller')
      const before = log.scrollTop
      log.scrollTop -= log.clientHeight
      await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
      return log.scrollTop !== before || before > 0
    })()`)
    unmovedCount = hasMoved ? 0 : unmovedCount + 1
    if (!hasMoved) await new Promise((wake) => setTimeout(wake, 50))
  }
}
