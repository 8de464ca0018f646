/** `doctor`: checks everything that a daemon needs on this machine, and says how to fix problems. */
import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Command } from 'commander'
import { isoIn } from '../../packages/kit/time/clock.ts'
import { systemZone } from '../../packages/kit/time/system-zone.ts'
import type { Config } from '../config.ts'
import type { AddCommand } from './command.ts'
import type { DaemonClient } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { listPersonas, personaPath } from './find-persona.ts'
import type { Finding } from './finding.ts'
import { type Diagnosis, formatRefusal, formatTrouble } from './health.ts'
import { loadLocalModels } from './local-models.ts'
import { applyStyle, harmless, printJson, table } from './printing.ts'

interface Health {
  readonly version: string
  readonly log_lines_dropped?: number
  readonly zone?: string
  readonly warnings?: readonly string[]
}

export const addDoctorCommand: AddCommand = (program, { daemon, isJson }) => {
  program
    .command('doctor')
    .description(
      'Check everything that a daemon needs here: port, home, disk, models, keys, clock, and the cluster if there is one. Exits with 1 if there is a problem.',
    )
    .action(async (_options: object, command: Command) => {
      const client = daemon(command)
      const health = await client.get<Health>('/api/health').catch(() => null)
      // Reading the settings loads zod, which takes longer than most commands.
      const { readConfig } = await import('../config.ts')
      const config = readConfig(process.env)
      const findings = (
        await Promise.all([
          home(config),
          disk(config),
          port(config, health ? client.url : null),
          local(config),
        ])
      ).flat()
      const ofCluster = config.cluster
        ? await (await import('./cluster-findings.ts')).clusterFindings(config.cluster)
        : []
      const all = health ? await listPersonas(client) : null
      const ofDaemon =
        health && all
          ? [
              ...(await checkRuntime(client)),
              ...logWritten(health),
              ...listWarnings(health),
              ...(await personasWell(client, all)),
            ]
          : []
      const unusedEntries = config.cluster ? [] : await findUnusedEntries(config, all)
      const results = [
        {
          what: 'daemon',
          state: health ? 'well' : 'note',
          told: health
            ? `version ${health.version} answers at ${client.url.origin}`
            : `none answers at ${client.url.origin}`,
        } as const,
        ...[node(), keys(config), clock(health)],
        ...findings,
        ...unusedEntries,
        ...ofCluster,
        ...ofDaemon,
      ]
      if (isJson(command)) printJson({ findings: results })
      else
        process.stdout.write(
          `${table(results.map(({ what, state, told: words }) => [signs[state](), harmless(what), harmless(words)]))}\n`,
        )
      if (results.some(({ state }) => state === 'amiss'))
        throw new CommandFailed('there are problems, see above', exitCodes.refused)
    })
}

const signs: Readonly<Record<Finding['state'], () => string>> = {
  well: () => applyStyle('green', 'ok'),
  note: () => applyStyle('yellow', '--'),
  amiss: () => applyStyle('red', '!!'),
}

const node = (): Finding => {
  const [major = 0] = process.versions.node.split('.').map(Number)
  return major >= 22
    ? { what: 'Node', state: 'well', told: process.version }
    : {
        what: 'Node',
        state: 'note',
        told: `${process.version} works, but gets no more fixes: use version 24`,
      }
}

const home = async ({ home: path }: Config): Promise<readonly Finding[]> => {
  const stats = await stat(path).catch(() => null)
  if (!stats)
    return [{ what: 'home', state: 'note', told: `${path} does not exist yet: the first start creates it` }]
  if (!stats.isDirectory())
    return [
      { what: 'home', state: 'amiss', told: `${path} is not a folder: name another one in DAIMON_HOME` },
    ]
  const isWritable = await access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  const open = (stats.mode & 0o077) !== 0 && process.platform !== 'win32'
  return [
    isWritable
      ? { what: 'home', state: 'well', told: path }
      : { what: 'home', state: 'amiss', told: `${path} cannot be written by this user` },
    ...(open
      ? [
          {
            what: 'rights',
            state: 'amiss',
            told: `others on this machine can read ${path}: chmod 700 ${path}`,
          } as const,
        ]
      : []),
  ]
}

/**
 * Finds entries of the home that are not used. `all` are the personas of the daemon, or null if none answers.
 */
const findUnusedEntries = async (
  { home: path }: Config,
  all: readonly { readonly id: string }[] | null,
): Promise<readonly Finding[]> => {
  const { findForeign } = await import('../../home/foreign.ts')
  const ids = all && new Set(all.map(({ id }) => id))
  const foreignEntries = await findForeign(path, ids && ((id) => ids.has(id)))
  return foreignEntries.map(({ path: place, reason }) => ({
    what: 'not used',
    state: 'note',
    told: `${place} in the home: ${reason}. It is not used`,
  }))
}

const minFreeBytes = 1e9

const disk = async ({ home: path }: Config): Promise<Finding> => {
  let place = path
  for (;;) {
    const stats = await statfs(place).catch(() => null)
    if (stats) {
      const availableBytes = stats.bavail * stats.bsize
      const message = `${(availableBytes / 1e9).toFixed(1)} GB free`
      return availableBytes < minFreeBytes
        ? { what: 'disk', state: 'amiss', told: `${message}: if the disk is full, every persona stops` }
        : { what: 'disk', state: 'well', told: message }
    }
    const parent = place.replace(/[/\\][^/\\]*$/, '') || '/'
    if (parent === place) return { what: 'disk', state: 'note', told: 'the free space is unknown' }
    place = parent
  }
}

