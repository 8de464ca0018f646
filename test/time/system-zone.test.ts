/** The zone of this machine: every form of TZ that the C library accepts, and what to do about the others. */
import { copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { localTimeAt, toInstant } from '../../packages/kit/time/local-time.ts'
import { resolveZone, type ZoneSources } from '../../packages/kit/time/system-zone.ts'
import { knownZone } from '../../packages/kit/time/zone-name.ts'
import { offsetAt } from '../../packages/kit/time/zone-offset.ts'
import { tempHome } from '../daemon.ts'

const test = suite<{ folder: string }>('system zone', { folder: '' })
test.before.each(async (world) => {
  world.folder = await tempHome()
})
test.after.each(({ folder }) => rm(folder, { recursive: true, force: true }))

const zoneinfo = '/usr/share/zoneinfo'
const nowEpoch = Date.UTC(2026, 10, 27)
const sources = (folder: string, fields: Partial<ZoneSources> = {}): ZoneSources => ({
  tz: undefined,
  reported: undefined,
  platform: 'linux',
  now: nowEpoch,
  paths: { localtime: join(folder, 'localtime'), timezone: join(folder, 'timezone'), zoneinfo },
  ...fields,
})

test('understands each form of TZ, whatever Node reports for it', ({ folder }) => {
  const forms: readonly (readonly [tz: string, zone: string])[] = [
    ['Europe/Berlin', 'Europe/Berlin'],
    [':Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['Europe/Berlin ', 'Europe/Berlin'],
    ['"Europe/Berlin"', 'Europe/Berlin'],
    ["':Europe/Berlin'", 'Europe/Berlin'],
    ['/usr/share/zoneinfo/Europe/Berlin', 'Europe/Berlin'],
    [':/usr/share/zoneinfo/posix/Europe/Berlin', 'Europe/Berlin'],
    ['right/Europe/Berlin', 'Europe/Berlin'],
    ['UTC', 'UTC'],
    ['UTC0', 'UTC'],
    ['UTC+3', 'Etc/GMT+3'],
    ['GMT-2', 'Etc/GMT-2'],
    ['EST5', 'Etc/GMT+5'],
    ['<+03>-3', 'Etc/GMT-3'],
    ['<+0530>-5:30', 'Asia/Kolkata'],
    ['EST5EDT,M3.2.0,M11.1.0', 'America/New_York'],
    ['CET-1CEST,M3.5.0,M10.5.0/3', 'Europe/Berlin'],
    ['CET-1CEST', 'Europe/Berlin'],
    ['GMT0BST,M3.5.0/1,M10.5.0', 'Europe/London'],
    ['EET-2EEST,M3.5.0/3,M10.5.0/4', 'Europe/Athens'],
    ['AEST-10AEDT,M10.1.0,M4.1.0/3', 'Australia/Sydney'],
    ['NZST-12NZDT,M9.5.0,M4.1.0/3', 'Pacific/Auckland'],
    ['NST3:30NDT,M3.2.0,M11.1.0', 'America/St_Johns'],
    ['<-02>2<-01>,M3.5.0/-1,M10.5.0/0', 'America/Godthab'],
    ['JST-9', 'Etc/GMT-9'],
  ]
  for (const [tz, zone] of forms)
    for (const reportedZone of [undefined, 'Etc/Unknown', 'UTC', 'GMT-02:00'])
      equal(
        resolveZone(sources(folder, { tz, reported: reportedZone })),
        { zone: findZone(zone), warning: null },
        tz,
      )
})

/** The name of Nuuk depends on the version of Node. */
const findZone = (zone: string): string =>
  zone === 'America/Godthab' && Intl.supportedValuesOf('timeZone').includes('America/Nuuk')
    ? 'America/Nuuk'
    : zone

test('keeps what Node reports if TZ is a name or is not set, and everything on macOS and Windows', ({
  folder,
}) => {
  is(resolveZone(sources(folder, { tz: 'CET', reported: 'Europe/Brussels' })).zone, 'Europe/Brussels')
  is(resolveZone(sources(folder, { reported: 'Asia/Tokyo' })).zone, 'Asia/Tokyo')
  for (const platform of ['darwin', 'win32'] as const)
    equal(resolveZone(sources(folder, { platform, tz: 'UTC+3', reported: 'Europe/Rome' })), {
      zone: 'Europe/Rome',
      warning: null,
    })
})

test('reads the link, the content or the name of the zone of this machine if TZ is empty', async ({
  folder,
}) => {
  const { localtime, timezone } = sources(folder).paths
  const zone = (tz: string | undefined, reportedZone?: string) =>
    resolveZone(sources(folder, { tz, reported: reportedZone }))
  await writeFile(timezone, 'Asia/Tokyo\n')
  for (const tz of [undefined, '', ' ', '""', ':'])
    equal(zone(tz, 'Etc/Unknown'), { zone: 'Asia/Tokyo', warning: null })
  await symlink(join(zoneinfo, 'America/Toronto'), localtime)
  is(zone('').zone, 'America/Toronto')
  is(zone(':/etc/localtime'.replace('/etc/localtime', localtime)).zone, 'America/Toronto')
  await rm(localtime)
  await copyFile(join(zoneinfo, 'Pacific/Chatham'), localtime)
  for (const tz of ['', undefined, `:${localtime}`, localtime, 'localtime'])
    equal(zone(tz, 'UTC'), { zone: 'Pacific/Chatham', warning: null }, String(tz))
})

test('takes the name in /etc/timezone from several zones with the same content', async ({ folder }) => {
  const paths = { ...sources(folder).paths, zoneinfo: join(folder, 'zoneinfo') }
  await mkdir(join(paths.zoneinfo, 'Europe'), { recursive: true })
  for (const name of ['Berlin', 'Copenhagen'])
    await copyFile(join(zoneinfo, 'Europe/Berlin'), join(paths.zoneinfo, 'Europe', name))
  await copyFile(join(zoneinfo, 'Europe/Berlin'), paths.localtime)
  is(resolveZone(sources(folder, { paths })).zone, 'Europe/Berlin')
  await writeFile(paths.timezone, 'Europe/Copenhagen\n')
  is(resolveZone(sources(folder, { paths })).zone, 'Europe/Copenhagen')
})

test('trusts the content where a file is mounted over the target of the link', async ({ folder }) => {
  const { paths } = sources(folder)
  await mkdir(join(folder, 'zoneinfo/Etc'), { recursive: true })
  await copyFile(join(zoneinfo, 'Asia/Tokyo'), join(folder, 'zoneinfo/Etc/UTC'))
  await symlink(join(folder, 'zoneinfo/Etc/UTC'), paths.localtime)
  is(resolveZone(sources(folder, { reported: 'UTC' })).zone, 'Asia/Tokyo')
})

test('uses the rule at the end of the file where no list of zones is installed', async ({ folder }) => {
  const { paths } = sources(folder)
  await copyFile(join(zoneinfo, 'Europe/Vienna'), paths.localtime)
  const barePaths = { ...paths, zoneinfo: join(folder, 'none') }
  is(resolveZone(sources(folder, { reported: 'UTC', paths: barePaths })).zone, 'Europe/Berlin')
})

test('warns about a value that is no zone, and uses the zone of the machine, otherwise UTC', async ({
  folder,
}) => {
  for (const tz of [
    'nonsense',
    '+03:00',
    '../../etc/passwd',
    '/dev/zero',
    '/',
    'X'.repeat(9000),
    '<+0317>-3:17',
  ]) {
    const { zone, warning } = resolveZone(sources(folder, { tz }))
    is(zone, 'UTC', tz)
    match(warning ?? '', /^TZ is ".*", which is not a time zone .*: UTC is used\. Set TZ to the name/)
    is((warning ?? '').length < 250, true)
  }
  match(resolveZone(sources(folder)).warning ?? '', 'UTC is used')
  equal(resolveZone(sources(folder, { reported: 'UTC' })), { zone: 'UTC', warning: null })
  await symlink(join(zoneinfo, 'America/Toronto'), join(folder, 'localtime'))
  const { zone, warning } = resolveZone(sources(folder, { tz: 'Mars/Phobos' }))
  is(zone, 'America/Toronto')
  match(warning ?? '', 'America/Toronto is used')
})

test('treats a zone of a fact that this Node does not know as UTC, and throws nowhere', () => {
  for (const zone of ['Mars/Phobos', '', 'Etc/Unknown', 'GMT-02:00']) {
    is(knownZone(zone), 'UTC')
    is(offsetAt(nowEpoch, zone), 0)
    is(localTimeAt(nowEpoch, zone), '2026-11-27T00:00:00')
    is(toInstant('2026-11-27T00:00', zone), nowEpoch)
  }
})

test.run()
