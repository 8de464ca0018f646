/** Measures uploading a file of 512 MiB: speed, against only hashing and writing it, and memory. */
import { createHash } from 'node:crypto'
import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { startProcess } from '../test/process/daemon.ts'
import type { Figure } from './figure.ts'
import { sendOnce } from './load.ts'

const mebi = 1024 * 1024
const size = 512 * mebi
const chunk = Buffer.alloc(mebi, 0xa5)

export const upload = async (): Promise<readonly Figure[]> => {
  const daemon = await startProcess()
  const creation = await sendOnce(undefined, {
    url: `${daemon.url}/api/persona/create`,
    method: 'POST',
    body: () => JSON.stringify({ name: 'Ada', thinking_model: 'embedded/practice' }),
  })
  const url = `${daemon.url}/api/persona/${JSON.parse(creation).persona.id}/attach?wait=0`
  // Loads code that only the first upload needs.
  await send(url, mebi)
  const { pid } = daemon.child
  const memoryBefore = await megabytes(pid, 'VmRSS')
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  const perSecond = await rate(() => send(url, size))
  const peak = await megabytes(pid, 'VmHWM')
  const disk = await rate(() => write(join(daemon.home, 'plain')))
  await daemon.kill('SIGTERM')
  await rm(daemon.home, { recursive: true, force: true })
  return [
    {
      label: 'upload, 512 MiB',
      value: perSecond,
      unit: 'MB/s',
      baseline: { label: 'hashed, written and synced alone', value: disk },
      goal: '≥ 0.3 × that',
      isMet: perSecond >= 0.3 * disk,
    },
    {
      label: 'upload, 512 MiB, max additional memory',
      value: peak - memoryBefore,
      unit: 'MB',
      goal: '< 60 MB',
      isMet: peak - memoryBefore < 60,
    },
  ]
}

const rate = async (act: () => Promise<void>): Promise<number> => {
  const startedAt = performance.now()
  await act()
  return size / mebi / ((performance.now() - startedAt) / 1000)
}

const megabytes = async (pid: number | undefined, field: string): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
}

const send = (url: string, bytes: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const head = '--frame\r\nContent-Disposition: form-data; name="file"; filename="long.bin"\r\n\r\n'
    const tail = '\r\n--frame--\r\n'
    const headers = {
      'Content-Type': 'multipart/form-data; boundary=frame',
      'Content-Length': head.length + bytes + tail.length,
    }
    const httpRequest = request(url, { method: 'POST', headers }, (response) => {
      response.resume()
      if (response.statusCode === 200) response.on('end', resolve)
      else reject(new Error(`answered with ${response.statusCode}`))
    })
    httpRequest.on('error', reject)
    Readable.from(parts(head, bytes, tail), { objectMode: false }).pipe(httpRequest)
  })

function* parts(head: string, bytes: number, tail: string) {
  yield Buffer.from(head)
  for (let bytesLeft = bytes; bytesLeft > 0; bytesLeft -= chunk.length) yield chunk
  yield Buffer.from(tail)
}

const write = async (path: string): Promise<void> => {
  const file = await open(path, 'w')
  const hash = createHash('sha256')
  for (let bytesLeft = size; bytesLeft > 0; bytesLeft -= chunk.length) {
    hash.update(chunk)
    await file.writeFile(chunk)
  }
  await file.sync()
  await file.close()
}