/** `daemonAddress` is the address at which a daemon answered. */
const port = async ({ port: number }: Config, daemonAddress: URL | null): Promise<Finding> => {
  if (daemonAddress)
    return {
      what: 'port',
      state: 'well',
      told: `${daemonAddress.port || 'that of its address'} is used by the daemon`,
    }
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(number, '127.0.0.1', () => server.close(() => resolve(true)))
  })
  return isFree
    ? { what: 'port', state: 'well', told: `${number} is free` }
    : {
        what: 'port',
        state: 'amiss',
        told: `${number} is used by another program: choose another one with --port or WEB_PORT`,
      }
}

const local = async ({ urls }: Config): Promise<Finding> => {
  try {
    const response = await fetch(`${urls.local}/api/tags`, { signal: AbortSignal.timeout(3000) })
    const { models = [] } = (await response.json()) as { models?: readonly { name: string }[] }
    return models.length > 0
      ? { what: 'local models', state: 'well', told: models.map(({ name }) => name).join(', ') }
      : {
          what: 'local models',
          state: 'note',
          told: `a runtime answers at ${urls.local} and has no model yet: \`daimon models get\` pulls one`,
        }
  } catch {
    return {
      what: 'local models',
      state: 'note',
      told: `no runtime answers at ${urls.local}: get a model with \`daimon models get\`, install Ollama from https://ollama.com/download, or use a key of a provider`,
    }
  }
}

/** Daemons of older versions do not have the route. */
const checkRuntime = async (client: DaemonClient): Promise<readonly Finding[]> => {
  const local = await loadLocalModels(client).catch(() => null)
  if (!local?.runtime) return []
  const subject = 'own runtime'
  const { phase, version, reason } = local.runtime
  const ownModels = local.installed.filter(({ engine }) => engine === 'runtime')
  switch (phase) {
    case 'ready':
      return [
        {
          what: subject,
          state: 'well',
          told: `version ${version}, ${ownModels.map(({ name }) => name).join(', ') || 'no model yet'}`,
        },
      ]
    case 'failed':
      return [
        {
          what: subject,
          state: 'amiss',
          told: reason ?? 'it could not be installed: try `daimon models get` again',
        },
      ]
    case 'unsupported':
      return [{ what: subject, state: 'note', told: reason ?? 'it does not run on this kind of machine' }]
    case 'installing':
      return [{ what: subject, state: 'note', told: 'it is being installed' }]
    case 'absent': {
      const suggestedName = local.catalogue.find((model) => model.suggested)?.name ?? '<name>'
      return [
        {
          what: subject,
          state: 'note',
          told: `not installed: \`daimon models get ${suggestedName}\` installs it with a model`,
        },
      ]
    }
  }
}

/** Reports only whether there are keys, never the keys. */
const keys = ({ keys: apiKeys }: Config): Finding => {
  const providers = Object.entries(apiKeys).flatMap(([name, key]) => (key === null ? [] : [name]))
  return {
    what: 'keys',
    state: 'note',
    told:
      providers.length > 0
        ? `in the environment for ${providers.join(', ')}`
        : 'none in the environment (personas may have their own)',
  }
}

const earliest = Date.UTC(2025, 0, 1)

/** Uses the time zone of the daemon if one answers, because it may have been started with another TZ. */
const clock = (health: Health | null): Finding => {
  const { zone, warning } = systemZone()
  const now = Date.now()
  const message = `${isoIn(health?.zone ?? zone, now)}, ${health?.zone ?? zone}`
  if (now < earliest)
    return {
      what: 'clock',
      state: 'amiss',
      told: `the time is ${message}: reminders will come at the wrong time`,
    }
  return health || warning === null
    ? { what: 'clock', state: 'well', told: message }
    : { what: 'clock', state: 'amiss', told: warning }
}

const listWarnings = ({ warnings = [] }: Health): readonly Finding[] =>
  warnings.map((warning) => ({ what: 'daemon', state: 'amiss', told: warning }))

/** Daemons of older versions do not send the count. */
const logWritten = ({ log_lines_dropped: count = 0 }: Health): readonly Finding[] =>
  count === 0
    ? []
    : [
        {
          what: 'log',
          state: 'amiss',
          told: `${count} lines could not be written: check the disk, or the program that reads the output of the daemon`,
        },
      ]

const personasWell = async (
  client: Parameters<typeof listPersonas>[0],
  all: Awaited<ReturnType<typeof listPersonas>>,
): Promise<readonly Finding[]> => {
  return (
    await Promise.all(
      all.map(async (persona) => {
        const { reason, organs, channels } = await client.get<Diagnosis>(personaPath(persona, 'diagnose'))
        const failingOrgans = [
          ...Object.entries(organs).flatMap(([slot, organ]) => {
            const troubleText = formatTrouble(organ)
            return troubleText === null ? [] : [`${slot}: ${troubleText}`]
          }),
          ...channels.flatMap(({ bot, state, reason }) =>
            state === 'failing' ? [`${bot}: ${reason ?? 'does not work'}`] : [],
          ),
        ]
        const words = failingOrgans.length > 0 || reason === null ? failingOrgans : [reason]
        const refusals = Object.entries(organs).flatMap(([slot, organ]) =>
          formatRefusal(organ).map(
            (reason) => ({ what: persona.name, state: 'note', told: `${slot}: ${reason}` }) as const,
          ),
        )
        return [
          words.length > 0
            ? ({ what: persona.name, state: 'amiss', told: words.join('; ') } as const)
            : ({
                what: persona.name,
                state: 'well',
                told: persona.running ? 'awake' : persona.status,
              } as const),
          ...refusals,
        ]
      }),
    )
  ).flat()
}
