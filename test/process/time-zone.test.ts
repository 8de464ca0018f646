/** The built daemon with values of TZ for which Node reports no zone: it answers, and warns. */
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import { is, match, ok } from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { runDaimon } from './daemon.ts'
import { endAll, newHome, startDaemonProcess, type World } from './setup.ts'

const test = suite<World>('time zone', { ends: [] })
test.after.each(endAll)

const expectPlan = async (world: World, TZ: string, zone: RegExp | string) => {
  const daemon = await startDaemonProcess(world, { env: { TZ } })
  const ask = (method: 'GET' | 'POST', path: string, body?: unknown) => call(daemon.url, method, path, body)
  const creation = await ask('POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'embedded/practice',
  })
  is(creation.status, 200, `${TZ}: ${JSON.stringify(creation.body)}`)
  const path = `/api/persona/${creation.body.persona.id}`
  const reply = await ask('POST', `${path}/read?wait=20`, {
    message: 'Remind me in two hours to water the plants.',
  })
  match(JSON.stringify(reply.body), /water the plants/, TZ)
  const times = [Date.now(), Date.now() + 86_400_000].map((time) => new Date(time).toISOString())
  const calendar = await ask('GET', `${path}/calendar?start=${times[0]}&end=${times[1]}`)
  match(JSON.stringify(calendar.body), /water the plants/, TZ)
  const health = (await ask('GET', '/api/health')).body
  match(health.zone, zone, TZ)
  return { daemon, health }
}

test('answers and plans under values of TZ for which Node reports no zone', async (world) => {
  const copiedZone = join(await newHome(world), 'localtime')
  await copyFile('/usr/share/zoneinfo/Europe/Berlin', copiedZone)
  const values = {
    [`:${copiedZone}`]: 'Europe/Berlin',
    'CET-1CEST,M3.5.0,M10.5.0/3': 'Europe/Berlin',
    '': /./,
  }
  for (const [TZ, zone] of Object.entries(values)) {
    const { daemon, health } = await expectPlan(world, TZ, zone)
    is(JSON.stringify(health.warnings), '[]', TZ)
    await daemon.kill('SIGTERM')
  }
})

test('reports an invalid TZ in the log, in /api/health and in doctor', async (world) => {
  const { daemon, health } = await expectPlan(world, 'Mars/Phobos', /./)
  match(health.warnings.join(), 'TZ is "Mars/Phobos"')
  await waitFor('the warning in the log', () => daemon.stderr().includes('Mars/Phobos'))
  const doctor = await runDaimon({
    args: ['doctor', '--json', '--url', daemon.url],
    home: daemon.home,
    env: { TZ: 'Mars/Phobos' },
  }).whenEnded
  const { findings } = JSON.parse(doctor.stdout)
  ok(
    findings.some(
      ({ what, state, told: message }: Record<string, string>) =>
        what === 'daemon' && state === 'amiss' && message?.includes('Set TZ to the name of a zone'),
    ),
    doctor.stdout,
  )
})

test.run()
