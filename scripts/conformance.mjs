/**
 * Runs the scenarios of `@modelcontextprotocol/conformance` against the daemon as a server and as a client of
 * servers: `npm run conformance [-- scenario…]`. That package wants Node 22, which comes as a package, too:
 * both are fetched for the run, and stay out of what is installed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = ['node@24.21.0', '@modelcontextprotocol/conformance@0.1.16']
const asked = process.argv.slice(2)

/** What the other scenarios of a server want are tools, prompts and resources that a test server has. */
const asServer = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection']

const asClient = [
  ...['initialize', 'tools_call', 'sse-retry'],
  ...['metadata-default', 'metadata-var1', 'metadata-var2', 'metadata-var3'].map(auth),
  ...['scope-from-www-authenticate', 'scope-from-scopes-supported', 'scope-omitted-when-undefined'].map(auth),
  ...['scope-step-up', 'scope-retry-limit', 'pre-registration', 'resource-mismatch'].map(auth),
  ...['token-endpoint-auth-basic', 'token-endpoint-auth-post', 'token-endpoint-auth-none'].map(auth),
  ...['2025-03-26-oauth-endpoint-fallback', 'offline-access-scope', 'offline-access-not-supported'].map(auth),
]
/**
 * Not here, and why: `elicitation-sep1034-client-defaults` (no server asks the person anything past the
 * daemon), `auth/client-credentials-*` and `auth/cross-app-*` (extensions), `auth/basic-cimd` (wants a client
 * with an address in the Internet), `auth/2025-03-26-oauth-metadata-backcompat` (its metadata names another
 * issuer, which RFC 8414, section 3.3, has a client refuse).
 */
function auth(name) {
  return `auth/${name}`
}

const main = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  const daemon = await startDaemon(folder)
  try {
    const made = spawnSync(process.execPath, ['dist/main.js', 'create', 'Ada', '--json'], {
      ...{ cwd: root, encoding: 'utf8', env: { ...process.env, DAIMON_URL: daemon.url } },
    })
    const { id } = JSON.parse(made.stdout).persona
    const client = `${process.execPath} --import ${join(root, 'node_modules/tsx/dist/esm/index.mjs')} ${join(root, 'packages/mcp-client/test/conformance-client.ts')}`
    const runs = [
      ...asServer.map((name) => ['server', '--url', `${daemon.url}/mcp/${id}`, '--scenario', name]),
      ...asClient.map((name) => ['client', '--command', client, '--scenario', name]),
    ].filter((run) => asked.length === 0 || asked.some((name) => run.at(-1).includes(name)))
    const passed = runs.filter((run) => passes(folder, run))
    console.log(`\n${passed.length} passed, ${runs.length - passed.length} failed`)
    process.exitCode = runs.length > 0 && passed.length === runs.length ? 0 : 1
  } finally {
    daemon.child.kill()
    await once(daemon.child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

const startDaemon = async (folder) => {
  const env = { ...process.env, DAIMON_HOME: join(folder, 'home') }
  const child = spawn(process.execPath, ['dist/main.js', 'serve', '--port', '0'], {
    ...{ cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] },
  })
  for await (const bytes of child.stdout.iterator({ destroyOnReturn: false })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(bytes))?.[0]
    if (url) return { child, url }
  }
  throw new Error('the daemon did not start')
}

const passes = (cwd, run) => {
  const chosen = packages.map((name) => `--package=${name}`)
  const ran = spawnSync('npm', ['exec', '--yes', ...chosen, '--', 'conformance', ...run], {
    ...{ cwd, encoding: 'utf8', timeout: 300_000 },
  })
  const told = `${ran.stdout}${ran.stderr}`
  const count = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(told)
  const fine = ran.status === 0 && count !== null && count[1] === count[2] && Number(count[2]) > 0
  console.log(`${fine ? 'ok  ' : 'FAIL'}  ${run[0]}  ${run.at(-1)}  ${count?.[0] ?? ''}`)
  if (!fine) console.log(told)
  return fine
}

await main()
