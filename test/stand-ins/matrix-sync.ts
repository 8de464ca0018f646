/** The sync answers, the history and the keys of the stand-in homeserver. */
import type { Homeserver, Json, Room, Session, User } from './matrix-rooms.ts'
import { MatrixRefusal } from './matrix-rooms.ts'

const emptySync = (position: number): Json => ({
  next_batch: `s${position}`,
  account_data: { events: [] },
  presence: { events: [] },
  to_device: { events: [] },
  device_lists: { changed: [], left: [] },
  rooms: { join: {}, invite: {}, leave: {} },
})

const parseToken = (token: string | null, name: string): number | null => {
  if (token === null) return null
  const [, digits] = /^[st](\d+)$/.exec(token) ?? []
  if (digits === undefined)
    throw new MatrixRefusal(400, 'M_INVALID_PARAM', `Invalid value for parameter ${name}`)
  return Number(digits)
}

const stripped = ({ type, state_key, content, sender }: Json) => ({ type, state_key, content, sender })

/** Returns a sync answer, and whether it contains anything new. */
export const createSyncAnswer = (
  server: Homeserver,
  session: Session,
  { since: sinceToken, filter }: { readonly since: string | null; readonly filter: Json },
): { readonly body: Json; readonly isNews: boolean } => {
  const position = parseToken(sinceToken, 'since')
  const from = position ?? 0
  const body = emptySync(server.getPosition())
  let isNews = position === null
  const user = server.users.get(session.userId)
  for (const room of server.rooms.values()) {
    if (room.forgotten.has(session.userId)) continue
    const now = server.membership(room, session.userId)
    const member = room.state.get(`m.room.member\n${session.userId}`)
    if (now === 'invite' && member && member.at > from) {
      const strippedTypes = ['m.room.create', 'm.room.join_rules', 'm.room.name', 'm.room.encryption']
      const events = [...room.state.values()].flatMap(({ event }) =>
        strippedTypes.includes(event.type) || (event.type === 'm.room.member' && event === member.event)
          ? [stripped(event)]
          : [],
      )
      const inviter = room.state.get(`m.room.member\n${member.event.sender}`)
      body.rooms.invite[room.id] = {
        invite_state: { events: [...events, ...(inviter ? [stripped(inviter.event)] : [])] },
      }
      isNews = true
    }
    if (now === 'join') {
      const joined = createRoomAnswer(server, room, session, { since: position, filter })
      if (joined) body.rooms.join[room.id] = joined
      isNews ||= joined !== null
    }
    if ((now === 'leave' || now === 'ban') && member && member.at > from && position !== null) {
      const events = room.events
        .filter(({ at }) => at > from && at <= member.at)
        .map((entry) => server.shown(entry, session))
      body.rooms.leave[room.id] = {
        timeline: { events, limited: false, prev_batch: `t${from}` },
        state: { events: [] },
      }
      isNews = true
    }
  }
  // A device confirms its messages with the next `since`.
  const name = `${session.userId} ${session.deviceId}`
  if (position !== null)
    for (let index = server.toDevice.length - 1; index >= 0; index--) {
      const message = server.toDevice[index]
      if (message && message.to === name && message.at <= from) server.toDevice.splice(index, 1)
    }
  const messages = server.toDevice.filter(({ to }) => to === name).slice(0, 100)
  body.to_device.events = messages.map(({ event }) => event)
  isNews ||= messages.length > 0
  if (position !== null) {
    body.device_lists.changed = sharing(server, session.userId)
      .filter(({ keysAt }) => keysAt > from)
      .map(({ id }) => id)
    isNews ||= body.device_lists.changed.length > 0
  }
  const device = user?.devices.get(session.deviceId)
  body.device_one_time_keys_count = countKeys(device?.oneTimeKeys.keys() ?? [])
  body.device_unused_fallback_key_types = [...(device?.fallbackKeys ?? [])].flatMap(([id, { isUsed }]) =>
    isUsed ? [] : [id.split(':')[0]],
  )
  for (const [type, { at, content }] of user?.accountData ?? [])
    if (at > from) {
      body.account_data.events.push({ type, content })
      isNews = true
    }
  return { body, isNews }
}

