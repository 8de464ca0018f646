/** The subcommands of `models`: list, download, test and remove the models of this machine. */
import type { Command } from 'commander'
import type { CommandMeans } from './command.ts'
import { type DaemonClient, socketAddress, toQuery } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { createProgress, printJson, printLine, printRows } from './printing.ts'

interface ModelTest {
  readonly talks: boolean
  readonly uses_tools: boolean | null
  readonly answers_json: boolean | null
  readonly tokens_per_second: number | null
  readonly reason: string | null
}

interface Download {
  readonly name: string
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly status: string
  readonly completed: number | null
  readonly total: number | null
  readonly bytes_per_second: number | null
  readonly seconds_left: number | null
  readonly reason: string | null
  /** Only in the list, not in frames. */
  readonly test?: ModelTest | null
}

export interface LocalModels {
  readonly runtime: {
    readonly phase: 'absent' | 'installing' | 'ready' | 'failed' | 'unsupported'
    readonly version: string
    readonly reason: string | null
  } | null
  readonly servers: readonly {
    readonly title: string
    readonly url: string
    readonly models: readonly string[]
  }[]
  readonly catalogue: readonly {
    readonly name: string
    readonly title: string
    readonly bytes: number
    readonly license: string
    readonly fits: boolean
    readonly suggested: boolean
    readonly installed: boolean
  }[]
  readonly installed: readonly {
    readonly name: string
    readonly engine: 'ollama' | 'runtime'
    readonly bytes: number | null
    readonly used_by: readonly { readonly name: string }[]
  }[]
  /** `<provider>/<model>` */
  readonly search: string | null
  readonly downloads: readonly Download[]
}

const path = '/api/local-models'

export const loadLocalModels = (client: DaemonClient): Promise<LocalModels> => client.get<LocalModels>(path)

export const printLocalModels = ({ installed, servers, catalogue, downloads, search }: LocalModels): void => {
  printRows(
    [
      ...installed.map(({ name, engine, bytes, used_by: users }) => [
        name,
        bytes === null ? '' : toSize(bytes),
        engine === 'ollama' ? 'Ollama' : 'Daimon',
        formatUsers([
          ...users.map(({ name: user }) => user),
          ...(search === `local/${name}` ? ['search'] : []),
        ]),
      ]),
      ...servers.flatMap(({ title, url, models }) =>
        models.map((name) => [name, '', title, `--provider openai --api-url ${url}`]),
      ),
    ],
    'no model on this machine yet',
  )
  const runningDownloads = downloads.filter(({ state }) => state === 'running' || state === 'waiting')
  for (const download of runningDownloads) printLine(`${download.name}: ${toLine(download)}`)
  const offeredModels = catalogue.filter((model) => !model.installed)
  if (offeredModels.length === 0) return
  printLine('\nto download with `daimon models get <name>`:')
  printRows(
    offeredModels.map(({ name, bytes, license, fits, suggested }) => [
      name,
      toSize(bytes),
      license,
      suggested ? 'suggested for this machine' : fits ? '' : 'needs more memory',
    ]),
    '',
  )
}

const formatUsers = (users: readonly string[]): string =>
  users.length === 0 ? 'not used' : `used by ${users.join(', ')}`

const toSize = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

