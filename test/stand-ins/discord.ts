/**
 * A stand-in for Discord over real sockets: the REST API and the gateway of one bot, as strict as the real
 * ones, with scripted failures.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

// biome-ignore lint/suspicious/noExplicitAny: bodies are looked into by tests, which say what they expect there
type Body = any

export interface Post {
  readonly channel: string
  readonly id: string
  readonly body: Body
  readonly files: readonly { readonly name: string; readonly type: string; readonly bytes: Buffer }[]
}

export interface DiscordLogged {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

export interface DiscordFaults {
  /** Responses of the next calls, in order. `drop`: the call is executed, but its response is lost. */
  next: (Refusal | 'drop')[]
  /** Does not acknowledge heartbeats. */
  deaf: boolean
  /** Closes the socket with this code when a client identifies or resumes. */
  closeCode: number | null
  /** Answers a resume with op 9. */
  forgetful: boolean
  /** Refuses connections to the gateway. */
  absent: boolean
  /** Number of remaining sessions. */
  remainingCalls: number
}

export interface Refusal {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

interface Session {
  readonly id: string
  readonly intents: number
  readonly events: { readonly s: number; readonly t: string; readonly d: unknown }[]
  socket: WebSocket | null
}

export interface DiscordStandIn {
  readonly url: string
  readonly token: string
  readonly bot: { readonly id: string; readonly username: string }
  readonly posts: readonly Post[]
  readonly log: readonly DiscordLogged[]
  /** Frames that the gateway received: `identify`, `resume`, `heartbeat`, with the path of the connection. */
  readonly gateway: readonly { readonly op: string; readonly path: string; readonly d: Body }[]
  readonly faults: DiscordFaults
  /** Refuses the token from now on. */
  revoke(): void
  /** Adds a direct chat with a user, or a channel of a server. */
  addChannel(id: string, kind: 'direct' | 'guild' | 'closed'): void
  /**
   * A user writes a message, which is sent if the session's intents include it. Returns the message as the
   * REST API shows it.
   */
  write(channel: string, message: Body): Body
  /** A user presses a button below a message, or sends invented data. */
  press(press: { readonly channel: string; readonly message: string; readonly data: string }): void
  /** Responses to presses, in order; `whisper`: visible only to the user who pressed. */
  readonly interacted: readonly { readonly recipient: 'callback' | 'whisper'; readonly body: Body }[]
  /** Returns the current form of a message. */
  getMessage(channel: string, message: string): Body
  /** Sends to all connections, unfiltered. */
  dispatch(t: string, d: unknown): void
  /** Serves a file, and returns its address. */
  serve(name: string, bytes: Uint8Array | null): string
  /** Sends to every open socket. */
  tell(op: 7 | 9, d?: unknown): void
  /** Cuts every socket without a close frame. */
  cut(): void
  sockets(): number
  close(): Promise<void>
}

export const snowflake = (() => {
  let next = 1_190_000_000_000_000_000n
  return () => {
    next += 1n
    return String(next)
  }
})()

export const mainUser = { id: '80351110224678912', username: 'nelly', global_name: 'Nelly', bot: false }
const privilegedIntents = (1 << 1) | (1 << 8) | (1 << 15)
const knownBits = (1 << 26) - 1

export const createDiscordStandIn = async ({
  heartbeat = 41_250,
}: {
  readonly heartbeat?: number
} = {}): Promise<DiscordStandIn> => {
  const bot = { id: snowflake(), username: 'mina-bot', bot: true }
  const token = `MTE5.${snowflake()}.secret-of-discord`
  let isRevoked = false
  const posts: Post[] = []
  const log: DiscordLogged[] = []
  const gatewayFrames: { op: string; path: string; d: Body }[] = []
  const faults: DiscordFaults = {
    next: [],
    deaf: false,
    closeCode: null,
    forgetful: false,
    absent: false,
    remainingCalls: 1000,
  }
  const channels = new Map<
    string,
    { readonly kind: 'direct' | 'guild' | 'closed'; readonly messages: Body[] }
  >()
  const files = new Map<string, Uint8Array | null>()
  const sessions = new Map<string, Session>()
  const sockets = new Set<WebSocket>()

  /** By token. */
  const interactions = new Map<string, { readonly id: string; acknowledged: boolean }>()
  const interactionAnswers: { recipient: 'callback' | 'whisper'; body: Body }[] = []

  const callback = (id: string, token: string, { bytes }: ApiRequest): Refusal => {
    const interaction = interactions.get(token)
    if (interaction?.id !== id) return refusal(404, 10062, 'Unknown interaction')
    if (interaction.acknowledged) return refusal(400, 40060, 'Interaction has already been acknowledged.')
    const body = JSON.parse(bytes.toString())
    if (![4, 5, 6, 7].includes(body.type)) return invalid('type', 'BASE_TYPE_CHOICES', 'Not a valid type.')
    interaction.acknowledged = true
    interactionAnswers.push({ recipient: 'callback', body })
    return { status: 204, body: null, headers: { 'content-type': 'text/html; charset=utf-8' } }
  }
  const whisper = (application: string, token: string, { bytes }: ApiRequest): Refusal => {
    if (application !== bot.id || !interactions.get(token)?.acknowledged)
      return refusal(404, 10015, 'Unknown Webhook')
    const body = JSON.parse(bytes.toString())
    interactionAnswers.push({ recipient: 'whisper', body })
    return ok({ id: snowflake(), content: body.content, flags: body.flags })
  }
  /** Routes that need only the token in the address. */
  const open: readonly [RegExp, (match: RegExpExecArray, request: ApiRequest) => Refusal][] = [
    [
      /^\/interactions\/(\d+)\/([^/]+)\/callback$/,
      ([, id = '', token = ''], request) => callback(id, decodeURIComponent(token), request),
    ],
    [
      /^\/webhooks\/(\d+)\/([^/]+)$/,
      ([, id = '', token = ''], request) => whisper(id, decodeURIComponent(token), request),
    ],
  ]
  const change = (channel: string, id: string, { bytes }: ApiRequest): Refusal => {
    const messages = channels.get(channel)?.messages
    const index = messages?.findIndex((message) => message.id === id) ?? -1
    if (!messages || index < 0) return refusal(404, 10008, 'Unknown Message')
    if (messages[index].author.id !== bot.id)
      return refusal(403, 50005, 'Cannot edit a message authored by another user')
    const body = JSON.parse(bytes.toString())
    const wrong = findFault({ content: messages[index].content, ...body }, [])
    if (wrong) return wrong
    messages[index] = { ...messages[index], ...body }
    return ok(messages[index])
  }

  const addChannel: DiscordStandIn['addChannel'] = (id, kind) => channels.set(id, { kind, messages: [] })

  const send = (session: Session, t: string, d: unknown) => {
    const event = { s: session.events.length + 1, t, d }
    session.events.push(event)
    session.socket?.send(JSON.stringify({ op: 0, ...event }))
  }
  const tellMessage = (kind: string, message: Body) => {
    for (const session of sessions.values()) {
      if (!(session.intents & (kind === 'guild' ? 1 << 9 : 1 << 12))) continue
      const isContentVisible =
        kind !== 'guild' ||
        session.intents & (1 << 15) ||
        message.author.id === bot.id ||
        message.mentions.some((user: Body) => user.id === bot.id)
      const { guild_id, ...rest } = message
      const visibleMessage = isContentVisible ? rest : { ...rest, content: '', attachments: [], embeds: [] }
      send(
        session,
        'MESSAGE_CREATE',
        kind === 'guild' ? { ...visibleMessage, guild_id: '197038439483310086', member: {} } : visibleMessage,
      )
    }
  }
  const write: DiscordStandIn['write'] = (channel, message) => {
    const chat = channels.get(channel)
    if (!chat) throw new Error('there is no such channel')
    const fullMessage = {
      id: snowflake(),
      channel_id: channel,
      type: 0,
      author: mainUser,
      content: '',
      mentions: [],
      attachments: [],
      embeds: [],
      flags: 0,
      timestamp: new Date(0).toISOString(),
      tts: false,
      pinned: false,
      ...message,
    }
    chat.messages.push(fullMessage)
    tellMessage(chat.kind, fullMessage)
    return fullMessage
  }

  const routes: readonly [
    string,
    RegExp,
    (match: RegExpExecArray, request: ApiRequest) => Refusal | Promise<Refusal>,
  ][] = [
    ['GET', /^\/users\/@me$/, () => ok({ ...bot, discriminator: '0', avatar: null, flags: 0 })],
    [
      'GET',
      /^\/gateway\/bot$/,
      () =>
        ok({
          url: url.replace('http', 'ws').replace('/api', '/gateway'),
          shards: 1,
          session_start_limit: {
            total: 1000,
            remaining: faults.remainingCalls,
            reset_after: 600_000,
            max_concurrency: 1,
          },
        }),
    ],
    [
      'GET',
      /^\/channels\/(\d+)$/,
      ([, id = '']) =>
        channels.has(id)
          ? ok({ id, type: channels.get(id)?.kind === 'guild' ? 0 : 1 })
          : refusal(404, 10003, 'Unknown Channel'),
    ],
    [
      'GET',
      /^\/channels\/(\d+)\/messages$/,
      ([, id = ''], { query }) => history(channels.get(id)?.messages, query),
    ],
    [
      'POST',
      /^\/channels\/(\d+)\/typing$/,
      ([, id = '']) =>
        channels.has(id) ? { status: 204, body: null } : refusal(404, 10003, 'Unknown Channel'),
    ],
    ['POST', /^\/channels\/(\d+)\/messages$/, ([, id = ''], request) => post(id, request)],
    [
      'PATCH',
      /^\/channels\/(\d+)\/messages\/(\d+)$/,
      ([, channel = '', id = ''], request) => change(channel, id, request),
    ],
  ]

  const post = async (id: string, request: ApiRequest): Promise<Refusal> => {
    const chat = channels.get(id)
    if (!chat) return refusal(404, 10003, 'Unknown Channel')
    if (chat.kind === 'closed') return refusal(403, 50007, 'Cannot send messages to this user')
    const { body, files: sent } = await parseParts(request)
    const wrong = findFault(body, sent)
    if (wrong) return wrong
    const beforeId =
      body.enforce_nonce && posts.find((post) => post.channel === id && post.body.nonce === body.nonce)
    if (beforeId) return ok(chat.messages.find((message) => message.id === beforeId.id))
    const message = write(id, {
      author: bot,
      content: body.content ?? '',
      flags: body.flags ?? 0,
      nonce: body.nonce,
      components: body.components ?? [],
    })
    posts.push({ channel: id, id: message.id, body, files: sent })
    return ok(message)
  }

  const server = createServer((request, response) => void answer(request, response))
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    log.push({ method: request.method ?? '', path: pathname, headers: request.headers })
    if (pathname.startsWith('/attachments/')) return giveFile(response, files.get(pathname))

    const fault = faults.next.shift()
    const apiRequest = { headers: request.headers, query: searchParams, bytes: Buffer.concat(chunks) }
    const result = await (typeof fault === 'object'
      ? fault
      : route(request.method ?? '', pathname, apiRequest))
    if (fault === 'drop') return response.destroy()
    response.writeHead(result.status, {
      'content-type': 'application/json',
      'x-ratelimit-bucket': 'abcd1234',
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '99',
      'x-ratelimit-reset-after': '1.000',
      ...result.headers,
    })
    return response.end(
      result.body === null
        ? undefined
        : typeof result.body === 'string'
          ? result.body
          : JSON.stringify(result.body),
    )
  }
  const route = (method: string, path: string, apiRequest: ApiRequest): Refusal | Promise<Refusal> => {
    if (!path.startsWith('/api/v10/')) return refusal(404, 0, '404: Not Found')
    if (!/^DiscordBot \(\S+, [^)]+\)/.test(apiRequest.headers['user-agent'] ?? ''))
      return { status: 403, body: 'error code: 1010', headers: { 'content-type': 'text/plain' } }
    for (const [pattern, handle] of open) {
      const match = method === 'POST' ? pattern.exec(path.slice('/api/v10'.length)) : null
      if (match) return handle(match, apiRequest)
    }
    if (isRevoked || apiRequest.headers.authorization !== `Bot ${token}`)
      return refusal(401, 0, '401: Unauthorized')
    for (const [verb, pattern, handle] of routes) {
      const match = verb === method ? pattern.exec(path.slice('/api/v10'.length)) : null
      if (match) return handle(match, apiRequest)
    }
    return refusal(404, 0, '404: Not Found')
  }

  const wss = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here')
    if (faults.absent || !/^\/(gateway|resume)/.test(pathname))
      return void socket.end('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n')
    wss.handleUpgrade(request, socket, head, (client) => {
      if (searchParams.get('v') !== '10' || searchParams.get('encoding') !== 'json')
        return client.close(4012, 'Invalid API version')
      holdClient(client, pathname)
    })
  })

  const holdClient = (client: WebSocket, path: string) => {
    sockets.add(client)
    let session: Session | null = null
    let overdue = setTimeout(() => client.close(4009, 'Session timed out'), heartbeat * 2 + 1000).unref()
    client.on('close', () => {
      clearTimeout(overdue)
      sockets.delete(client)
      if (session?.socket === client) session.socket = null
    })
    client.on('message', (bytes) => {
      let frame: Body
      try {
        frame = JSON.parse(bytes.toString())
      } catch {
        return client.close(4002, 'Decode error')
      }
      if (frame.op === 1) {
        gatewayFrames.push({ op: 'heartbeat', path, d: frame.d })
        clearTimeout(overdue)
        overdue = setTimeout(() => client.close(4009, 'Session timed out'), heartbeat * 2 + 1000).unref()
        if (!faults.deaf) client.send(JSON.stringify({ op: 11 }))
        return
      }
      if (frame.op !== 2 && frame.op !== 6) return client.close(session ? 4001 : 4003, 'Not authenticated')
      if (session) return client.close(4005, 'Already authenticated')
      gatewayFrames.push({ op: frame.op === 2 ? 'identify' : 'resume', path, d: frame.d })
      session = frame.op === 2 ? identify(client, frame.d) : resume(client, frame.d)
    })
    client.send(JSON.stringify({ op: 10, d: { heartbeat_interval: heartbeat } }))
  }

  const identify = (client: WebSocket, d: Body): Session | null => {
    const refuse = (code: number) => {
      client.close(code)
      return null
    }
    if (isRevoked || d?.token !== token) return refuse(4004)
    if (faults.closeCode) return refuse(faults.closeCode)
    if (!d.properties?.os || !d.properties.browser || !d.properties.device) return refuse(4002)
    if (!Number.isInteger(d.intents) || d.intents & ~knownBits) return refuse(4013)
    if (d.intents & privilegedIntents) return refuse(4014)
    faults.remainingCalls--
    const session: Session = { id: snowflake(), intents: d.intents, events: [], socket: client }
    sessions.set(session.id, session)
    const ready = {
      v: 10,
      user: bot,
      session_id: session.id,
      resume_gateway_url: url.replace('http', 'ws').replace('/api', '/resume'),
      guilds: [],
    }
    send(session, 'READY', { ...ready, application: { id: bot.id, flags: 0 } })
    return session
  }
  const resume = (client: WebSocket, d: Body): Session | null => {
    const session = sessions.get(d?.session_id)
    if (isRevoked || d?.token !== token) {
      client.close(4004)
      return null
    }
    if (!session || faults.forgetful) {
      sessions.delete(d?.session_id)
      client.send(JSON.stringify({ op: 9, d: false }))
      return null
    }
    if (d.seq > session.events.length) {
      client.close(4007)
      return null
    }
    session.socket = client
    for (const event of session.events.slice(d.seq)) client.send(JSON.stringify({ op: 0, ...event }))
    send(session, 'RESUMED', {})
    return session
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `${origin}/api`

  return {
    url,
    token,
    bot,
    posts: posts,
    log,
    gateway: gatewayFrames,
    faults,
    revoke: () => {
      isRevoked = true
    },
    addChannel,
    write,
    press: ({ channel, message, data }) => {
      const id = snowflake()
      const token = `aW50ZXJhY3Rpb24=${snowflake()}`
      interactions.set(token, { id, acknowledged: false })
      const shownMessage = channels.get(channel)?.messages.find((item) => item.id === message)
      const interaction = {
        id,
        token,
        type: 3,
        version: 1,
        application_id: bot.id,
        channel_id: channel,
        user: mainUser,
        data: { component_type: 2, custom_id: data },
        message: { id: message, channel_id: channel, author: bot, content: '', ...shownMessage },
      }
      for (const session of sessions.values()) send(session, 'INTERACTION_CREATE', interaction)
    },
    interacted: interactionAnswers,
    getMessage: (channel, message) => channels.get(channel)?.messages.find((item) => item.id === message),
    dispatch: (t, d) => {
      for (const session of sessions.values()) send(session, t, d)
    },
    serve: (name, bytes) => {
      const path = `/attachments/${snowflake()}/${name}`
      files.set(path, bytes)
      return `${origin}${path}?ex=65&is=66&hm=77`
    },
    tell: (op, d) => {
      if (op === 9 && !d) sessions.clear()
      for (const client of sockets)
        client.send(JSON.stringify({ op, d: d ?? null, ...(op === 9 && { d: d ?? false }) }))
    },
    cut: () => {
      for (const client of sockets) client.terminate()
    },
    sockets: () => sockets.size,
    close: async () => {
      for (const client of sockets) client.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface ApiRequest {
  readonly headers: IncomingHttpHeaders
  readonly query: URLSearchParams
  readonly bytes: Buffer
}

const ok = (body: unknown): Refusal => ({ status: 200, body })
export const refusal = (status: number, code: number, message: string): Refusal => ({
  status,
  body: { message, code },
})
const invalid = (field: string, code: string, message: string): Refusal => ({
  status: 400,
  body: { message: 'Invalid Form Body', code: 50035, errors: { [field]: { _errors: [{ code, message }] } } },
})
export const createRateLimit = (seconds: number, scope: 'user' | 'global' | 'shared' = 'user'): Refusal => ({
  status: 429,
  body: { message: 'You are being rate limited.', retry_after: seconds, global: scope === 'global' },
  headers: {
    'retry-after': String(Math.ceil(seconds)),
    'x-ratelimit-scope': scope,
    ...(scope === 'global'
      ? { 'x-ratelimit-global': 'true' }
      : { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': String(seconds) }),
  },
})

const history = (messages: readonly Body[] | undefined, query: URLSearchParams): Refusal => {
  if (!messages) return refusal(404, 10003, 'Unknown Channel')
  const limit = Number(query.get('limit') ?? 50)
  if (!(limit >= 1 && limit <= 100))
    return invalid('limit', 'NUMBER_TYPE_MAX', 'int value should be less than or equal to 100.')
  const afterId = BigInt(query.get('after') ?? 0)
  const page = messages.filter(({ id }) => BigInt(id) > afterId).slice(0, limit)
  // Newest first, and without the id of the server.
  return ok(page.reverse().map(({ guild_id, ...message }) => message))
}

const giveFile = (response: ServerResponse, bytes: Uint8Array | null | undefined) => {
  if (!bytes) return response.writeHead(404).end('This content is no longer available.')
  return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes)
}

const parseParts = async ({ headers, bytes }: ApiRequest): Promise<{ body: Body; files: Post['files'] }> => {
  const type = headers['content-type'] ?? ''
  if (type.startsWith('application/json')) return { body: JSON.parse(bytes.toString()), files: [] }
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  const sent: Post['files'][number][] = []
  for (let n = 0; form.has(`files[${n}]`); n++) {
    const file = form.get(`files[${n}]`) as File
    sent.push({ name: file.name, type: file.type, bytes: Buffer.from(await file.arrayBuffer()) })
  }
  return { body: JSON.parse(String(form.get('payload_json') ?? '{}')), files: sent }
}

const findFault = (body: Body, files: Post['files']): Refusal | null => {
  const content = body.content ?? ''
  if (files.some(({ bytes }) => bytes.length > 10 * 1024 * 1024))
    return refusal(413, 40005, 'Request entity too large')
  if (content.length > 2000)
    return invalid('content', 'BASE_TYPE_MAX_LENGTH', 'Must be 2000 or fewer in length.')
  if (content.trim() === '' && files.length === 0) return refusal(400, 50006, 'Cannot send an empty message')
  if (String(body.nonce ?? '').length > 25)
    return invalid('nonce', 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.')
  if (body.allowed_mentions && !Array.isArray(body.allowed_mentions.parse))
    return invalid('allowed_mentions', 'MODEL_TYPE_CONVERT', 'Only dictionaries.')
  if (body.attachments?.some(({ id }: Body) => !files[Number(id)]))
    return invalid('attachments', 'ATTACHMENT_NOT_FOUND', 'Unknown attachment.')
  const rows: readonly Body[] = body.components ?? []
  const buttons = rows.flatMap(({ components }) => components)
  if (rows.length > 5 || rows.some(({ type, components }) => type !== 1 || components.length > 5))
    return invalid('components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.')
  if (buttons.some(({ custom_id: id, label }: Body) => !(id?.length <= 100 && label?.length <= 80)))
    return invalid('components', 'BASE_TYPE_MAX_LENGTH', 'Must be 100 or fewer in length.')
  if (!(body.flags & (1 << 13))) return null
  const [voice] = body.attachments ?? []
  const isVoice =
    files.length === 1 && content === '' && voice?.duration_secs > 0 && typeof voice.waveform === 'string'
  return isVoice ? null : refusal(400, 50161, 'Voice messages must have a single audio attachment')
}
