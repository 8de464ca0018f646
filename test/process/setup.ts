/** Helpers for tests of daemon processes: homes, daemons that end with the test, occupied ports. */
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { tempHome } from '../daemon.ts'
import {
  type DaemonOptions,
  type DaemonProcess,
  type DaemonRun,
  type ProcessExit,
  runDaimon,
  startProcess,
} from './daemon.ts'

/** Cleanups of a test, run in reverse order. */
export interface World {
  ends: (() => unknown)[]
}

export const endAll = async ({ ends }: World): Promise<void> => {
  for (const end of ends.splice(0).reverse()) await end()
}

export const newHome = async ({ ends }: World): Promise<string> => {
  const home = await tempHome()
  ends.push(() => rm(home, { recursive: true, force: true }))
  return home
}

export const startDaemonProcess = async (
  world: World,
  options: DaemonOptions = {},
): Promise<DaemonProcess> => {
  const daemon = await startProcess({ home: await newHome(world), ...options })
  world.ends.push(() => daemon.kill('SIGKILL'))
  return daemon
}

export const runProcess = (world: World, options: DaemonOptions): DaemonRun => {
  const daemonRun = runDaimon(options)
  world.ends.push(() => daemonRun.child.kill('SIGKILL'))
  return daemonRun
}

/** Returns the exit of a daemon that should not start. A daemon that runs is killed; its code is null. */
export const expectRefusal = async (world: World, options: DaemonOptions): Promise<ProcessExit> => {
  const daemonRun = runProcess(world, { home: await newHome(world), ...options })
  const limit = setTimeout(() => daemonRun.child.kill('SIGKILL'), 20_000)
  const exit = await daemonRun.whenEnded
  clearTimeout(limit)
  assert.is(exit.stdout, '')
  return exit
}

export const expectOneLine = ({ stderr }: ProcessExit): string => {
  assert.match(stderr, /^[^\n]+\n$/)
  return stderr
}

export const occupyPort = async ({ ends }: World, host: string): Promise<number> => {
  const server: Server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  ends.push(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

export const freePort = async (world: World): Promise<number> => {
  const port = await occupyPort(world, '127.0.0.1')
  await world.ends.pop()?.()
  return port
}

export const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })

export const personas = async (url: string) => (await call(url, 'GET', '/api/personas')).body.personas
