/**
 * A stand-in for a Matrix homeserver over a real socket: the client-server API as strict as Synapse, with
 * scripted failures. Users of the tests act with `as(user)`, which calls the same handlers without a socket.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import {
  createHomeserver,
  type Homeserver,
  type Json,
  MatrixRefusal,
  type RoomEvent,
  type Session,
} from './matrix-rooms.ts'
import { createHistory, createSyncAnswer, keyHandlers } from './matrix-sync.ts'

export type { Json, RoomEvent } from './matrix-rooms.ts'

/**
 * `drop`: the call is executed and its answer is lost. `close`: the call is not executed. `half`: the answer
 * ends early. `huge`: an endless answer. `until`: the call is executed after it settles. `lie`: changes the
 * answer.
 */
export type MatrixFault =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'drop'
  | 'close'
  | 'half'
  | 'huge'
  | { readonly until: Promise<unknown> }
  | { readonly lie: (answer: Json) => unknown }

export interface MatrixFaults {
  /** Each applies once, to the next call whose `METHOD path` matches. */
  readonly next: { readonly on: RegExp; readonly fault: MatrixFault }[]
  /** Media is served without a token at the old address only. */
  oldMedia: boolean
  /** Cross-signing keys need no password. */
  openSigning: boolean
  /** Tokens belong to no device, as those of application services. */
  noDevice: boolean
  /** Every token is refused. `soft`: with `soft_logout`. */
  revoked: boolean | 'soft'
  /** Refuses syncs from positions below a number, like a server that was set up again. */
  lostPositions: { readonly below: number; readonly status: number; readonly code: string } | null
  /** Max bytes of an upload. */
  maxUpload: number
  /** Replaces the answer of `/.well-known/matrix/client`. */
  wellKnown: unknown
}

export interface MatrixLogged {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Json
}

/** A user of the tests. */
export interface MatrixPerson {
  readonly id: string
  readonly session: Session
  createRoom(body?: Json): string
  invite(room: string, userId: string): void
  join(room: string): void
  leave(room: string): void
  /** Sends a text or a whole content, and returns the event id. */
  send(room: string, content: string | Json, type?: string): string
  sendState(room: string, type: string, content: Json, key?: string): string
  redact(room: string, eventId: string): string
  react(room: string, eventId: string, key: string): string
  upload(bytes: Uint8Array, mime?: string): string
}

export interface MatrixStandIn {
  readonly url: string
  readonly serverName: string
  readonly server: Homeserver
  readonly log: readonly MatrixLogged[]
  readonly faults: MatrixFaults
  /** By media id. */
  readonly media: Map<string, { readonly bytes: Buffer; readonly mime: string; readonly by: string }>
  /** Adds a user. The password is `<name>-password`. */
  register(localpart: string): MatrixPerson
  /** Returns a token of a new device. */
  createToken(userId: string, deviceId?: string): string
  /** Returns the events of a room that a user sent, with the newest form of each edited one. */
  sentBy(userId: string, room?: string): readonly RoomEvent[]
  /** Number of syncs that wait for news. */
  syncing(): number
  close(): Promise<void>
}

interface Call {
  readonly method: string
  readonly url: URL
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly body: Json
  readonly session: Session
  /** Aborts when the client leaves. */
  readonly gone: AbortSignal
}

/** Writes until the client leaves. */
const flood = async (response: ServerResponse): Promise<void> => {
  const closed = once(response, 'close')
  while (!response.destroyed) {
    const flows = response.write(Buffer.alloc(256 * 1024, ' '))
    await (flows ? wait(0) : Promise.race([once(response, 'drain'), closed]))
  }
}

interface Answer {
  readonly status: number
  readonly json?: unknown
  readonly bytes?: Buffer
  readonly headers?: Readonly<Record<string, string>>
}

type Handler = (call: Call, ...args: string[]) => Json | Promise<Json>

const unknownRoute = () => new MatrixRefusal(404, 'M_UNRECOGNIZED', 'Unrecognized request')