const countKeys = (ids: Iterable<string>): Json => {
  const counts: Record<string, number> = { signed_curve25519: 0 }
  for (const id of ids) {
    const [algorithm = ''] = id.split(':')
    counts[algorithm] = (counts[algorithm] ?? 0) + 1
  }
  return counts
}

/** Returns the users that share a room with this one, and the user. */
const sharing = (server: Homeserver, userId: string): readonly User[] => {
  const ids = new Set([userId])
  for (const room of server.rooms.values())
    if (server.membership(room, userId) === 'join')
      for (const member of server.membersWith(room, 'join', 'invite')) ids.add(member)
  return [...ids].flatMap((id) => server.users.get(id) ?? [])
}

const createRoomAnswer = (
  server: Homeserver,
  room: Room,
  session: Session,
  { since, filter }: { readonly since: number | null; readonly filter: Json },
): Json | null => {
  const limit = filter?.room?.timeline?.limit ?? 10
  const isLazy = filter?.room?.state?.lazy_load_members === true
  const joinedAt = lastJoin(room, session.userId)
  // A room that was joined after the last sync is sent like a new one.
  const isNew = since === null || joinedAt > since
  const from = isNew ? 0 : since
  const fresh = room.events.filter(({ at }) => at > from)
  const window = fresh.slice(-limit)
  const isLimited = fresh.length > window.length
  const first = window[0]?.at ?? server.getPosition() + 1
  const senders = new Set([session.userId, ...window.map(({ event }) => event.sender)])
  const state = [...stateBefore(room, first)].filter(
    ({ at, event }) =>
      at > from && (!isLazy || event.type !== 'm.room.member' || senders.has(event.state_key ?? '')),
  )
  const ephemeralEvents: Json[] = []
  if (room.typingAt > from)
    ephemeralEvents.push({ type: 'm.typing', content: { user_ids: [...room.typing] } })
  const receipts = room.receipts.filter(({ at }) => at > from)
  if (receipts.length > 0)
    ephemeralEvents.push({
      type: 'm.receipt',
      content: Object.fromEntries(
        receipts.map(({ eventId, userId }) => [eventId, { 'm.read': { [userId]: { ts: 1 } } }]),
      ),
    })
  if (!isNew && window.length === 0 && ephemeralEvents.length === 0) return null
  return {
    summary: {
      'm.heroes': server
        .membersWith(room, 'join', 'invite')
        .filter((id) => id !== session.userId)
        .slice(0, 5),
      'm.joined_member_count': server.membersWith(room, 'join').length,
      'm.invited_member_count': server.membersWith(room, 'invite').length,
    },
    timeline: {
      events: window.map((entry) => server.shown(entry, session)),
      limited: isLimited,
      prev_batch: `t${first}`,
    },
    state: { events: state.map((entry) => server.shown(entry, session)) },
    ephemeral: { events: ephemeralEvents },
    account_data: { events: [] },
    unread_notifications: {},
  }
}

const lastJoin = (room: Room, userId: string): number => {
  let joined = 0
  let isIn = false
  for (const { at, event } of room.events)
    if (event.type === 'm.room.member' && event.state_key === userId) {
      const isJoin = event.content.membership === 'join'
      if (isJoin && !isIn) joined = at
      isIn = isJoin
    }
  return joined
}

const stateBefore = (room: Room, position: number) => {
  const state = new Map<string, Room['events'][number]>()
  for (const entry of room.events)
    if (entry.at < position && entry.event.state_key !== undefined)
      state.set(`${entry.event.type}\n${entry.event.state_key}`, entry)
  return state.values()
}

