/**
 * Runs scenarios of `@modelcontextprotocol/conformance` against the daemon as a server and as a client of
 * servers: `npm run conformance [-- scenario…]`. That package needs Node 22. Both are downloaded for the run
 * and are not installed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = ['node@24.21.0', '@modelcontextprotocol/conformance@0.1.16']
const filters = process.argv.slice(2)

/** The other server scenarios need the tools, prompts and resources of a special test server. */
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
 * Scenarios that are left out: `elicitation-sep1034-client-defaults` (the daemon does not let servers ask the
 * user), `auth/client-credentials-*` and `auth/cross-app-*` (extensions), `auth/basic-cimd` (needs a client
 * with a public address), `auth/2025-03-26-oauth-metadata-backcompat` (its metadata names another issuer,
 * which a client must reject by RFC 8414, section 3.3).
 */
function auth(name) {
  return `auth/${name}`
}

const main = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  const daemon = await startDaemon(folder)
  try {
    const creation = spawnSync(process.execPath, ['dist/main.js', 'create', 'Ada', '--json'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, DAIMON_URL: daemon.url },
    })
    const { id } = JSON.parse(creation.stdout).persona
    const client = `${process.execPath} --import ${join(root, 'node_modules/tsx/dist/esm/index.mjs')} ${join(root, 'packages/mcp-client/test/conformance-client.ts')}`
    const runs = [
      ...asServer.map((name) => ['server', '--url', `${daemon.url}/mcp/${id}`, '--scenario', name]),
      ...asClient.map((name) => ['client', '--command', client, '--scenario', name]),
    ].filter((run) => filters.length === 0 || filters.some((name) => run.at(-1).includes(name)))
    const passedRuns = runs.filter((run) => passes(folder, run))
    console.log(`\n${passedRuns.length} passed, ${runs.length - passedRuns.length} failed`)
    process.exitCode = runs.length > 0 && passedRuns.length === runs.length ? 0 : 1
  } finally {
    daemon.child.kill()
    await once(daemon.child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

const startDaemon = async (folder) => {
  const env = { ...process.env, DAIMON_HOME: join(folder, 'home') }
  const child = spawn(process.execPath, ['dist/main.js', 'serve', '--port', '0'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const bytes of child.stdout.iterator({ destroyOnReturn: false })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(bytes))?.[0]
    if (url) return { child, url }
  }
  throw new Error('the daemon did not start')
}

const passes = (cwd, run) => {
  const packageOptions = packages.map((name) => `--package=${name}`)
  const result = spawnSync('npm', ['exec', '--yes', ...packageOptions, '--', 'conformance', ...run], {
    cwd,
    encoding: 'utf8',
    timeout: 300_000,
  })
  const output = `${result.stdout}${result.stderr}`
  const count = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(output)
  const isFine = result.status === 0 && count !== null && count[1] === count[2] && Number(count[2]) > 0
  console.log(`${isFine ? 'ok  ' : 'FAIL'}  ${run[0]}  ${run.at(-1)}  ${count?.[0] ?? ''}`)
  if (!isFine) console.log(output)
  return isFine
}

await main()
