/** A Matrix account as its listener sees it: messages, troubles, and every text that leaves the daemon. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import { createNetwork } from '../../packages/kit/network/network.ts'
import { megolm, openDevice, type TestDevice } from '../../packages/matrix/test/crypto-device.ts'
import { toReadable } from '../../projections/message-parts.ts'
import { createMatrixPlatform } from '../../src/channels/matrix/platform.ts'
import type {
  ButtonPress,
  Gateway,
  IncomingMessage,
  Listener,
  PressResult,
} from '../../src/channels/platform.ts'
import { waitFor } from '../calls.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { createMatrixStandIn, type Json, type MatrixPerson, type MatrixStandIn } from '../stand-ins/matrix.ts'

export interface MatrixRecorder extends Listener {
  readonly messages: IncomingMessage[]
  readonly presses: ButtonPress[]
  /** Troubles, and `recovered`. */
  readonly events: string[]
  take: (message: IncomingMessage) => Promise<void>
  press: (press: ButtonPress) => Promise<PressResult | null>
}

export interface MatrixHouse {
  readonly matrix: MatrixStandIn
  readonly ada: MatrixPerson
  readonly nelly: MatrixPerson
  readonly clock: FakeClock
  readonly token: string
  readonly folder: string
  /** Every text that was logged or shown. */
  readonly lines: string[]
  /** The target of the paired chat. */
  paired: string | null
  listen(overrides?: Partial<Listener>): MatrixRecorder
  /** Default of `folder`: the folder of the account. */
  open(recorder: Listener, folder?: string): Promise<Gateway>
  /** A direct room of the user and the persona, which is paired. */
  pair(): string
  texts(recorder: MatrixRecorder): readonly string[]
  /** Resolves when the daemon has handled everything and waits for news. */
  idle(): Promise<void>
}

export interface MatrixTest {
  /** Closed after the test in reverse order. */
  open: (() => Promise<unknown>)[]
  /** Texts that must not appear in any line. */
  secrets: string[]
  lines: string[]
}

/** A suite whose tests fail if a text that leaves the daemon contains the access token. */
export const matrixSuite = (name: string) => {
  const test = suite<MatrixTest>(name, { open: [], secrets: [], lines: [] })
  test.after.each(async ({ open, secrets, lines }) => {
    for (const close of open.splice(0).reverse()) await close()
    for (const secret of secrets.splice(0)) assert.not.ok(lines.some((line) => line.includes(secret)))
    lines.splice(0)
  })
  return test
}

export const createMatrixHouse = async ({ open, secrets, lines }: MatrixTest): Promise<MatrixHouse> => {
  const matrix = await createMatrixStandIn()
  matrix.faults.openSigning = true
  const network = createNetwork({ env: {} })
  const folder = await mkdtemp(join(tmpdir(), 'matrix-'))
  const clock = createFakeClock()
  const note = (fields: object, sentence: string) => void lines.push(`${sentence} ${JSON.stringify(fields)}`)
  const log = {
    debug: note,
    info: note,
    warn: note,
    error: note,
    hide: () => {},
    mask: (text: string) => text,
    droppedLines: () => 0,
  }
  const platform = createMatrixPlatform({ network, clock, log: log satisfies DiscreetLog })
  const ada = matrix.register('ada')
  const nelly = matrix.register('nelly')
  const token = matrix.createToken(ada.id, 'ADADEVICE')
  secrets.push(token)
  open.push(matrix.close, network.close, () => rm(folder, { recursive: true, force: true }))
  const signal = new AbortController().signal

  const house: MatrixHouse = {
    matrix,
    ada,
    nelly,
    clock,
    token,
    folder,
    lines,
    paired: null,
    listen: (overrides = {}) => {
      const recorder: MatrixRecorder = {
        messages: [],
        presses: [],
        events: [],
        take: async () => {},
        press: async () => null,
        onMessage: async (message) => {
          await recorder.take(message)
          recorder.messages.push(message)
        },
        onPress: async (press) => {
          const result = await recorder.press(press)
          recorder.presses.push(press)
          return result
        },
        pairedTarget: () => house.paired,
        onTrouble: (reason) => {
          lines.push(reason)
          recorder.events.push(reason)
        },
        onRecovery: () => void recorder.events.push('recovered'),
        ...overrides,
      }
      return recorder
    },
    open: async (recorder, place = folder) => {
      const credentials = (await platform.signIn?.({ token, homeserver: matrix.url }, signal)) ?? ''
      const gateway = platform.open(credentials, await platform.check(credentials, signal), recorder, {
        folder: place,
      })
      let closing: Promise<void> | undefined
      const close = () => (closing ??= gateway.close())
      open.push(close)
      return { ...gateway, close }
    },
    pair: () => {
      const room = nelly.createRoom({ invite: [ada.id], is_direct: true, preset: 'trusted_private_chat' })
      ada.join(room)
      house.paired = room
      return room
    },
    texts: ({ messages }) => messages.map(({ parts }) => toReadable(parts)),
    idle: async () => {
      // A sync that gets news stops waiting within a turn of the event loop.
      await setImmediate()
      await waitFor('a sync that waits', async () => {
        await setImmediate()
        return matrix.syncing() > 0
      })
    },
  }
  return house
}

/** A paired encrypted room, and the device of the user. */
export const createEncryptedRoom = async (house: MatrixHouse, context: MatrixTest) => {
  const { nelly } = house
  const room = house.pair()
  nelly.sendState(room, 'm.room.encryption', megolm)
  const device = await openUserDevice(house, context, 'NELLYDEVICE')
  return { room, device, members: [nelly.id, house.ada.id] }
}

/** A device of the user with encryption. */
export const openUserDevice = async (
  { matrix, nelly }: MatrixHouse,
  { open }: MatrixTest,
  deviceId: string,
): Promise<TestDevice> => {
  const folder = await mkdtemp(join(tmpdir(), 'matrix-'))
  const token = matrix.createToken(nelly.id, deviceId)
  const device = await openDevice({
    url: matrix.url,
    userId: nelly.id,
    deviceId,
    token,
    folder,
  })
  open.push(() => rm(folder, { recursive: true, force: true }), device.close)
  await device.sync()
  return device
}

/** Returns the decrypted contents that the persona sent. */
export const readAll = async (
  { matrix, ada }: MatrixHouse,
  device: TestDevice,
  room: string,
): Promise<Json[]> => {
  await device.sync()
  const events = matrix.sentBy(ada.id, room).filter(({ type }) => type === 'm.room.encrypted')
  const contents: Json[] = []
  for (const event of events) {
    const decrypted = await device.crypto.decrypt(room, event)
    contents.push(decrypted.state === 'clear' ? decrypted.content : decrypted)
  }
  return contents
}

/** Waits for a condition while the clock runs. `ms`: its step. */
export const passTime = (
  { clock }: MatrixHouse,
  name: string,
  check: () => boolean,
  ms = 1000,
): Promise<boolean> =>
  waitFor(name, async () => {
    if (check()) return true
    await clock.advance(ms)
    return check()
  })
