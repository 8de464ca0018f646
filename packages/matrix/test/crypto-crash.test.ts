/**
 * Kills a process at random moments while it encrypts and receives, and loses every write that was not
 * synced. Afterwards each message must be readable, and no position of a key may have been used twice.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { waitFor } from '../../../test/calls.ts'
import { createMatrixStandIn, type MatrixStandIn } from '../../../test/stand-ins/matrix.ts'
import { readPosition } from '../crypto/repeated-messages.ts'
import { type Account, createTestAccount, type Json, openDevice, type TestDevice } from './crypto-device.ts'

/** The compiled `crypto-crash-child.ts`. */
declare const CRYPTO_CRASH_CHILD: string

const maxMs = 60_000

const folders: string[] = []
const devices: TestDevice[] = []
let server: MatrixStandIn
const servers: MatrixStandIn[] = []
const children: ChildProcess[] = []
test.after.each(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const device of devices.splice(0)) await device.close()
  for (const openServer of servers.splice(0)) await openServer.close()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

const createAccount = async (name: string, deviceId: string): Promise<Account> => {
  const account = await createTestAccount(server, name, deviceId)
  folders.push(account.folder)
  return account
}

const openNew = async (name: string, deviceId: string): Promise<TestDevice> => {
  const device = await openDevice(await createAccount(name, deviceId))
  devices.push(device)
  return device
}

/**
 * Starts a process, kills it some ms after it sent a number of batches, and returns its warnings. `isEarly`:
 * kills it while it opens its keys.
 */
const runAndKill = async (
  args: readonly string[],
  { batches, isEarly }: { readonly batches: number; readonly isEarly: boolean },
  during: () => Promise<void>,
) => {
  const child = spawn(process.execPath, [fileURLToPath(CRYPTO_CRASH_CHILD), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const lines: string[] = []
  let errors = ''
  createInterface(child.stdout).on('line', (line) => void lines.push(line))
  child.stderr.on('data', (bytes) => {
    errors += String(bytes)
  })
  const ended = once(child, 'exit')
  const reached = (line: string, count: number) =>
    waitFor(
      line,
      () => child.exitCode !== null || lines.filter((other) => other === line).length >= count,
      maxMs,
    )
  await reached(isEarly ? 'begun' : 'ready', 1)
  await during()
  if (!isEarly) await reached('sent', batches)
  await wait(Math.random() * 100)
  child.kill('SIGKILL')
  await ended
  const warnings = lines.filter((line) => !['begun', 'ready', 'sent'].includes(line))
  return child.exitCode === null ? warnings : [...warnings, `it ended by itself: ${errors}`]
}

interface Findings {
  /** Messages of Ada. */
  readonly messages: number
  readonly repeated: readonly string[]
  readonly unreadableEvents: readonly string[]
  readonly warnings: readonly string[]
}

/** Lets Ada crash `rounds` times while she talks with Bob. */
const crashOften = async (rounds: number, mode: string): Promise<Findings> => {
  server = await createMatrixStandIn()
  servers.push(server)
  server.faults.openSigning = true
  const account = await createAccount('ada', 'ADA')
  const bob = await openNew('bob', 'BOB0')
  const invite = [account.userId]
  const body = JSON.stringify({ preset: 'private_chat', invite })
  const created = JSON.parse(await bob.request('POST', '/_matrix/client/v3/createRoom', body))
  const room: string = created.room_id
  server.server.join(server.server.findRoom(room), account.userId)
  const members = [account.userId, bob.account.userId]
  const args = [JSON.stringify(account), room, JSON.stringify(members), mode]
  const warnings: string[] = []
  let sentCount = 0
  for (let round = 0; round < rounds; round++) {
    const batches = Math.floor(Math.random() * 4)
    // The first is not killed early, because Bob needs Ada's device.
    const isEarly = round > 0 && Math.random() < 0.2
    const newWarnings = await runAndKill(args, { batches, isEarly }, async () => {
      // A new device takes a one-time key, and needs the key of the room.
      const device = round % 3 === 2 ? await openNew('bob', `BOB${round}`) : bob
      for (let i = 0; i < 3; i++) await device.send(room, members, `from Bob ${sentCount++}`)
      await bob.sync()
    })
    warnings.push(...newWarnings)
    await bob.sync()
  }
  const ada = await openDevice(account, '').catch((error: Error) => error)
  if (ada instanceof Error) return { messages: 0, repeated: [], unreadableEvents: [ada.message], warnings }
  devices.push(ada)
  await ada.sync()
  for (const device of devices) await device.sync()
  const events = server.server.findRoom(room).events.map(({ event }): Json => ({ ...event }))
  const encrypted = events.filter(({ type }) => type === 'm.room.encrypted')
  const unreadableEvents: string[] = []
  for (const event of encrypted) {
    const reader = event.sender === account.userId ? bob : ada
    const text = await reader.read(room, event)
    if (/^(lasting|not yet)/.test(text)) unreadableEvents.push(`${String(event.sender)}: ${text}`)
  }
  const messages = encrypted.filter(({ sender }) => sender === account.userId).length
  return { messages, repeated: findRepeated(encrypted), unreadableEvents, warnings }
}

const findRepeated = (events: readonly Json[]): readonly string[] => {
  const places = new Set<string>()
  return events.flatMap(({ content }) => {
    const { session_id, ciphertext } = content as { session_id: string; ciphertext: string }
    const place = `${session_id} ${readPosition(ciphertext)}`
    const isRepeated = places.has(place)
    places.add(place)
    return isRepeated ? [place] : []
  })
}

test('loses no message and repeats no position over crashes', async () => {
  const { messages, repeated, unreadableEvents, warnings } = await crashOften(8, 'whole')
  console.log(`· ${messages} messages over 8 crashes of Matrix encryption`)
  ok(messages >= 6)
  equal(repeated, [])
  equal(unreadableEvents, [])
  equal(warnings, [])
})

test('notices a build that does not wait for the disk', async () => {
  let count = 0
  // A kill may come at a moment at which nothing is lost.
  for (let times = 0; times < 4 && count === 0; times++) {
    const { repeated, unreadableEvents, warnings } = await crashOften(4, 'broken')
    console.log(
      `· without a sync: ${repeated.length} repeated, ${unreadableEvents.length} unreadable, ${warnings.length} warnings`,
    )
    count = repeated.length + unreadableEvents.length + warnings.length
  }
  ok(count > 0)
})

test.run()
