/** `web`: the search providers of a persona. */
import { Argument, type Command } from 'commander'
import type { AddCommand, CommandMeans } from './command.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { printJson, printLine, table } from './printing.ts'
import { requireEnv } from './require-env.ts'

interface Provider {
  readonly provider: string
  readonly title: string
  readonly position: number | null
  readonly url: string | null
  readonly key: 'own' | 'environment' | null
  readonly missing: 'key' | 'url' | null
  readonly mode: string
  readonly daily_limit: number
  readonly today: number
}

interface SearchProviders {
  readonly providers: readonly Provider[]
  readonly reads_results: boolean
}

export const addWebSearchCommands: AddCommand = (program, means) => {
  const web = program.command('web').description('Searching the web: list, use, remove, set, results, test.')
  addLooking(web, means)
  addChoosing(web, means)
}

const addLooking = (web: Command, { daemon, isJson }: CommandMeans): void => {
  web
    .command('list', { isDefault: true })
    .description('List the search providers in the order in which they are tried.')
    .argument('<persona>', 'name or id')
    .action(async (ref: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.get<SearchProviders>(
        personaPath(await findPersona(client, ref), 'search-providers'),
      )
      if (isJson(command)) return printJson(answer)
      printProviders(answer)
    })

  web
    .command('test')
    .description('Search once, to check an address and a key.')
    .argument('<persona>', 'name or id')
    .argument('<provider>', 'name from `daimon web`')
    .option('--address <url>', 'address, if not the stored one')
    .option('--key-from <variable>', 'environment variable with a key, if not the stored one')
    .action(async (ref: string, name: string, options: EndpointOptions, command: Command) => {
      const client = daemon(command)
      const path = `search-providers/${encodeURIComponent(name)}/test`
      const body = { ...readEndpoint(options) }
      const answer = await client.send<SearchTest>(
        'POST',
        personaPath(await findPersona(client, ref), path),
        body,
      )
      if (isJson(command)) printJson(answer)
      else printLine(answer.reason ?? `${name} works: ${answer.found} results`)
      if (answer.found === null) process.exitCode = exitCodes.refused
    })
}

const addChoosing = (web: Command, { daemon, isJson }: CommandMeans): void => {
  /** Replaces the list by a changed one. */
  const change = async (ref: string, command: Command, toBody: (current: SearchProviders) => object) => {
    const client = daemon(command)
    const path = personaPath(await findPersona(client, ref), 'search-providers')
    const current = await client.get<SearchProviders>(path)
    const answer = await client.send<SearchProviders>('PUT', path, toBody(current))
    if (isJson(command)) return printJson(answer)
    printProviders(answer)
  }

  web
    .command('use')
    .description('Search with a provider: after the others, or first with --first.')
    .argument('<persona>', 'name or id')
    .argument('<provider>', 'name from `daimon web`')
    .option('--address <url>', 'its address, which SearXNG needs')
    .option('--key-from <variable>', 'environment variable with its key')
    .option('--daily-limit <number>', 'max searches per day')
    .option('--first', 'try it before the others')
    .action(async (ref: string, provider: string, options: UseOptions, command: Command) => {
      const { url: address, key } = readEndpoint(options)
      const dailyLimit = readLimit(options.dailyLimit)
      await change(ref, command, (current) => {
        const others = listUsed(current).filter((entry) => entry.provider !== provider)
        const earlierEntry = current.providers.find((entry) => entry.provider === provider)
        const entry = {
          provider,
          url: address ?? earlierEntry?.url ?? null,
          ...(key && { key }),
          ...(dailyLimit !== undefined && { daily_limit: dailyLimit }),
        }
        return { providers: options.first ? [entry, ...others] : [...others, entry] }
      })
    })

  web
    .command('remove')
    .description('Stop searching with a provider, and remove its key.')
    .argument('<persona>', 'name or id')
    .argument('<provider>', 'name from `daimon web`')
    .action((ref: string, provider: string, _options: object, command: Command) =>
      change(ref, command, (current) => {
        const usedEntries = listUsed(current)
        if (!usedEntries.some((entry) => entry.provider === provider))
          throw new CommandFailed(`${provider} is not used`, exitCodes.refused)
        return { providers: usedEntries.filter((entry) => entry.provider !== provider) }
      }),
    )

  web
    .command('results')
    .description('Set whether pages that a search found are read without asking.')
    .argument('<persona>', 'name or id')
    .addArgument(new Argument('<mode>').choices(['ask', 'allow']))
    .action((ref: string, mode: string, _options: object, command: Command) =>
      change(ref, command, (current) => ({ providers: listUsed(current), reads_results: mode === 'allow' })),
    )

  web
    .command('set')
    .description('Set whether a provider is searched.')
    .argument('<persona>', 'name or id')
    .argument('<provider>', 'name from `daimon web`')
    .addArgument(new Argument('<mode>').choices(['off', 'ask', 'allow']))
    .action(async (ref: string, provider: string, mode: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = `search-providers/${encodeURIComponent(provider)}`
      const answer = await client.send('PATCH', personaPath(await findPersona(client, ref), path), { mode })
      if (isJson(command)) return printJson(answer)
      printLine(`${provider}: ${mode}`)
    })
}

interface EndpointOptions {
  readonly address?: string
  readonly keyFrom?: string
}

interface UseOptions extends EndpointOptions {
  readonly dailyLimit?: string
  readonly first?: boolean
}

interface SearchTest {
  readonly found: number | null
  readonly reason: string | null
}

/** The key comes from the environment, because other users can read command lines. */
const readEndpoint = ({
  address,
  keyFrom,
}: EndpointOptions): { readonly url?: string; readonly key?: string } => ({
  ...(address && { url: address }),
  ...(keyFrom !== undefined && { key: requireEnv(keyFrom) }),
})

const readLimit = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw new CommandFailed('the daily limit must be a number of searches', exitCodes.usage)
}

/** Returns the chosen providers in the form of the request. Stored keys stay. */
const listUsed = ({ providers }: SearchProviders) =>
  providers
    .filter(({ position }) => position !== null)
    .map(({ provider, url, daily_limit }) => ({ provider, url, daily_limit }))

const printProviders = ({ providers, reads_results: readsResults }: SearchProviders): void => {
  const rows = providers.map(({ provider, position, mode, missing, today, daily_limit: limit, url }) => [
    position === null ? '-' : String(position),
    provider,
    missing === null ? mode : `needs ${missing === 'key' ? 'a key' : 'an address'}`,
    `${today}/${limit} today`,
    url ?? '',
  ])
  printLine(table(rows))
  printLine(readsResults ? 'pages that were found are read without asking' : 'pages are read after asking')
}
