/**
 * A real browser for the tests of the page: one per test file, with a new context per visit. Records console
 * errors.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'
import {
  type Browser,
  type BrowserContextOptions,
  type Page,
  chromium as playwright,
  type Route,
} from 'playwright-core'

export interface Visit {
  readonly page: Page
  /** Console errors, uncaught exceptions and violations of the content security policy, in order. */
  readonly complaints: readonly string[]
  /** Every origin that received a request. */
  readonly origins: ReadonlySet<string>
  /** Opens another tab in the same context. */
  tab(path: string): Promise<Page>
}

/** Opens the address in a new browser context. */
export const withPage = async (
  address: string,
  look: (visit: Visit) => Promise<void>,
  options: BrowserContextOptions = {},
) => {
  const browser = await openBrowser()
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1200, height: 800 },
    // A service worker would send the requests that tests intercept.
    serviceWorkers: 'block',
    // Endless animations cost CPU time without a graphics card.
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(30_000)
  const complaints: string[] = []
  const origins = new Set<string>()
  await context.addInitScript({ content: tellViolations })
  context.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  context.on('weberror', (error) => complaints.push(String(error.error())))
  context.on('request', (request) => origins.add(new URL(request.url()).origin))

  const tab = async (path: string) => {
    const page = await context.newPage()
    page.on('websocket', (socket) => origins.add(new URL(socket.url()).origin.replace(/^ws/, 'http')))
    await page.goto(new URL(path, address).href)
    return page
  }
  try {
    await look({ page: await tab(address), complaints, origins, tab })
  } finally {
    await context.close()
  }
}

/**
 * Handles the first requests to the addresses, and lets later ones pass. Playwright's option `times` removes
 * the handler while the next request may be paused for it: measured, 34 of 400 such requests never ended.
 */
export const handleFirst = async (
  page: Page,
  addresses: string,
  count: number,
  handle: (route: Route) => Promise<void>,
): Promise<void> => {
  let left = count
  await page.route(addresses, (route) => {
    left -= 1
    return left >= 0 ? handle(route) : route.continue()
  })
}

/** Runs in the page, whose globals are unknown to the tests' types. */
const tellViolations = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  console.error('policy violated: ' + violatedDirective + ' ' + blockedURI)
})`

let browserPromise: Promise<Browser> | undefined

const openBrowser = (): Promise<Browser> => {
  browserPromise ??= launch()
  return browserPromise
}

/** For `test.after`: the process does not exit while the browser runs. */
export const closeBrowser = async (): Promise<void> => {
  const browser = await browserPromise
  browserPromise = undefined
  await browser?.close()
}

// The package's default arguments switch off security features that these tests check.
const launch = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: await unpackBrowser(),
    args: [
      '--no-sandbox',
      // A fake microphone that hums, without a permission prompt.
      ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
      // Names of other sites resolve to this machine, as an attacker's DNS can do.
      '--host-resolver-rules=MAP *.test 127.0.0.1',
    ],
  })

/**
 * The package unpacks into the temporary folder and trusts its content, so each version gets a folder of its
 * own, which is filled by one rename and stays for later runs.
 */
const unpackBrowser = async (): Promise<string> => {
  const manifest = await readFile(
    new URL('../../node_modules/@sparticuz/chromium/package.json', import.meta.url),
    'utf8',
  )
  const keptFolder = fileURLToPath(new URL('../../.tmp', import.meta.url))
  const folder = join(keptFolder, `chromium-${JSON.parse(manifest).version}`)
  if (existsSync(folder)) return join(folder, 'chromium')
  const usual = process.env.TMPDIR
  await mkdir(keptFolder, { recursive: true })
  const stagingFolder = await mkdtemp(join(keptFolder, 'unpacking-'))
  process.env.TMPDIR = stagingFolder
  try {
    await chromium.executablePath()
  } finally {
    if (usual === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = usual
  }
  // Another test file may have been faster.
  await rename(stagingFolder, folder).catch(() => rm(stagingFolder, { recursive: true, force: true }))
  return join(folder, 'chromium')
}
