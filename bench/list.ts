/** The list of 100 personas, against Express sending the same bytes as a constant. */
import { once as event } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import express from 'express'
import { classesOf } from '../src/http/prototypes.ts'
import { spawnDaemon } from './daemon.ts'
import { type Figure, median } from './figure.ts'
import { load, once } from './load.ts'

const personas = 100

export const list = async (): Promise<readonly Figure[]> => {
  const daemon = await spawnDaemon()
  for (let i = 0; i < personas; i++)
    await once(undefined, {
      url: `${daemon.url}/api/persona/create`,
      method: 'POST',
      body: () => JSON.stringify({ name: `Ada ${i}`, thinking_model: 'embedded/practice' }),
    })
  const url = `${daemon.url}/api/personas`
  const baseline = new Worker(new URL(import.meta.url), { workerData: await once(undefined, { url }) })
  const [constant] = (await event(baseline, 'message')) as [string]
  const ours: number[] = []
  const theirs: number[] = []
  for (let i = 0; i < 3; i++) {
    theirs.push((await load(16, 3000, { url: constant })).perSecond)
    ours.push((await load(16, 3000, { url })).perSecond)
  }
  await baseline.terminate()
  await daemon.close()
  return [
    {
      what: `GET /api/personas with ${personas} personas, 16 clients`,
      value: median(ours),
      unit: '/s',
      baseline: { what: 'Express sending the same bytes', value: median(theirs) },
      goal: '≥ 0.8 × Express',
      met: median(ours) >= 0.8 * median(theirs),
    },
  ]
}

/** Express as we run it, with nothing but the bytes. */
const serveConstant = (bytes: Buffer) => {
  const app = express()
  app.disable('x-powered-by')
  app.get('/', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length })
    response.end(bytes)
  })
  const server = createServer(classesOf(app), app)
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
}

if (!isMainThread) serveConstant(Buffer.from(String(workerData)))
