/** The daemon as a service: the definition for each system, and the commands that are run on this one. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDocument } from 'htmlparser2'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { managers, type ServiceMeans } from '../../src/cli/service-managers.ts'
import { printFigures } from '../ordeal.ts'
import { runDaimon } from '../process/daemon.ts'

let folder: string
test.before.each(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-'))
})
test.after.each(() => rm(folder, { recursive: true, force: true }))

/** Characters with a special meaning in each of the three formats. */
const strange = `50% of "my" $HOME & <home>`

const means = (node = process.execPath): ServiceMeans => ({
  node,
  main: join(folder, strange, 'main.js'),
  home: folder,
  environment: { DAIMON_HOME: join(folder, strange), WEB_PORT: '5371' },
  log: join(folder, strange, 'daemon.log'),
})

const getDefinition = (platform: NodeJS.Platform, serviceMeans = means()): string =>
  managers[platform]?.file(serviceMeans).words ?? ''

test('the systemd unit is valid for any paths', async () => {
  const definition = getDefinition('linux')
  assert.match(definition, /^ExecStart="\/.*" ".*50%% of \\"my\\" \$\$HOME & <home>\/main\.js"$/m)
  assert.match(definition, /^RestartPreventExitStatus=2 5$/m)
  if (spawnSync('systemd-analyze', ['--version']).status !== 0)
    return printFigures('skipped: systemd-analyze is not here, the unit was not looked at')
  const path = join(folder, 'daimon.service')
  await writeFile(path, definition)
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['--user', '--man=no', 'verify', path], {
    encoding: 'utf8',
    env: { ...process.env, XDG_RUNTIME_DIR: folder },
  })
  assert.equal([status, stdout, stderr.replace(/^.*(Failed to connect|\$HOME).*\n/gm, '')], [0, '', ''])
})

/** A node of a parsed property list. */
interface Node {
  readonly name?: string
  readonly data?: string
  readonly children?: readonly Node[]
}
const getText = ({ data, children = [] }: Node): string => data ?? children.map(getText).join('')
const parseNode = (node: Node): unknown => {
  const inner = (node.children ?? []).filter(({ name }) => name !== undefined)
  if (node.name === 'dict')
    return Object.fromEntries(
      inner.flatMap((key, index) =>
        key.name === 'key' ? [[getText(key), parseNode(inner[index + 1] ?? {})]] : [],
      ),
    )
  if (node.name === 'array') return inner.map(parseNode)
  if (node.name === 'true' || node.name === 'false') return node.name === 'true'
  return node.name === 'integer' ? Number(getText(node)) : getText(node)
}

test('the launchd property list parses to the intended values', () => {
  const serviceMeans = means()
  const document = parseDocument(getDefinition('darwin', serviceMeans), {
    xmlMode: true,
    decodeEntities: true,
  })
  const plist = (document.children as Node[]).find(({ name }) => name === 'plist')
  const [dict = {}] = (plist?.children ?? []).filter(({ name }) => name === 'dict')
  assert.equal(parseNode(dict), {
    Label: 'org.daimon.daemon',
    ProgramArguments: [serviceMeans.node, serviceMeans.main],
    EnvironmentVariables: { UV_THREADPOOL_SIZE: '16', ...serviceMeans.environment },
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    Umask: 63,
    StandardOutPath: serviceMeans.log,
    StandardErrorPath: serviceMeans.log,
  })
})

test('the Windows task sets the environment and starts the daemon', () => {
  const serviceMeans = {
    ...means('C:\\Program Files\\nodejs\\node.exe'),
    main: 'C:\\50% off\\main.js',
    log: 'C:\\a b\\daemon.log',
  }
  assert.equal(
    getDefinition('win32', { ...serviceMeans, environment: { DAIMON_HOME: 'D:\\100%' } }).split('\r\n'),
    [
      '@echo off',
      'set "DAIMON_HOME=D:\\100%%"',
      '"C:\\Program Files\\nodejs\\node.exe" "C:\\50%% off\\main.js" >> "C:\\a b\\daemon.log" 2>&1',
      '',
    ],
  )
})

/** Records calls of the system's commands by stand-ins that come first in PATH. */
const standIns = async (): Promise<{
  env: NodeJS.ProcessEnv
  getRequests: () => Promise<readonly string[]>
}> => {
  const record = join(folder, 'asked')
  for (const name of ['systemctl', 'journalctl', 'launchctl']) {
    const path = join(folder, name)
    await writeFile(
      path,
      `#!/bin/sh\necho "${name} $*" >> '${record}'\necho said by ${name}\nexit "\${FAILS:-0}"\n`,
    )
    await chmod(path, 0o755)
  }
  return {
    env: { HOME: folder, PATH: `${folder}:${process.env.PATH}` },
    getRequests: async () => (await readFile(record, 'utf8').catch(() => '')).split('\n').filter(Boolean),
  }
}

const service = (env: object, ...args: readonly string[]) =>
  runDaimon({ args: ['service', ...args], env: { ...env } }).whenEnded

if (process.platform === 'linux' || process.platform === 'darwin') {
  const manager = managers[process.platform]

  test('installs, shows, logs and removes the service, and prints each file that it writes', async () => {
    const { env, getRequests } = await standIns()
    const path = manager?.file(means()).path ?? ''
    const serviceFile = await service(env, 'install', '--print')
    assert.is(serviceFile.code, 0, serviceFile.stderr)
    assert.not.ok(existsSync(path))
    assert.equal(await getRequests(), [])

    const relative = await service(
      { ...env, HOME: '/home/ada', DAIMON_HOME: '~/daimon' },
      'install',
      '--print',
    )
    assert.match(relative.stdout, '/home/ada/daimon')
    assert.not.match(relative.stdout, '~/daimon')

    const installation = await service(
      { ...env, DAIMON_HOME: '/my/home', OPENAI_API_KEY: 'sk-secret' },
      'install',
    )
    assert.is(installation.code, 0, installation.stderr)
    const text = await readFile(path, 'utf8')
    assert.match(installation.stdout, `${path}\n\n${text}`)
    assert.match(text, '/my/home')
    assert.not.match(text, 'sk-secret')
    const installCommands = (manager?.install(path) ?? []).map((command) => command.join(' '))
    assert.equal(await getRequests(), installCommands)

    for (const subcommand of ['status', 'logs'] as const) {
      const { code, stdout } = await service(env, subcommand)
      assert.is(code, 0)
      if (subcommand === 'status' || process.platform === 'linux') assert.match(stdout, 'said by')
    }
    assert.ok((await getRequests()).includes(manager?.status.join(' ') ?? ''))

    const removal = await service(env, 'uninstall')
    assert.equal([removal.code, removal.stdout.endsWith(`removed ${path}\n`)], [0, true])
    assert.not.ok(existsSync(path))
    for (const command of manager?.uninstall(path) ?? [])
      assert.ok((await getRequests()).includes(command.join(' ')))
    assert.is((await service(env, 'uninstall')).code, 0, 'removing a service that does not exist succeeds')
  })

  test('exits with 1 and a message if the system refuses or lacks its command', async () => {
    const { env } = await standIns()
    const failedInstall = await service({ ...env, FAILS: '3' }, 'install')
    assert.is(failedInstall.code, 1)
    assert.match(failedInstall.stderr, /^daimon: \w+ .* exited with 3\n$/)
    const statusWithout = await service({ ...env, PATH: join(folder, 'empty') }, 'status')
    assert.is(statusWithout.code, 1)
    assert.match(statusWithout.stderr, /^daimon: \w+ could not be started\n$/)
  })
}

test.run()