/** Answers `GET /rooms/{id}/messages`. */
export const createHistory = (
  server: Homeserver,
  room: Room,
  session: Session,
  query: URLSearchParams,
): Json => {
  const isBack = query.get('dir') === 'b'
  if (!isBack && query.get('dir') !== 'f')
    throw new MatrixRefusal(400, 'M_MISSING_PARAM', "Missing required 'dir' parameter")
  const limit = Math.min(Number(query.get('limit') ?? 10), 100)
  const from = parseToken(query.get('from'), 'from') ?? (isBack ? server.getPosition() + 1 : 0)
  const to = parseToken(query.get('to'), 'to')
  // `s` tokens are behind an event, `t` tokens in front of it.
  const isAfter = query.get('from')?.startsWith('s')
  const events = isBack
    ? room.events.filter(({ at }) => (isAfter ? at <= from : at < from) && (to === null || at > to)).reverse()
    : room.events.filter(({ at }) => at > from && (to === null || at <= to))
  const page = events.slice(0, limit)
  const last = page.at(-1)
  return {
    start: query.get('from') ?? `t${from}`,
    ...(events.length > page.length && last && { end: `t${last.at}` }),
    chunk: page.map((entry) => server.shown(entry, session)),
    state: [],
  }
}

const mustBeObject = (value: Json, name: string) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MatrixRefusal(400, 'M_BAD_JSON', `${name} must be an object`)
}

