/**
 * Clients that send requests while the daemon is killed and restarted, and record the responses in a ledger.
 */
import type { PersonaId } from '../../facts/fact-values.ts'
import { call, pause, type Reply } from '../calls.ts'
import type { Ledger } from './ledger.ts'

export interface World {
  /** Empty while no daemon listens. A request to a previous daemon counts as unanswered. */
  url: string
  readonly ledger: Ledger
  readonly stopSignal: AbortSignal
}

/** Returns undefined if no complete response arrived. */
const attempt = async (
  world: World,
  path: string,
  body?: unknown,
  key?: string,
): Promise<Reply | undefined> => {
  while (world.url === '' && !world.stopSignal.aborted) await pause(5)
  const { url } = world
  const reply = await call(url, 'POST', path, body, key === undefined ? {} : { key }).catch(() => undefined)
  return url === world.url ? reply : undefined
}

/** Sends the same message with the same key until it is acknowledged, then the next. */
export const talker = async (
  world: World,
  client: string,
  id: PersonaId,
  rest: () => number,
): Promise<void> => {
  for (let n = 0; !world.stopSignal.aborted; n++) {
    const value = `${client}-${n}.`
    const entry = world.ledger.note(client, value)
    while (entry.outcome === 'open') {
      const reply = await attempt(world, `/api/persona/${id}/read?wait=0`, { message: value }, value)
      if (reply?.status === 200) world.ledger.close(entry, 'acknowledged')
      // 409: the persona is not running yet. A message must not be refused for another reason.
      else if (reply && reply.status !== 409)
        throw new Error(`${value} was answered ${reply.status}: ${JSON.stringify(reply.body)}`)
      else if (world.stopSignal.aborted) return
      else await pause(10)
    }
    await pause(rest())
  }
}

/** Each change has a unique value and is requested once. */
export const changer = async (
  world: World,
  ada: PersonaId,
  dot: PersonaId,
  random: () => number,
): Promise<void> => {
  for (let n = 1; !world.stopSignal.aborted; n++) {
    const roll = random()
    if (roll < 0.4)
      await tryOnce(world, 'name', `Ada ${n}`, `/api/persona/${ada}/update`, { name: `Ada ${n}` })
    else if (roll < 0.7)
      await tryOnce(world, 'idle_timeout', String(1000 + n), `/api/persona/${ada}/update`, {
        idle_timeout: 1000 + n,
      })
    else {
      const status = (['active', 'hibernate', 'sick'] as const)[n % 3] ?? 'active'
      await tryOnce(world, 'status', status, `/api/persona/${dot}/update`, { status })
    }
    await pause(random() * 20)
  }
}

/** Sets a new key for its model again and again. */
export const keyer = async (world: World, id: PersonaId, mind: Mind, rest: () => number): Promise<void> => {
  for (let n = 1; !world.stopSignal.aborted; n++) {
    const value = `sk-${n}`
    await tryOnce(world, 'key', value, `/api/persona/${id}/update`, { thinking: { ...mind, api_key: value } })
    await pause(rest())
  }
}

export interface Mind {
  readonly model: string
  readonly url?: string
}

export const maker = async (
  world: World,
  mind: (name: string) => Record<string, string>,
  rest: () => number,
): Promise<void> => {
  const livePersonas: { id: PersonaId; name: string }[] = []
  for (let n = 0; !world.stopSignal.aborted; n++) {
    if (livePersonas.length > 1 || (livePersonas.length > 0 && n % 5 > 2)) {
      const [firstId] = livePersonas.splice(0, 1)
      if (firstId) await tryOnce(world, 'delete', firstId.name, `/api/persona/${firstId.id}/delete`)
    } else {
      const name = `born ${n}`
      const reply = await tryOnce(world, 'create', name, '/api/persona/create', { name, ...mind(name) })
      if (reply?.status === 200) livePersonas.push({ id: reply.body.persona.id, name })
    }
    await pause(rest())
  }
}

export const switcher = async (world: World, id: PersonaId, rest: () => number): Promise<void> => {
  for (let n = 0; !world.stopSignal.aborted; n++) {
    const command = n % 2 === 0 ? 'stop' : 'start'
    await tryOnce(world, 'switch', command, `/api/persona/${id}/${command}`)
    await pause(rest())
  }
}

/** Starts and stops personas. A persona may already run or be stopped. */
export const sleeper = async (world: World, ids: readonly PersonaId[], rest: () => number): Promise<void> => {
  for (let n = 0; !world.stopSignal.aborted; n++) {
    await tryOnce(world, 'sleep', `night ${n}`, `/api/persona/${ids[n % ids.length]}/sleep`)
    await pause(rest())
  }
}

const tryOnce = async (
  world: World,
  client: string,
  value: string,
  path: string,
  body?: unknown,
): Promise<Reply | undefined> => {
  const entry = world.ledger.note(client, value)
  const reply = await attempt(world, path, body)
  if (reply)
    world.ledger.close(entry, reply.status === 200 ? 'acknowledged' : `${reply.status} ${reply.body.detail}`)
  return reply
}