/** Adds the subcommands of `models`. */
export const addLocalModelCommands = (models: Command, { daemon, isJson }: CommandMeans): void => {
  models
    .command('get')
    .description('Download a model to this machine, and the runtime for it if it is missing.')
    .argument('<name>', 'name of the catalogue, hf:<owner>/<repository>/<file>.gguf, or a name of Ollama')
    .option('--for <persona>', 'name or id of a persona with the practice mind, which then gets the model')
    .option('--engine <engine>', 'ollama or runtime (default: Ollama if it answers)')
    .action(async (name: string, options: { for?: string; engine?: string }, command: Command) => {
      const client = daemon(command)
      const owner = options.for === undefined ? null : await findPersona(client, options.for)
      const body = { name, engine: options.engine ?? null, persona_id: owner?.id ?? null }
      const download = await followDownload(client, () => client.send<Download>('POST', path, body))
      if (isJson(command)) printJson(download)
      else if (download.state === 'done') {
        const { downloads } = await loadLocalModels(client)
        const tested = downloads.find((otherDownload) => otherDownload.name === download.name)?.test
        printLine(`${download.name} is ready${tested ? `: it ${toVerdict(tested)}` : ''}`)
      }
      if (download.state === 'failed')
        throw new CommandFailed(download.reason ?? 'the download failed', exitCodes.refused)
      if (download.state === 'cancelled')
        throw new CommandFailed('the download was cancelled', exitCodes.refused)
    })

  models
    .command('cancel')
    .description('Cancel a download and delete what was downloaded so far.')
    .argument('<name>', 'name of the model')
    .action(async (name: string, _options: object, command: Command) => {
      await daemon(command).send('POST', `${path}/cancel`, { name })
      if (isJson(command)) printJson({ cancelled: name })
      else printLine(`the download of ${name} is cancelled`)
    })

  models
    .command('runtime')
    .description('Install the runtime for model files, or change the graphics card that it uses.')
    .requiredOption('--gpu <gpu>', 'cuda, vulkan or none: only the processor')
    .action(async (options: { gpu: string }, command: Command) => {
      const client = daemon(command)
      const download = await followDownload(client, () =>
        client.send<Download>('PUT', `${path}/runtime`, options),
      )
      if (isJson(command)) printJson(download)
      if (download.state !== 'done')
        throw new CommandFailed(download.reason ?? 'the installation was cancelled', exitCodes.refused)
      if (!isJson(command)) printLine('the runtime is ready')
    })

  models
    .command('test')
    .description('Test whether a model can talk, use a tool and answer in JSON.')
    .argument('[name]', 'name of a model of this machine')
    .option('--for <persona>', 'test the Mind of this persona instead, and record the result in its history')
    .action(async (name: string | undefined, options: { for?: string }, command: Command) => {
      const client = daemon(command)
      if ((name === undefined) === (options.for === undefined))
        throw new CommandFailed('name a model, or a persona with --for', exitCodes.usage)
      const result =
        options.for === undefined
          ? await client.send<ModelTest>('POST', '/api/models/test', { model: name })
          : await client.send<ModelTest>('POST', personaPath(await findPersona(client, options.for), 'test'))
      if (isJson(command)) return printJson(result)
      printLine(`${name ?? 'its Mind'} ${toVerdict(result)}`)
      if (result.reason !== null) printLine(result.reason)
      if (!result.talks) throw new CommandFailed('the model does not work', exitCodes.refused)
    })

  models
    .command('remove')
    .description('Delete the file of a model that no persona uses.')
    .argument('<name>', 'name of the model')
    .action(async (name: string, _options: object, command: Command) => {
      const answer = await daemon(command).send('DELETE', `${path}${toQuery({ name })}`)
      if (isJson(command)) printJson(answer)
      else printLine(`${name} is removed`)
    })
}

const toVerdict = ({
  talks,
  uses_tools: usesTools,
  answers_json: answersJson,
  tokens_per_second: speed,
}: ModelTest): string =>
  [
    talks ? 'talks' : 'does not work',
    usesTools === null ? '' : usesTools ? 'uses tools' : 'cannot use tools',
    answersJson === null ? '' : answersJson ? 'answers in JSON' : 'does not answer in JSON',
    speed === null ? '' : `${Math.round(speed)} tokens per second`,
  ]
    .filter(Boolean)
    .join(', ')

/** Starts a download and shows its progress. It continues in the daemon if this process ends. */
const followDownload = async (client: DaemonClient, start: () => Promise<Download>): Promise<Download> => {
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(socketAddress(client, '/ws/system'))
  const frames: (Omit<Download, 'name'> & { readonly type: string; readonly model: string })[] = []
  let wake = () => {}
  let isOpen = true
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)))
    wake()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isOpen = false
    wake()
  })
  await new Promise<void>((resolve) => {
    socket.once('open', resolve)
    socket.once('close', () => resolve())
  })
  const show = createReporter()
  try {
    let download = await start()
    while (download.state === 'waiting' || download.state === 'running') {
      const frame = frames.shift()
      if (frame?.type === 'model_progress' && frame.model === download.name && frame.state !== undefined) {
        download = { ...frame, name: download.name }
        show.at(download)
      } else if (frame === undefined) {
        if (!isOpen)
          throw new CommandFailed(
            'the connection to the daemon was cut; `daimon models` shows whether the download continues',
            exitCodes.unreachable,
          )
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
    return download
  } finally {
    show.end()
    socket.close()
  }
}

/** A bar on a terminal, otherwise one line per step and tenth. */
const createReporter = () => {
  if (process.stderr.isTTY) {
    const progress = createProgress()
    return {
      at: (download: Download) => {
        const { completed, total } = download
        progress.at(
          completed === null || !total ? 0 : completed / total,
          `${download.name}: ${toLine(download)}`,
        )
      },
      end: progress.end,
    }
  }
  let last = ''
  return {
    at: (download: Download) => {
      const { completed, total, status, name } = download
      const tenth = completed === null || !total ? 0 : Math.floor((completed / total) * 10)
      const line = `${name}: ${status}${tenth > 0 ? ` ${tenth * 10} %` : ''}`
      if (line !== last) process.stderr.write(`${line}\n`)
      last = line
    },
    end: () => {},
  }
}

const toLine = ({
  status,
  completed,
  total,
  bytes_per_second: rate,
  seconds_left: secondsLeft,
}: Download): string =>
  [
    status,
    completed !== null && total ? `${toSize(completed)} of ${toSize(total)}` : '',
    rate === null ? '' : `${(rate / 1e6).toFixed(1)} MB/s`,
    secondsLeft === null ? '' : `${toDuration(secondsLeft)} left`,
  ]
    .filter(Boolean)
    .join(', ')

const toDuration = (seconds: number): string =>
  seconds < 60
    ? `${seconds} s`
    : seconds < 3600
      ? `${Math.ceil(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`