/** Handlers of `/keys` and `/sendToDevice`. */
export const keyHandlers = {
  upload: (server: Homeserver, { userId, deviceId }: Session, body: Json): Json => {
    const user = server.users.get(userId)
    const device = user?.devices.get(deviceId)
    if (!user || !device) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'Unknown device')
    if (body.device_keys !== undefined) {
      const keys = body.device_keys
      mustBeObject(keys, 'device_keys')
      if (keys.user_id !== userId || keys.device_id !== deviceId || !keys.keys || !keys.signatures?.[userId])
        throw new MatrixRefusal(400, 'M_BAD_JSON', 'device_keys are not those of this device')
      if (JSON.stringify(device.keys) !== JSON.stringify(keys)) {
        device.keys = keys
        user.keysAt = server.advance()
      }
    }
    for (const [id, key] of Object.entries(body.one_time_keys ?? {})) {
      if (!/^signed_curve25519:[\w+/-]+$/.test(id)) throw new MatrixRefusal(400, 'M_BAD_JSON', 'Bad key id')
      const known = device.oneTimeKeys.get(id)
      if (known && JSON.stringify(known) !== JSON.stringify(key))
        throw new MatrixRefusal(400, 'M_INVALID_PARAM', `One time key ${id} already exists.`)
      device.oneTimeKeys.set(id, key)
    }
    if (body.fallback_keys) {
      device.fallbackKeys.clear()
      for (const [id, key] of Object.entries(body.fallback_keys))
        device.fallbackKeys.set(id, { key, isUsed: false })
    }
    server.advance()
    return { one_time_key_counts: countKeys(device.oneTimeKeys.keys()) }
  },
  query: (server: Homeserver, session: Session, body: Json): Json => {
    mustBeObject(body.device_keys, 'device_keys')
    const answer: Json = {
      device_keys: {},
      failures: {},
      master_keys: {},
      self_signing_keys: {},
      user_signing_keys: {},
    }
    for (const [userId, deviceIds] of Object.entries(body.device_keys as Record<string, string[]>)) {
      const user = server.users.get(userId)
      if (!user) continue
      answer.device_keys[userId] = Object.fromEntries(
        [...user.devices].flatMap(([id, { keys }]) =>
          keys && (deviceIds.length === 0 || deviceIds.includes(id)) ? [[id, keys]] : [],
        ),
      )
      const { master, selfSigning, userSigning } = user.crossSigning
      if (master) answer.master_keys[userId] = master
      if (selfSigning) answer.self_signing_keys[userId] = selfSigning
      if (userSigning && userId === session.userId) answer.user_signing_keys[userId] = userSigning
    }
    return answer
  },
  claim: (server: Homeserver, _: Session, body: Json): Json => {
    mustBeObject(body.one_time_keys, 'one_time_keys')
    const answer: Json = { one_time_keys: {}, failures: {} }
    for (const [userId, devices] of Object.entries(body.one_time_keys as Record<string, Json>))
      for (const [deviceId, algorithm] of Object.entries(devices)) {
        const device = server.users.get(userId)?.devices.get(deviceId)
        const hasAlgorithm = ([id]: readonly [string, unknown]) => id.startsWith(`${algorithm}:`)
        const oneTime = [...(device?.oneTimeKeys ?? [])].find(hasAlgorithm)
        const fallback = [...(device?.fallbackKeys ?? [])].find(hasAlgorithm)
        const given = oneTime ?? (fallback && [fallback[0], fallback[1].key])
        if (!given) continue
        if (oneTime) device?.oneTimeKeys.delete(oneTime[0])
        else if (fallback) fallback[1].isUsed = true
        answer.one_time_keys[userId] ??= {}
        answer.one_time_keys[userId][deviceId] = { [given[0]]: given[1] }
        server.advance()
      }
    return answer
  },
  signatures: (server: Homeserver, _: Session, body: Json): Json => {
    for (const [userId, items] of Object.entries(body as Record<string, Json>)) {
      const user = server.users.get(userId)
      if (!user) continue
      for (const [name, signedKeys] of Object.entries(items as Record<string, Json>)) {
        const target = user.devices.get(name)?.keys ?? user.crossSigning.master
        if (!target) continue
        for (const [signer, signatures] of Object.entries(
          (signedKeys.signatures ?? {}) as Record<string, Json>,
        )) {
          target.signatures ??= {}
          target.signatures[signer] = { ...target.signatures[signer], ...signatures }
        }
        user.keysAt = server.advance()
      }
    }
    return { failures: {} }
  },
  /** Asks for the password first, unless `isOpen`. */
  crossSigning: (server: Homeserver, { userId }: Session, body: Json, isOpen: boolean): Json => {
    const user = server.users.get(userId)
    if (!user) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'Unknown user')
    const flows = { flows: [{ stages: ['m.login.password'] }], params: {}, session: 'signing' }
    if (!isOpen && !body.auth)
      throw new MatrixRefusal(401, '', '', { ...flows, errcode: undefined, error: undefined })
    if (!isOpen) {
      const { type, password, identifier, session } = body.auth
      const isUser = [userId, userId.slice(1).split(':')[0]].includes(identifier?.user)
      if (type !== 'm.login.password' || session !== 'signing' || !isUser || password !== user.password)
        throw new MatrixRefusal(401, 'M_FORBIDDEN', 'Invalid password', { ...flows, completed: [] })
    }
    user.crossSigning.master = body.master_key ?? user.crossSigning.master
    user.crossSigning.selfSigning = body.self_signing_key ?? user.crossSigning.selfSigning
    user.crossSigning.userSigning = body.user_signing_key ?? user.crossSigning.userSigning
    user.keysAt = server.advance()
    return {}
  },
  toDevice: (server: Homeserver, session: Session, type: string, body: Json): Json => {
    mustBeObject(body.messages, 'messages')
    for (const [userId, devices] of Object.entries(body.messages as Record<string, Json>))
      for (const [deviceId, content] of Object.entries(devices as Record<string, Json>)) {
        const user = server.users.get(userId)
        const targets = deviceId === '*' ? [...(user?.devices.keys() ?? [])] : [deviceId]
        for (const target of targets)
          if (user?.devices.has(target))
            server.toDevice.push({
              at: server.advance(),
              to: `${userId} ${target}`,
              event: { sender: session.userId, type, content },
            })
      }
    return {}
  },
}
