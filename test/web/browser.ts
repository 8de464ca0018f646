/**
 * A real browser for the tests of the page: one per test file, a fresh context per visit, and everything it
 * complains about kept.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core'

export interface Visit {
  readonly page: Page
  /** Console errors, uncaught exceptions and violations of the page's policy, as they come. */
  readonly complaints: readonly string[]
  /** Every origin that was asked for anything. */
  readonly origins: ReadonlySet<string>
  /** Another tab of the same person. */
  tab(path: string): Promise<Page>
}

/** Opens the address in a browser that was never there before. */
export const withPage = async (
  address: string,
  look: (visit: Visit) => Promise<void>,
  options: BrowserContextOptions = {},
) => {
  const browser = await openBrowser()
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1200, height: 800 },
    // With one, what tests stand in for is not asked of them.
    serviceWorkers: 'block',
    // What moves for ever is painted for ever, which a test without a graphics card pays for.
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

/** Runs in the page, which has names that these tests have not. */
const tellViolations = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  console.error('policy violated: ' + violatedDirective + ' ' + blockedURI)
})`

let opened: Promise<Browser> | undefined

const openBrowser = (): Promise<Browser> => {
  opened ??= launch()
  return opened
}

/** For `test.after`: without it the process stays. */
export const closeBrowser = async (): Promise<void> => {
  const browser = await opened
  opened = undefined
  await browser?.close()
}

// The package's own arguments switch off the very rules these tests are about.
const launch = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: await unpacked(),
    args: [
      '--no-sandbox',
      // A microphone that hums, and nobody who has to allow it.
      ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
      // Names of other sites lead to this machine, as whoever owns a name can have them do.
      '--host-resolver-rules=MAP *.test 127.0.0.1',
    ],
  })

/**
 * The package unpacks into the temporary folder and trusts whatever lies there: so each version has a folder
 * of its own, filled by one rename.
 */
const unpacked = async (): Promise<string> => {
  const manifest = await readFile(
    new URL('../../node_modules/@sparticuz/chromium/package.json', import.meta.url),
    'utf8',
  )
  const folder = join(tmpdir(), `chromium-${JSON.parse(manifest).version}`)
  if (existsSync(folder)) return join(folder, 'chromium')
  const usual = process.env.TMPDIR
  const staged = await mkdtemp(join(tmpdir(), 'unpacking-'))
  process.env.TMPDIR = staged
  try {
    await chromium.executablePath()
  } finally {
    if (usual === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = usual
  }
  // Another test file may have been quicker.
  await rename(staged, folder).catch(() => rm(staged, { recursive: true, force: true }))
  return join(folder, 'chromium')
}
