/**
 * Requests leave by `src/network` only: no other file of the daemon opens connections of its own. Servers of
 * NATS, which the environment names, are reached from `journal/jetstream`.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const source = fileURLToPath(new URL('../../src', import.meta.url))

const allowed: Readonly<Record<string, string>> = {
  'network/network.ts': 'the one way out',
  'network/reach.ts': 'judges connections of the one way out',
  'cli/daemon-client.ts': 'a command, which calls its own daemon',
  'cli/talk-line.ts': 'a command, which calls its own daemon',
  'cli/work-progress.ts': 'a command, which calls its own daemon',
  'http/server/pass-on.ts': 'calls other daemons of the cluster, which the cluster itself names',
  'channels/discord/connection.ts': 'the library opens the socket; its address is judged before',
}

/** A value from a module that opens connections. The linter denies the global `fetch`. */
const opens = [
  /^import (?!type )[^;]*?from '(?:undici|@discordjs\/ws)'/m,
  /import\('(?:undici|@nats-io\/transport-node)'\)/,
  /^import (?!type )(?:(?!^import )[^;])*?\b(?:request|connect|createConnection|get)\b(?:(?!^import )[^;])*?from 'node:(?:http|https|http2|net|tls|dgram)'/m,
  /new (?:WebSocket|EventSource|XMLHttpRequest)\(/,
]

test('no other file makes requests', async () => {
  const found: string[] = []
  for (const name of await readdir(source, { recursive: true })) {
    if (!name.endsWith('.ts')) continue
    const text = await readFile(join(source, name), 'utf8')
    if (opens.some((one) => one.test(text))) found.push(name)
  }
  assert.equal(found.sort(), Object.keys(allowed).sort())
})

test.run()
