/**
 * The work of the cluster commands: locks the home, connects to the servers, reports failures in one line.
 */
import { InDoubt, Unavailable } from '../../journal/log/errors.ts'
import { isJournalId } from '../../journal/log/journal-id.ts'
import { type ClusterStand, standOfCluster } from '../cluster/cluster-status.ts'
import { joinCluster } from '../cluster/join-cluster.ts'
import { leaveCluster } from '../cluster/leave-cluster.ts'
import { type ClusterConfig, ConfigError, readConfig } from '../config.ts'
import { openHome } from '../home-lock.ts'
import { connectTo, type OpenServers, openServers } from '../journal-engine.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { createProgress, printJson, printLine } from './printing.ts'
import { toStartupError } from './startup-errors.ts'

export const join = (isJson: boolean): Promise<void> =>
  withHome(async (home, { jetStream }) => {
    const movedPersonas: { readonly id: string; readonly events: number }[] = []
    const count = await joinCluster({
      home,
      jetStream,
      onJoined: (id, { seq }) => {
        movedPersonas.push({ id, events: seq })
        if (!isJson) printLine(`${id}  ${seq} facts, verified`)
      },
    })
    if (isJson) printJson({ moved: movedPersonas })
    else printLine(`${count} personas moved; ${home} is a cache of the cluster from now on`)
  })

export const leave = (id: string, isJson: boolean): Promise<void> =>
  withHome(async (home, { connection, jetStream }, { name, replicas }) => {
    if (!isJournalId(id)) throw new CommandFailed(`${JSON.stringify(id)} is not a valid id`, exitCodes.usage)
    const progress = createProgress()
    progress.at(0, 'bringing it here')
    const { seq } = await leaveCluster(id, { home, connection, jetStream, name, replicas }).finally(() =>
      progress.end(),
    )
    if (isJson) printJson({ id, events: seq })
    else printLine(`${id}  ${seq} facts, verified. It is now in ${home} and no longer in the cluster`)
  })

export const clusterStand = (): Promise<ClusterStand> =>
  withStartupErrors(async () => {
    const config = readClusterConfig()
    const connection = await connectTo(config, { name: 'daimon-status' })
    try {
      return await standOfCluster(connection, config)
    } finally {
      await connection.close()
    }
  })

const withHome = (
  act: (home: string, servers: OpenServers, config: ClusterConfig) => Promise<void>,
): Promise<void> =>
  withStartupErrors(async () => {
    process.umask(0o077)
    const { home } = readConfig(process.env)
    const config = readClusterConfig()
    const { close } = await openHome(home, `process ${process.pid}, a command`)
    try {
      const servers = await openServers(home, config, () => undefined)
      try {
        await act(home, servers, config)
      } finally {
        await servers.close()
      }
    } finally {
      await close()
    }
  })

const readClusterConfig = (): ClusterConfig => {
  const { cluster } = readConfig(process.env)
  if (!cluster) throw new ConfigError('DAIMON_NATS must name the servers of the cluster')
  return cluster
}

const withStartupErrors = async <T>(act: () => Promise<T>): Promise<T> => {
  try {
    return await act()
  } catch (error) {
    if (error instanceof Unavailable || error instanceof InDoubt)
      throw new CommandFailed(`${error.message}. Nothing is lost: try again.`, exitCodes.refused)
    const startupError = toStartupError(error)
    if (startupError) throw new CommandFailed(startupError.line, startupError.code)
    throw error
  }
}
