/**
 * Converts a declaration to its stored form, with its secrets in the secrets file, and to its displayed form,
 * with secrets as `***`.
 */
import type { Setting, ToolServer } from '../../facts/fact-values.ts'
import { type DeclaredText, declaredTexts } from '../../packages/mcp-client/secret-parts.ts'
import { Refused } from '../persona/refusals.ts'
import type { McpEntry } from './mcp-entry.ts'
import {
  freshText,
  keptSetting,
  mask,
  openSecrets,
  type SettingText,
  settingText,
  shownText,
} from './setting-text.ts'

/**
 * Returns the stored form. `keep` resolves with the reference of a secret after it is on disk. `before`: the
 * server whose secrets `***` stands for. Throws Refused with tool_server_invalid.
 */
export const toStoredServer = async (
  entry: McpEntry,
  keepSecret: (secret: string) => Promise<string>,
  serverBefore: ToolServer | undefined,
): Promise<ToolServer> => {
  const texts = givenTexts(entry, serverBefore)
  const word = { secret: entry.secret_values ?? [], plain: entry.plain_values ?? [] }
  const detectedTexts = declaredTexts(toEntry(texts))
  const store = (
    text: SettingText,
    { parts }: Pick<DeclaredText, 'parts'>,
    isHidden = false,
  ): Promise<Setting> => keptSetting(text, parts, { word, keep: keepSecret, isHidden })
  const storeNamed = async (all: readonly NamedText[], field: DeclaredText['field']) =>
    inOrder(all, async ({ name, text }) => ({
      name,
      value: await store(
        text,
        detectedTexts.find((part) => part.field === field && part.key === name) ?? noParts,
        true,
      ),
    }))
  if (texts.transport === 'stdio') {
    const inArgs = detectedTexts.filter(({ field }) => field === 'args')
    return {
      transport: 'stdio',
      command: await store(texts.command, detectedTexts.find(({ field }) => field === 'command') ?? noParts),
      args: await inOrder(texts.args, (text, n) => store(text, inArgs[n] ?? noParts)),
      cwd: entry.cwd ?? null,
      env: await storeNamed(texts.env, 'env'),
    }
  }
  const { oauth } = entry
  const httpBefore = serverBefore?.transport === 'http' ? serverBefore : undefined
  const { inAddress, inQuery } = addressParts(texts, detectedTexts)
  const url = await store(texts.address, inAddress)
  return {
    transport: 'http',
    url,
    query: texts.query && (await store(texts.query, inQuery, true)),
    headers: await storeNamed(texts.headers, 'headers'),
    oauth: oauth
      ? {
          client: oauth.client_id,
          secret: await clientSecret(oauth.client_secret, httpBefore?.oauth?.secret ?? null, keepSecret),
          scope: oauth.scope ?? null,
          issuer: oauth.issuer ?? null,
          port: oauth.redirect_port ?? null,
        }
      : null,
    // Tokens of another address or another client must not be reused.
    tokens:
      httpBefore && isSameAddress(texts, httpBefore) && httpBefore.oauth?.client === oauth?.client_id
        ? httpBefore.tokens
        : await keepSecret(''),
  }
}

const noParts = { parts: [] }

interface NamedText {
  readonly name: string
  readonly text: SettingText
}
type GivenTexts =
  | {
      readonly transport: 'stdio'
      readonly command: SettingText
      readonly args: readonly SettingText[]
      readonly env: readonly NamedText[]
    }
  | {
      readonly transport: 'http'
      readonly address: SettingText
      readonly query: SettingText | null
      readonly headers: readonly NamedText[]
    }

/** Returns the texts of a server, with `***` for stored secrets. */
const toTexts = (server: ToolServer): GivenTexts => {
  const toNamedTexts = (all: readonly { readonly name: string; readonly value: Setting }[]) =>
    all.map(({ name, value }) => ({ name, text: settingText(value) }))
  if (server.transport === 'stdio') {
    const { command, args, env } = server
    return {
      transport: 'stdio',
      command: settingText(command),
      args: args.map((arg) => settingText(arg)),
      env: toNamedTexts(env),
    }
  }
  const { url, query, headers } = server
  return {
    transport: 'http',
    address: settingText(url),
    query: query === null ? null : settingText(query),
    headers: toNamedTexts(headers),
  }
}

