/**
 * A process that encrypts, sends and reads until it is killed. Writes to the disk reach the file only with a
 * sync, as after a power failure. With `broken`, a sync reports success before it happened.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, type Json, openDevice, silentLog } from './crypto-device.ts'

const [accountText = '', room = '', membersText = '', mode = ''] = process.argv.slice(2)
const account = JSON.parse(accountText) as Account
const members = JSON.parse(membersText) as string[]
/** Time of a sync that has not happened when it reports success. */
const brokenDelayMs = 3000

const delayWritesUntilSync = async () => {
  const file = await open(process.execPath, 'r')
  await file.close()
  const prototype = Object.getPrototypeOf(file) as FileHandle
  const { sync } = prototype
  const write = prototype.write as (...input: [Buffer, number, number, number]) => Promise<unknown>
  const waitingWrites = new Map<FileHandle, (() => Promise<unknown>)[]>()
  const writeLater = function (this: FileHandle, bytes: Buffer, start: number, length: number, to: number) {
    const copy = Buffer.from(bytes)
    const works = waitingWrites.get(this) ?? []
    works.push(() => write.call(this, copy, start, length, to))
    waitingWrites.set(this, works)
    return Promise.resolve({ bytesWritten: length, buffer: bytes })
  }
  prototype.write = writeLater as typeof prototype.write
  const writeNow = async (handle: FileHandle) => {
    for (const work of waitingWrites.get(handle)?.splice(0) ?? []) await work()
  }
  prototype.sync = async function (this: FileHandle) {
    await writeNow(this)
    return sync.call(this)
  }
  prototype.datasync = async function (this: FileHandle) {
    if (mode === 'broken') return void setTimeout(() => void writeNow(this), brokenDelayMs)
    await writeNow(this)
    return sync.call(this)
  }
}

const positionFile = join(account.folder, 'position')
const readPosition = (): string => {
  try {
    return readFileSync(positionFile, 'utf8')
  } catch {
    return ''
  }
}

const say = (line: string) => appendFileSync(process.stdout.fd, `${line}\n`)

await delayWritesUntilSync()
say('begun')
const warn = ({ err }: { err?: unknown }, line: string) => say(`warning ${line} ${String(err)}`)
const device = await openDevice({ ...account, log: { ...silentLog, warn } }, readPosition())
say('ready')
for (let i = 0; ; i++) {
  const { keys, events, position } = await device.fetchSync()
  await device.crypto.receiveSync(keys)
  writeFileSync(positionFile, position)
  for (const event of events.filter((event: Json) => event.type === 'm.room.encrypted'))
    await device.crypto.decrypt(room, event)
  const settings = { algorithm: 'm.megolm.v1.aes-sha2', rotation_period_msgs: 20 }
  const texts = [`${i} a`, `${i} b`, `${i} c`]
  await Promise.all(texts.map((text) => device.send(room, members, text, settings)))
  say('sent')
}