export const createMatrixStandIn = async (): Promise<MatrixStandIn> => {
  const log: MatrixLogged[] = []
  const faults: MatrixFaults = {
    next: [],
    oldMedia: false,
    openSigning: false,
    revoked: false,
    noDevice: false,
    lostPositions: null,
    maxUpload: 50 * 1024 * 1024,
    wellKnown: undefined,
  }
  const tokens = new Map<string, Session>()
  const media = new Map<string, { bytes: Buffer; mime: string; by: string }>()
  const filters: Json[] = []
  let waitingCount = 0

  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const serverName = `127.0.0.1:${port}`
  const home = createHomeserver(serverName)

  const createToken = (userId: string, deviceId?: string): string => {
    const user = home.users.get(userId)
    if (!user) throw new Error(`${userId} is not registered`)
    const token = `syt_secret_${randomBytes(12).toString('hex')}`
    tokens.set(token, { userId, deviceId: home.addDevice(user, deviceId) })
    return token
  }

  const login: Handler = ({ body }) => {
    if (body.type !== 'm.login.password') throw new MatrixRefusal(400, 'M_UNKNOWN', 'Unknown login type')
    if (body.identifier?.type !== 'm.id.user' || typeof body.password !== 'string')
      throw new MatrixRefusal(400, 'M_MISSING_PARAM', 'Missing identifier or password')
    const name: string = body.identifier.user
    const user = home.users.get(name.startsWith('@') ? name : `@${name}:${serverName}`)
    if (!user || user.password !== body.password)
      throw new MatrixRefusal(403, 'M_FORBIDDEN', 'Invalid username or password')
    const token = createToken(user.id, body.device_id)
    return {
      user_id: user.id,
      access_token: token,
      device_id: tokens.get(token)?.deviceId,
      home_server: serverName,
    }
  }
  const parseFilter = (text: string | null): Json => {
    if (text === null) return {}
    if (/^\d+$/.test(text)) return filters[Number(text)] ?? {}
    try {
      return JSON.parse(text)
    } catch {
      throw new MatrixRefusal(400, 'M_NOT_JSON', 'Invalid filter JSON')
    }
  }
  const sync: Handler = async ({ url: { searchParams: query }, session, gone }) => {
    const options = { since: query.get('since'), filter: parseFilter(query.get('filter')) }
    const deadline = Date.now() + Math.min(Number(query.get('timeout') ?? 0), 600_000)
    for (;;) {
      // A revoked token ends a waiting sync too.
      if (faults.revoked) throw refusedToken()
      const { lostPositions: lost } = faults
      if (lost && options.since !== null && Number(options.since.slice(1)) < lost.below)
        throw new MatrixRefusal(lost.status, lost.code, 'Unknown position')
      const { body, isNews } = createSyncAnswer(home, session, options)
      const left = deadline - Date.now()
      if (isNews || left <= 0 || gone.aborted) return body
      waitingCount += 1
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, Math.min(left, 1000))
        function done() {
          clearTimeout(timer)
          home.listeners.delete(done)
          gone.removeEventListener('abort', done)
          resolve()
        }
        home.listeners.add(done)
        gone.addEventListener('abort', done)
      })
      waitingCount -= 1
    }
  }
  const refusedToken = () =>
    new MatrixRefusal(401, 'M_UNKNOWN_TOKEN', 'Invalid access token passed.', {
      soft_logout: faults.revoked === 'soft',
    })

  const upload: Handler = ({ bytes, headers, session }) => {
    if (bytes.length > faults.maxUpload) throw new MatrixRefusal(413, 'M_TOO_LARGE', 'Upload is too large')
    const id = randomBytes(12).toString('hex')
    media.set(id, { bytes, mime: headers['content-type'] ?? 'application/octet-stream', by: session.userId })
    return { content_uri: `mxc://${serverName}/${id}` }
  }
  const download = (name: string, id: string): Answer => {
    const file = media.get(id)
    if (name !== serverName || !file) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'Not found')
    return { status: 200, bytes: file.bytes, headers: { 'content-type': file.mime } }
  }
  const findEvent = (call: Call, room: string, id: string) => {
    const found = home.joinedRoom(room, call.session).events.find(({ event }) => event.event_id === id)
    if (!found) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'Event not found.')
    return found
  }
  const mustBeSelf = ({ session }: Call, userId: string) => {
    if (session.userId !== userId) throw new MatrixRefusal(403, 'M_FORBIDDEN', 'Not your account')
    const user = home.users.get(userId)
    if (!user) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'Unknown user')
    return user
  }
  const empty = (_: unknown): Json => ({})

  const open: readonly [string, RegExp, Handler][] = [
    [
      'GET',
      /^\/_matrix\/client\/versions$/,
      () => ({ versions: ['v1.1', 'v1.5', 'v1.11'], unstable_features: {} }),
    ],
    [
      'GET',
      /^\/_matrix\/client\/v3\/login$/,
      () => ({ flows: [{ type: 'm.login.password' }, { type: 'm.login.token' }] }),
    ],
    ['POST', /^\/_matrix\/client\/v3\/login$/, login],
    [
      'GET',
      /^\/\.well-known\/matrix\/client$/,
      () => {
        if (faults.wellKnown === undefined) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'Not found')
        return faults.wellKnown
      },
    ],
    [
      'GET',
      /^\/_matrix\/media\/v3\/download\/([^/]+)\/([^/]+)(?:\/[^/]*)?$/,
      (_, name, id) => {
        if (!faults.oldMedia) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'Not found')
        return download(name ?? '', id ?? '')
      },
    ],
  ]

  const v3 = (rest: string) => new RegExp(`^/_matrix/client/(?:v3|r0|v1)${rest}$`)
  const routes: readonly [string, RegExp, Handler][] = [
    [
      'GET',
      v3('/account/whoami'),
      ({ session }) => ({
        user_id: session.userId,
        ...(!faults.noDevice && { device_id: session.deviceId }),
        is_guest: false,
      }),
    ],
    ['POST', v3('/logout'), ({ headers }) => empty(tokens.delete(headers.authorization?.slice(7) ?? ''))],
    ['GET', v3('/sync'), sync],
    [
      'POST',
      v3('/user/([^/]+)/filter'),
      (call, id = '') => {
        mustBeSelf(call, id)
        return { filter_id: String(filters.push(call.body) - 1) }
      },
    ],
    ['GET', v3('/user/([^/]+)/filter/([^/]+)'), (_call, _id, filter = '') => parseFilter(filter)],
    [
      'GET',
      v3('/user/([^/]+)/account_data/([^/]+)'),
      (call, id = '', type = '') => {
        const data = mustBeSelf(call, id).accountData.get(type)
        if (!data) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'Account data not found')
        return data.content
      },
    ],
    [
      'PUT',
      v3('/user/([^/]+)/account_data/([^/]+)'),
      (call, id = '', type = '') =>
        empty(mustBeSelf(call, id).accountData.set(type, { at: home.advance(), content: call.body })),
    ],
    [
      'GET',
      v3('/profile/([^/]+)(?:/displayname)?'),
      (_, id = '') => {
        const user = home.users.get(id)
        if (!user) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'Profile was not found')
        return { displayname: user.displayName }
      },
    ],
    [
      'PUT',
      v3('/profile/([^/]+)/displayname'),
      (call, id = '') => {
        mustBeSelf(call, id).displayName = call.body.displayname
        return {}
      },
    ],
    [
      'GET',
      v3('/joined_rooms'),
      ({ session }) => ({
        joined_rooms: [...home.rooms.values()]
          .filter((room) => home.membership(room, session.userId) === 'join')
          .map(({ id }) => id),
      }),
    ],
    ['POST', v3('/createRoom'), ({ session, body }) => ({ room_id: home.createRoom(session, body).id })],
    [
      'POST',
      v3('/(?:rooms/([^/]+)/join|join/([^/]+))'),
      ({ session }, first, second) => {
        const room = home.findRoom(first || second || '')
        home.join(room, session.userId)
        return { room_id: room.id }
      },
    ],
    [
      'POST',
      v3('/rooms/([^/]+)/leave'),
      ({ session }, id = '') => empty(home.leave(home.findRoom(id), session.userId)),
    ],
    [
      'POST',
      v3('/rooms/([^/]+)/forget'),
      ({ session }, id = '') => {
        const room = home.findRoom(id)
        if (['join', 'invite'].includes(home.membership(room, session.userId)))
          throw new MatrixRefusal(400, 'M_UNKNOWN', `User ${session.userId} is in room ${id}`)
        return empty(room.forgotten.add(session.userId))
      },
    ],
    [
      'POST',
      v3('/rooms/([^/]+)/invite'),
      ({ session, body }, id = '') => {
        if (typeof body.user_id !== 'string')
          throw new MatrixRefusal(400, 'M_MISSING_PARAM', "'user_id' not in content")
        return empty(home.invite(home.joinedRoom(id, session), session.userId, body.user_id))
      },
    ],
    [
      'POST',
      v3('/rooms/([^/]+)/(kick|ban)'),
      ({ session, body }, id = '', what = '') => {
        const room = home.joinedRoom(id, session)
        if (home.power(room, session.userId) < 50)
          throw new MatrixRefusal(403, 'M_FORBIDDEN', "You don't have permission")
        return empty(home.setMember(room, session.userId, body.user_id, what === 'kick' ? 'leave' : 'ban'))
      },
    ],
    [
      'GET',
      v3('/rooms/([^/]+)/state'),
      ({ session }, id = '') =>
        [...home.joinedRoom(id, session).state.values()].map((entry) => home.shown(entry, session)),
    ],
    [
      'GET',
      v3('/rooms/([^/]+)/state/([^/]+)/?([^/]*)'),
      ({ session }, id = '', type = '', key = '') => {
        const entry = home.joinedRoom(id, session).state.get(`${type}\n${key}`)
        if (!entry) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'Event not found.')
        return entry.event.content
      },
    ],
    [
      'PUT',
      v3('/rooms/([^/]+)/state/([^/]+)/?([^/]*)'),
      ({ session, body }, id = '', type = '', key = '') => ({
        event_id: home.sendState(session, id, type, key, body),
      }),
    ],
    [
      'GET',
      v3('/rooms/([^/]+)/members'),
      ({ session }, id = '') => ({
        chunk: [...home.joinedRoom(id, session).state.values()].flatMap((entry) =>
          entry.event.type === 'm.room.member' ? [home.shown(entry, session)] : [],
        ),
      }),
    ],
    [
      'GET',
      v3('/rooms/([^/]+)/joined_members'),
      ({ session }, id = '') => ({
        joined: Object.fromEntries(
          home
            .membersWith(home.joinedRoom(id, session), 'join')
            .map((member) => [member, { display_name: home.users.get(member)?.displayName }]),
        ),
      }),
    ],
    [
      'GET',
      v3('/rooms/([^/]+)/messages'),
      ({ session, url: { searchParams } }, id = '') =>
        createHistory(home, home.joinedRoom(id, session), session, searchParams),
    ],
    [
      'GET',
      v3('/rooms/([^/]+)/event/([^/]+)'),
      (call, id = '', event = '') => home.shown(findEvent(call, id, event), call.session),
    ],
    [
      'GET',
      v3('/rooms/([^/]+)/context/([^/]+)'),
      (call, id = '', event = '') => {
        const found = findEvent(call, id, event)
        return {
          event: home.shown(found, call.session),
          events_before: [],
          events_after: [],
          start: `t${found.at}`,
          end: `s${found.at}`,
          state: [],
        }
      },
    ],
    [
      'GET',
      v3('/rooms/([^/]+)/relations/([^/]+)(?:/([^/]+))?(?:/[^/]+)?'),
      (call, id = '', target = '', kind = '') => {
        findEvent(call, id, target)
        const room = home.joinedRoom(id, call.session)
        return {
          chunk: room.events
            .flatMap((entry) => {
              const relation = entry.event.content['m.relates_to']
              return relation?.event_id === target && (!kind || relation.rel_type === kind)
                ? [home.shown(entry, call.session)]
                : []
            })
            .reverse(),
        }
      },
    ],
    [
      'PUT',
      v3('/rooms/([^/]+)/send/([^/]+)/([^/]+)'),
      ({ session, body, path }, id = '', type = '', txn = '') => ({
        event_id: home.send(session, path, id, type, txn, body),
      }),
    ],
    [
      'PUT',
      v3('/rooms/([^/]+)/redact/([^/]+)/([^/]+)'),
      ({ session, body, path }, id = '', event = '') => ({
        event_id: home.redact(session, path, id, event, body),
      }),
    ],
    [
      'PUT',
      v3('/rooms/([^/]+)/typing/([^/]+)'),
      (call, id = '', user = '') => {
        mustBeSelf(call, user)
        if (typeof call.body.typing !== 'boolean')
          throw new MatrixRefusal(400, 'M_BAD_JSON', "'typing' must be a boolean")
        const room = home.joinedRoom(id, call.session)
        if (call.body.typing) room.typing.add(user)
        else room.typing.delete(user)
        room.typingAt = home.advance()
        return {}
      },
    ],
    [
      'POST',
      v3('/rooms/([^/]+)/receipt/(m\\.read|m\\.read\\.private|m\\.fully_read)/([^/]+)'),
      (call, id = '', _, event = '') => {
        const relation = findEvent(call, id, event).event.content['m.relates_to']
        const { thread_id: threadId } = call.body
        const eventThread = relation?.rel_type === 'm.thread' ? relation.event_id : 'main'
        if (threadId !== undefined && threadId !== eventThread)
          throw new MatrixRefusal(400, 'M_INVALID_PARAM', `${event} is not related to thread ${threadId}`)
        const { receipts } = home.joinedRoom(id, call.session)
        const { userId } = call.session
        return empty(receipts.push({ at: home.advance(), userId, eventId: event, threadId }))
      },
    ],
    ['POST', v3('/rooms/([^/]+)/read_markers'), () => ({})],
    ['POST', v3('/keys/upload'), ({ session, body }) => keyHandlers.upload(home, session, body)],
    ['POST', v3('/keys/query'), ({ session, body }) => keyHandlers.query(home, session, body)],
    ['POST', v3('/keys/claim'), ({ session, body }) => keyHandlers.claim(home, session, body)],
    [
      'POST',
      v3('/keys/signatures/upload'),
      ({ session, body }) => keyHandlers.signatures(home, session, body),
    ],
    [
      'POST',
      v3('/keys/device_signing/upload'),
      ({ session, body }) => keyHandlers.crossSigning(home, session, body, faults.openSigning),
    ],
    [
      'PUT',
      v3('/sendToDevice/([^/]+)/([^/]+)'),
      ({ session, body, path }, type = '') => {
        home.once(session, path, () => {
          keyHandlers.toDevice(home, session, type, body)
          return 'sent'
        })
        return {}
      },
    ],
    [
      'GET',
      v3('/devices'),
      ({ session }) => ({
        devices: [...(home.users.get(session.userId)?.devices.keys() ?? [])].map((device_id) => ({
          device_id,
        })),
      }),
    ],
    ['POST', /^\/_matrix\/media\/v3\/upload$/, upload],
    [
      'GET',
      /^\/_matrix\/(?:client\/v1\/media|media\/v3)\/config$/,
      () => ({ 'm.upload.size': faults.maxUpload }),
    ],
    [
      'GET',
      /^\/_matrix\/client\/v1\/media\/download\/([^/]+)\/([^/]+)(?:\/[^/]*)?$/,
      (_, name, id) => {
        if (faults.oldMedia) throw unknownRoute()
        return download(name ?? '', id ?? '')
      },
    ],
    ['GET', v3('/capabilities'), () => ({ capabilities: {} })],
    [
      'GET',
      v3('/pushrules/'),
      () => ({ global: { override: [], content: [], room: [], sender: [], underride: [] } }),
    ],
    ['GET', v3('/voip/turnServer'), () => ({})],
  ]

  const findHandler = (list: typeof routes, method: string, path: string) => {
    for (const [verb, pattern, handler] of list) {
      const match = verb === method ? pattern.exec(path) : null
      if (match)
        return (call: Call) => handler(call, ...match.slice(1).map((item) => decodeURIComponent(item ?? '')))
    }
    return null
  }

  const handle = async (call: Omit<Call, 'session'>): Promise<Answer> => {
    const openHandler = findHandler(open, call.method, call.path)
    const toAnswer = (result: Json): Answer =>
      result?.bytes instanceof Buffer ? result : { status: 200, json: result }
    const nobody = { userId: '', deviceId: '' }
    if (openHandler) return toAnswer(await openHandler({ ...call, session: nobody }))
    const [, token] = /^Bearer (.+)$/.exec(call.headers.authorization ?? '') ?? []
    if (token === undefined) throw new MatrixRefusal(401, 'M_MISSING_TOKEN', 'Missing access token')
    const session = tokens.get(token)
    if (!session || faults.revoked) throw refusedToken()
    const handler = findHandler(routes, call.method, call.path)
    if (!handler) throw unknownRoute()
    return toAnswer(await handler({ ...call, session }))
  }

  const parseBody = (bytes: Buffer, path: string): Json => {
    if (/\/media\/v3\/upload$/.test(path) || bytes.length === 0) return {}
    try {
      return JSON.parse(bytes.toString())
    } catch {
      throw new MatrixRefusal(400, 'M_NOT_JSON', 'Content not JSON.')
    }
  }

  const takeFault = (name: string): MatrixFault | undefined => {
    const index = faults.next.findIndex(({ on }) => on.test(name))
    return index < 0 ? undefined : faults.next.splice(index, 1)[0]?.fault
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const address = new URL(request.url ?? '/', url)
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const method = request.method ?? ''
      const path = address.pathname
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      const fault = takeFault(`${method} ${path}`)
      if (fault === 'close') return void response.destroy()
      if (typeof fault === 'object' && 'until' in fault) await fault.until
      const answer =
        typeof fault === 'object' && 'status' in fault
          ? { status: fault.status, json: fault.body, ...(fault.headers && { headers: fault.headers }) }
          : await work(request, {
              method,
              url: address,
              path,
              bytes: Buffer.concat(chunks),
              gone: gone.signal,
            })
      if (fault === 'drop') return void response.destroy()
      await write(response, answer, fault)
    } catch {
      response.destroy()
    }
  }
  const work = async (
    { headers }: IncomingMessage,
    call: Omit<Call, 'session' | 'headers' | 'body'>,
  ): Promise<Answer> => {
    try {
      const body = parseBody(call.bytes, call.path)
      log.push({ method: call.method, path: `${call.path}${call.url.search}`, headers, body })
      return await handle({ ...call, headers, body })
    } catch (error) {
      if (error instanceof MatrixRefusal) return { status: error.status, json: error.body }
      return { status: 500, json: { errcode: 'M_UNKNOWN', error: String(error) } }
    }
  }
  const write = async (response: ServerResponse, answer: Answer, fault: MatrixFault | undefined) => {
    const { status, json, bytes, headers } = answer
    const shown = typeof fault === 'object' && 'lie' in fault ? fault.lie(json) : json
    const content = bytes ?? Buffer.from(typeof shown === 'string' ? shown : JSON.stringify(shown ?? {}))
    response.on('error', () => {})
    response.writeHead(status, {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      ...headers,
    })
    if (fault === 'half') {
      response.write(content.subarray(0, Math.ceil(content.length / 2)))
      await wait(20)
      return response.destroy()
    }
    if (fault === 'huge') return flood(response)
    return response.end(content)
  }

  const as = (id: string): MatrixPerson => {
    const user = home.users.get(id)
    if (!user) throw new Error(`${id} is not registered`)
    const session = { userId: id, deviceId: home.addDevice(user, 'TESTS') }
    let count = 0
    const send: MatrixPerson['send'] = (room, content, type = 'm.room.message') => {
      const whole = typeof content === 'string' ? { msgtype: 'm.text', body: content } : content
      return home.send(session, `test ${id} ${++count}`, room, type, `test${count}`, whole)
    }
    return {
      id,
      session,
      createRoom: (body = {}) => home.createRoom(session, body).id,
      invite: (room, userId) => home.invite(home.joinedRoom(room, session), id, userId),
      join: (room) => home.join(home.findRoom(room), id),
      leave: (room) => home.leave(home.findRoom(room), id),
      send,
      sendState: (room, type, content, key = '') => home.sendState(session, room, type, key, content),
      redact: (room, eventId) => home.redact(session, `test ${id} ${++count}`, room, eventId, {}),
      react: (room, eventId, key) =>
        send(room, { 'm.relates_to': { rel_type: 'm.annotation', event_id: eventId, key } }, 'm.reaction'),
      upload: (bytes, mime = 'application/octet-stream') => {
        const mediaId = randomBytes(12).toString('hex')
        media.set(mediaId, { bytes: Buffer.from(bytes), mime, by: id })
        return `mxc://${serverName}/${mediaId}`
      },
    }
  }

  return {
    url,
    serverName,
    server: home,
    log,
    faults,
    media,
    register: (localpart) => as(home.register(localpart).id),
    createToken,
    sentBy: (userId, roomId) =>
      [...home.rooms.values()].flatMap((room) =>
        roomId === undefined || room.id === roomId
          ? room.events.flatMap(({ event }) =>
              event.sender === userId && event.state_key === undefined ? [event] : [],
            )
          : [],
      ),
    syncing: () => waitingCount,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