/**
 * Returns the texts of an entry. A text that is unchanged since it was displayed keeps its stored secrets.
 */
const givenTexts = (entry: McpEntry, serverBefore: ToolServer | undefined): GivenTexts => {
  const { command, args = [], env = {}, url = '', headers = {} } = entry
  const [serverTexts, shownTexts] = serverBefore ? [toTexts(serverBefore), shownEntry(serverBefore)] : []
  const keepUnchanged = (
    givenText: string,
    text: SettingText | null | undefined,
    shownBefore: string | undefined,
  ) => {
    if (!givenText.includes(mask) || givenText === shownBefore)
      return (givenText === shownBefore && text) || freshText(givenText)
    if (givenText !== mask && shownBefore?.includes(mask))
      throw invalid('A value with hidden parts has changed: give the whole of it again.')
    return freshText(givenText)
  }
  const toNamedTexts = (
    all: Readonly<Record<string, string>>,
    textsBefore: readonly NamedText[] = [],
    shownValues: McpEntry['env'],
  ) =>
    Object.entries(all).map(([name, value]) => ({
      name,
      text: keepUnchanged(
        value,
        textsBefore.find((knownText) => knownText.name === name)?.text,
        shownValues?.[name],
      ),
    }))
  if (command !== undefined) {
    const knownTexts = serverTexts?.transport === 'stdio' ? serverTexts : undefined
    return {
      transport: 'stdio',
      command: keepUnchanged(command, knownTexts?.command, shownTexts?.command),
      args: givenArgs(args, knownTexts?.args ?? [], shownTexts?.args ?? []),
      env: toNamedTexts(env, knownTexts?.env, shownTexts?.env),
    }
  }
  const knownAddress = serverTexts?.transport === 'http' ? serverTexts : undefined
  const place = new URL(url)
  const query = place.search.slice(1)
  // Fragments are not part of a request.
  place.search = place.hash = ''
  const [address, queryBefore] = shownTexts?.url?.split(/\?(.*)/s) ?? []
  return {
    transport: 'http',
    address: keepUnchanged(place.href, knownAddress?.address, address),
    query: query === '' ? null : keepUnchanged(query, knownAddress?.query, queryBefore),
    headers: toNamedTexts(headers, knownAddress?.headers, shownTexts?.headers),
  }
}

/** Matches hidden arguments in order. If some were added or removed, the match is ambiguous. */
const givenArgs = (
  args: readonly string[],
  textsBefore: readonly SettingText[],
  shownTexts: readonly string[],
): readonly SettingText[] => {
  const places = new Map<string, SettingText[]>()
  for (const [n, text] of textsBefore.entries()) {
    const arg = shownTexts[n] ?? ''
    if (arg.includes(mask) || text.decidedSpans.length > 0)
      places.set(arg, [...(places.get(arg) ?? []), text])
  }
  const hasHidden = shownTexts.some((arg) => arg.includes(mask))
  const counts = new Map<string, number>()
  for (const arg of args) counts.set(arg, (counts.get(arg) ?? 0) + 1)
  for (const [arg, count] of counts) {
    const isHidden = arg === mask || (arg.includes(mask) && hasHidden)
    if (isHidden && places.get(arg)?.length !== count)
      throw invalid('Arguments that were hidden have come or gone: give each of them again.')
  }
  return args.map((arg) => places.get(arg)?.shift() ?? freshText(arg))
}

const invalid = (reason: string): Refused => new Refused({ code: 'tool_server_invalid', reason })

const isSameAddress = (givenText: GivenTexts, serverBefore: ServerOf<'http'>): boolean => {
  if (givenText.transport !== 'http') return false
  const savedAddress = settingText(serverBefore.url)
  return (
    givenText.address.text === savedAddress.text &&
    givenText.address.decidedSpans.length === savedAddress.decidedSpans.length
  )
}

type ServerOf<T extends ToolServer['transport']> = Extract<ToolServer, { transport: T }>

const clientSecret = async (
  givenText: string | undefined,
  settingBefore: Setting | null,
  keepSecret: (secret: string) => Promise<string>,
): Promise<Setting | null> => {
  if (givenText === undefined) return null
  return givenText === mask && settingBefore !== null
    ? settingBefore
    : { secret: await keepSecret(givenText) }
}

