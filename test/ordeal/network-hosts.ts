/**
 * Virtual hosts on this machine: network namespaces, each with an interface in one bridge. A host whose
 * interface is removed from the bridge is cut off as by a failed switch: its link is up, and nothing arrives.
 * A second interface leads to the test and is never cut.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClosing } from '../../packages/kit/flow/closing.ts'

export interface Network {
  /** Addresses of this machine for its hosts: in the network that can be cut, and in the other. */
  readonly address: string
  readonly outside: string
  /** Forwards connections that other hosts make to `from` to `to` on its loopback. */
  host(sourcePort: number, targetPort: number): Promise<Host>
  close(): Promise<void>
}

export interface Host {
  readonly namespace: string
  /** Addresses of the host: for the other hosts, and for the test. */
  readonly address: string
  readonly outside: string
  cut(): Promise<void>
  mend(): Promise<void>
}

const execute = promisify(execFile)
const ip = (command: string) => execute('ip', command.split(' '))
const forwardScript = fileURLToPath(new URL('./forward.mjs', import.meta.url))

/** True if this machine permits network namespaces. */
export const hasHosts = ((): boolean => {
  const name = `dmay${process.pid}`
  try {
    for (const command of [`netns add ${name}`, `link add ${name} type bridge`, `link del ${name}`])
      execFileSync('ip', command.split(' '), { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    try {
      execFileSync('ip', ['netns', 'del', name], { stdio: 'ignore' })
    } catch {} // It was never created.
  }
})()

export const openNetwork = async (): Promise<Network> => {
  const pid = process.pid
  const part = (pid % 250) + 1
  const namespaces = [
    { bridge: `dn${pid}`, card: 'net0', prefix: `10.83.${part}` },
    { bridge: `dm${pid}`, card: 'out0', prefix: `10.84.${part}` },
  ] as const
  const [net, outside] = namespaces
  const { keep, close } = createClosing()
  let count = 0

  for (const { bridge, prefix } of namespaces) {
    await ip(`link add ${bridge} type bridge`)
    keep({ close: () => ip(`link del ${bridge}`) })
    await ip(`addr add ${prefix}.1/24 dev ${bridge}`)
    await ip(`link set ${bridge} up`)
  }
  return {
    address: `${net.prefix}.1`,
    outside: `${outside.prefix}.1`,
    host: async (sourcePort, targetPort) => {
      const n = ++count
      const namespace = `d${pid}-${n}`
      const toCardName = (bridge: string) => `${bridge}-${n}`
      await ip(`netns add ${namespace}`)
      keep({ close: () => ip(`netns del ${namespace}`) })
      await ip(`-n ${namespace} link set lo up`)
      for (const { bridge, card, prefix } of namespaces) {
        await ip(`link add ${toCardName(bridge)} type veth peer name ${card} netns ${namespace}`)
        await ip(`link set ${toCardName(bridge)} master ${bridge} up`)
        await ip(`-n ${namespace} addr add ${prefix}.${10 + n}/24 dev ${card}`)
        await ip(`-n ${namespace} link set ${card} up`)
      }
      const args = [
        'netns',
        'exec',
        namespace,
        process.execPath,
        forwardScript,
        `${sourcePort}`,
        `${targetPort}`,
      ]
      const forwarding = spawn('ip', args, { stdio: ['ignore', 'pipe', 'inherit'] })
      keep({ close: async () => forwarding.kill('SIGKILL') })
      await once(forwarding.stdout, 'data')
      return {
        namespace,
        address: `${net.prefix}.${10 + n}`,
        outside: `${outside.prefix}.${10 + n}`,
        cut: async () => void (await ip(`link set ${toCardName(net.bridge)} nomaster`)),
        mend: async () => void (await ip(`link set ${toCardName(net.bridge)} master ${net.bridge}`)),
      }
    },
    close,
  }
}
