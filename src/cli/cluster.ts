/**
 * `cluster`: moves the personas of a home into a cluster, moves one of them out, and shows the status of the
 * cluster.
 */
import type { Command } from 'commander'
import type { ClusterStand } from '../cluster/cluster-status.ts'
import type { AddCommand } from './command.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { applyStyle, harmless, printJson, printLine, table } from './printing.ts'

export const addClusterCommand: AddCommand = (program, { json }) => {
  const cluster = program
    .command('cluster')
    .description('The cluster in DAIMON_NATS: move personas into it or out of it, show its status.')

  cluster
    .command('join')
    .description('Move the personas of DAIMON_HOME into the cluster. No daemon may run there.')
    .action(async (_options: object, command: Command) => {
      const { join } = await import('./cluster-moves.ts')
      await join(json(command))
    })

  cluster
    .command('leave')
    .description('Move a persona out of the cluster, into DAIMON_HOME. No daemon may run there.')
    .argument('<id>', 'which one')
    .action(async (id: string, _options: object, command: Command) => {
      const { leave } = await import('./cluster-moves.ts')
      await leave(id, json(command))
    })

  cluster
    .command('status')
    .description(
      'Show its servers, streams and daemons, and which daemon hosts which persona. Exits with 1 if there is a problem.',
    )
    .action(async (_options: object, command: Command) => {
      const { clusterStand } = await import('./cluster-moves.ts')
      const stand = await clusterStand()
      if (json(command)) printJson(stand)
      else for (const words of formatStatus(stand)) printLine(words)
      if (amiss(stand).length > 0) throw new CommandFailed(amiss(stand).join('; '), exitCodes.refused)
    })
}

const formatStatus = ({ server, servers, streams, daemons, personas }: ClusterStand): readonly string[] => {
  const rows = (title: string, lines: readonly (readonly string[])[]) =>
    lines.length > 0 ? [`${applyStyle('bold', title)}\n${table(lines)}`] : []
  return [
    `asked ${harmless(server.name)}, nats-server ${server.version}`,
    ...rows(
      'servers',
      servers.map(({ name, current }) => [harmless(name), current ? 'follows' : 'does not follow']),
    ),
    ...rows(
      'streams',
      streams.map(({ name, leader, followers, replicas, messages, bytes }) => [
        ...[name, leader === null ? `of ${replicas}` : `of ${replicas}, led by ${harmless(leader)}`],
        ...[`${messages} messages`, `${(bytes / 1e6).toFixed(1)} MB`],
        `lag ${Math.max(0, ...followers.map(({ lag }) => lag))}`,
      ]),
    ),
    ...rows(
      'daemons',
      daemons.map(({ id, address, leaving, hosts }) => [
        ...[id, harmless(address), `${hosts} personas`, leaving ? 'is leaving' : ''],
      ]),
    ),
    ...rows(
      'personas',
      personas.map(({ id, name, running, daemon, alive }) => [
        ...[
          harmless(name),
          id,
          running ? 'awake' : 'at rest',
          alive ? daemon : `${daemon}, which is not running`,
        ],
      ]),
    ),
  ]
}

const amiss = ({ servers, streams, personas }: ClusterStand): readonly string[] => [
  ...servers.filter(({ current }) => !current).map(({ name }) => `${harmless(name)} does not follow`),
  ...streams.flatMap(({ name, leader, replicas }) =>
    leader === null && replicas > 1 ? `${name} has no leader` : [],
  ),
  ...streams.flatMap(({ differs }) => differs),
  ...(personas.some(({ alive }) => !alive) ? ['no running daemon hosts some personas'] : []),
]