/** Returns the texts as an entry, to detect secrets in it. */
const toEntry = (texts: GivenTexts): McpEntry => {
  const toFields = (all: readonly NamedText[]) =>
    Object.fromEntries(all.map(({ name, text }) => [name, text.text]))
  if (texts.transport === 'stdio')
    return { command: texts.command.text, args: texts.args.map(({ text }) => text), env: toFields(texts.env) }
  const { address, query, headers } = texts
  return { url: address.text + (query === null ? '' : `?${query.text}`), headers: toFields(headers) }
}

/** Splits the detected values of a url into those in the address and those in the query. */
const addressParts = (
  texts: Extract<GivenTexts, { transport: 'http' }>,
  detectedTexts: readonly DeclaredText[],
) => {
  const parts = detectedTexts.find(({ field }) => field === 'url')?.parts ?? []
  const shift = texts.address.text.length + 1
  const inQuery = parts
    .filter(({ start }) => start >= shift)
    .map((part) => ({ ...part, start: part.start - shift, end: part.end - shift }))
  return { inAddress: { parts: parts.filter(({ start }) => start < shift) }, inQuery: { parts: inQuery } }
}

/** Runs sequentially: each secret is on disk before the next one. */
const inOrder = async <T, R>(
  all: readonly T[],
  make: (item: T, n: number) => Promise<R>,
): Promise<readonly R[]> => {
  const results: R[] = []
  for (const [n, item] of all.entries()) results.push(await make(item, n))
  return results
}

/**
 * Returns the entry for display, with secrets as `***`. Older facts may contain secrets in clear text; these
 * are masked too.
 */
export const shownEntry = (server: ToolServer): McpEntry => {
  const texts = toTexts(server)
  const detectedTexts = declaredTexts(toEntry(texts))
  const show = (text: SettingText, { parts }: Pick<DeclaredText, 'parts'> = noParts) => shownText(text, parts)
  const showNamed = (all: readonly NamedText[], field: DeclaredText['field']) =>
    Object.fromEntries(
      all.map(({ name, text }) => [
        name,
        show(
          text,
          detectedTexts.find((part) => part.field === field && part.key === name),
        ),
      ]),
    )
  if (server.transport === 'stdio' && texts.transport === 'stdio') {
    const inArgs = detectedTexts.filter(({ field }) => field === 'args')
    return {
      command: show(
        texts.command,
        detectedTexts.find(({ field }) => field === 'command'),
      ),
      args: texts.args.map((arg, n) => show(arg, inArgs[n])),
      ...(server.cwd !== null && { cwd: server.cwd }),
      env: showNamed(texts.env, 'env'),
    }
  }
  if (server.transport !== 'http' || texts.transport !== 'http') return {}
  const { oauth } = server
  const { inAddress, inQuery } = addressParts(texts, detectedTexts)
  return {
    url: show(texts.address, inAddress) + (texts.query === null ? '' : `?${show(texts.query, inQuery)}`),
    headers: showNamed(texts.headers, 'headers'),
    ...(oauth && {
      oauth: {
        client_id: oauth.client,
        ...(oauth.secret !== null && { client_secret: mask }),
        ...(oauth.scope !== null && { scope: oauth.scope }),
        ...(oauth.issuer !== null && { issuer: oauth.issuer }),
        ...(oauth.port !== null && { redirect_port: oauth.port }),
      },
    }),
  }
}

/** Returns the same server, with secrets in clear text (from older facts) masked. */
export const withoutOpenSecrets = (server: ToolServer): ToolServer => {
  const texts = toTexts(server)
  const detectedTexts = declaredTexts(toEntry(texts))
  const maskSetting = (setting: Setting, { parts }: Pick<DeclaredText, 'parts'> = noParts): Setting => {
    const text = settingText(setting)
    return openSecrets(text, parts).length === 0 ? setting : shownText(text, parts)
  }
  if (server.transport === 'stdio') {
    const inArgs = detectedTexts.filter(({ field }) => field === 'args')
    const command = maskSetting(
      server.command,
      detectedTexts.find(({ field }) => field === 'command'),
    )
    return { ...server, command, args: server.args.map((arg, n) => maskSetting(arg, inArgs[n])) }
  }
  return texts.transport === 'http'
    ? { ...server, url: maskSetting(server.url, addressParts(texts, detectedTexts).inAddress) }
    : server
}
