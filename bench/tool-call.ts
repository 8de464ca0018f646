/**
 * Measures a tool call through the pool of servers against the bare client, alternating; and the memory that
 * remains after a server has ended.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { systemClock } from '../packages/kit/time/clock.ts'
import type { ServerRef } from '../packages/mcp-client/server-config.ts'
import { createToolServers } from '../packages/mcp-client/tool-servers.ts'
import { type Figure, median } from './figure.ts'
import { heldBytes } from './held-bytes.ts'
import { measureMs } from './load.ts'

const rounds = 300
const server = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
)
const args = [server, 'stdio']
const input = { message: 'hello' }
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const refTo = (name: string, args: readonly string[]): ServerRef => ({
  name,
  key: name,
  config: async () => ({ transport: 'stdio', command: process.execPath, args, cwd: null, env: {} }),
  auth: { read: async () => null, write: async () => {} },
})
const ref = refTo('everything', args)
/** A small server, which starts faster. */
const small = refTo('small', [
  fileURLToPath(new URL('../packages/mcp-client/test/hostile-server.mjs', import.meta.url)),
])

export const toolCall = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'daimon-bench-tools-'))
  const id = 'ada'
  await mkdir(join(home, 'personas', id), { recursive: true })
  const servers = createToolServers({ home, clock: systemClock(), log: silent, env: process.env })
  const client = new Client({ name: 'bare', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
  const { signal } = new AbortController()
  const ours = () => servers.call(id, ref, 'echo', input, signal)
  const callDirectly = () => client.callTool({ name: 'echo', arguments: input })
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let n = 0; n < rounds; n++) {
    const oursMs = await measureMs(ours)
    const otherMs = await measureMs(callDirectly)
    if (n < 20) continue // both warm
    times.ours.push(oursMs)
    times.bare.push(otherMs)
  }
  await client.close()
  await servers.forgetAll(id)
  const heldBytes = await measureEndedBytes(
    () => servers.call(id, small, 'echo', input, signal),
    () => servers.forgetAll(id),
  )
  await servers.close()
  await rm(home, { recursive: true, force: true })
  const value = median(times.ours)
  const baseline = median(times.bare)
  return [
    {
      label: 'tool-call, a call of a process server',
      value,
      unit: 'ms',
      baseline: { label: 'the bare client', value: baseline },
      goal: '< 5 ms over it',
      isMet: value - baseline < 5,
    },
    {
      label: 'tool-call, memory left by a server that was started and ended',
      value: heldBytes,
      unit: 'bytes',
      goal: '0, or less than one object',
      isMet: heldBytes < 100,
    },
  ]
}

/** Bytes per start and end, over thirty of them, after thirty for warm-up. */
const measureEndedBytes = async (
  start: () => Promise<unknown>,
  end: () => Promise<void>,
): Promise<number> => {
  const round = async () => {
    for (let n = 0; n < 30; n++) {
      await start()
      await end()
    }
    return heldBytes()
  }
  const roundBefore = await round()
  return Math.max(0, (await round()) - roundBefore) / 30
}
