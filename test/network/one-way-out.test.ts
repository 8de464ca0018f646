/**
 * Only `packages/kit/network` opens connections. Exception: NATS servers, which the environment names, are
 * connected by `src/cluster/jetstream`.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = fileURLToPath(new URL('../..', import.meta.url))

const allowed: Readonly<Record<string, string>> = {
  'packages/kit/network/network.ts': 'the one way out',
  'packages/kit/network/reach.ts': 'judges connections of the one way out',
  'src/cli/acp/frame-line.ts': 'a command, which calls its own daemon',
  'src/cli/daemon-client.ts': 'a command, which calls its own daemon',
  'src/cli/local-models.ts': 'a command, which calls its own daemon',
  'src/cli/talk-line.ts': 'a command, which calls its own daemon',
  'src/cli/work-progress.ts': 'a command, which calls its own daemon',
  'src/http/server/pass-on.ts': 'calls other daemons of the cluster, which the cluster itself names',
  'src/channels/discord/connection.ts': 'the library opens the socket; its address is judged before',
}

/** A value from a module that opens connections. The linter denies the global `fetch`. */
const opens = [
  /^import (?!type )[^;]*?from '(?:undici|@discordjs\/ws)'/m,
  /import\('(?:undici|@nats-io\/transport-node)'\)/,
  /^import (?!type )(?:(?!^import )[^;])*?\b(?:request|connect|createConnection|get)\b(?:(?!^import )[^;])*?from 'node:(?:http|https|http2|net|tls|dgram)'/m,
  /new (?:WebSocket|EventSource|XMLHttpRequest)\(/,
]

test('no other file makes requests', async () => {
  const violations: string[] = []
  for (const folder of ['src', 'packages']) {
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      if (!name.endsWith('.ts') || /^[^/]+\/test\//.test(name)) continue
      const text = await readFile(join(root, folder, name), 'utf8')
      if (opens.some((pattern) => pattern.test(text))) violations.push(`${folder}/${name}`)
    }
  }
  assert.equal(violations.sort(), Object.keys(allowed).sort())
})

test.run()
