/**
 * Hosts of their own on this machine: network namespaces with a card each in one bridge. A host whose card
 * is taken out of it is cut off as behind a switch that has failed: its line is up, and nothing arrives. A
 * second card leads to whoever tests, and is never cut.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClosing } from '../../packages/kit/flow/closing.ts'

export interface Network {
  /** Where this machine is seen by its hosts: on the way that can be cut, and on the other. */
  readonly address: string
  readonly outside: string
  /** What comes to it at `from` from another host goes to `to` on its loopback. */
  host(from: number, to: number): Promise<Host>
  close(): Promise<void>
}

export interface Host {
  readonly namespace: string
  /** Where it is seen by the others, and where by who tests. */
  readonly address: string
  readonly outside: string
  cut(): Promise<void>
  mend(): Promise<void>
}

const run = promisify(execFile)
const ip = (words: string) => run('ip', words.split(' '))
const forward = fileURLToPath(new URL('./forward.mjs', import.meta.url))

/** Whether this machine lets us make hosts. */
export const hasHosts = ((): boolean => {
  const name = `dmay${process.pid}`
  try {
    for (const what of [`netns add ${name}`, `link add ${name} type bridge`, `link del ${name}`])
      execFileSync('ip', what.split(' '), { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    try {
      execFileSync('ip', ['netns', 'del', name], { stdio: 'ignore' })
    } catch {} // never made
  }
})()

export const openNetwork = async (): Promise<Network> => {
  const own = process.pid
  const part = (own % 250) + 1
  const ways = [
    { bridge: `dn${own}`, card: 'net0', prefix: `10.83.${part}` },
    { bridge: `dm${own}`, card: 'out0', prefix: `10.84.${part}` },
  ] as const
  const [net, out] = ways
  const { keep, close } = createClosing()
  let count = 0

  for (const { bridge, prefix } of ways) {
    await ip(`link add ${bridge} type bridge`)
    keep({ close: () => ip(`link del ${bridge}`) })
    await ip(`addr add ${prefix}.1/24 dev ${bridge}`)
    await ip(`link set ${bridge} up`)
  }
  return {
    address: `${net.prefix}.1`,
    outside: `${out.prefix}.1`,
    host: async (from, to) => {
      const n = ++count
      const namespace = `d${own}-${n}`
      const cardOf = (bridge: string) => `${bridge}-${n}`
      await ip(`netns add ${namespace}`)
      keep({ close: () => ip(`netns del ${namespace}`) })
      await ip(`-n ${namespace} link set lo up`)
      for (const { bridge, card, prefix } of ways) {
        await ip(`link add ${cardOf(bridge)} type veth peer name ${card} netns ${namespace}`)
        await ip(`link set ${cardOf(bridge)} master ${bridge} up`)
        await ip(`-n ${namespace} addr add ${prefix}.${10 + n}/24 dev ${card}`)
        await ip(`-n ${namespace} link set ${card} up`)
      }
      const words = ['netns', 'exec', namespace, process.execPath, forward, `${from}`, `${to}`]
      const forwarding = spawn('ip', words, { stdio: ['ignore', 'pipe', 'inherit'] })
      keep({ close: async () => forwarding.kill('SIGKILL') })
      await once(forwarding.stdout, 'data')
      return {
        namespace,
        address: `${net.prefix}.${10 + n}`,
        outside: `${out.prefix}.${10 + n}`,
        cut: async () => void (await ip(`link set ${cardOf(net.bridge)} nomaster`)),
        mend: async () => void (await ip(`link set ${cardOf(net.bridge)} master ${net.bridge}`)),
      }
    },
    close,
  }
}
