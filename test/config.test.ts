/** Invalid settings are refused at the start, in one line that names the variable. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ConfigError, readConfig } from '../src/config.ts'

const refusal = (name: string, value: string): string => {
  let line = ''
  try {
    readConfig({ [name]: value })
  } catch (error) {
    assert.instance(error, ConfigError)
    line = (error as Error).message
  }
  assert.match(line, new RegExp(`^${name} must [^\\n]+$`), `${name}=${JSON.stringify(value)}`)
  return line
}

test('an allowed host is a host name or an address, as a Host header has it', () => {
  const hosts = (value: string) => readConfig({ DAIMON_ALLOWED_HOSTS: value }).allowedHosts
  assert.equal(hosts('Ada.Example.net, box_1\n10.0.0.7 machine.tail1234.ts.net'), [
    'ada.example.net',
    'box_1',
    '10.0.0.7',
    'machine.tail1234.ts.net',
  ])
  assert.equal(hosts('FD00:0:0::1 [::ffff:10.0.0.7] bücher.example'), [
    '[fd00::1]',
    '[::ffff:a00:7]',
    'xn--bcher-kva.example',
  ])
  assert.equal(hosts(' , '), [])
})

/** HOME as a shell variable with braces. */
const braced = '$HOME'.replace('HOME', '{HOME}')

// Fails on an older version: none of them was refused.
const nonsense: Readonly<Record<string, readonly string[]>> = {
  DAIMON_ALLOWED_HOSTS: [
    ...['*', '*.example.net', '.example.net', 'example.net.', 'a..b', '-a', 'a-', 'a'.repeat(64)],
    ...['https://ada.example.net', 'ada.example.net:443', 'ada.example.net/', 'user@host', 'a;b', '%'],
    ...['127.1', '1.2.3.256', '0x7f.1', '2130706433', '[10.0.0.7]', '[::1', 'fd00::zz', 'good.example,*'],
  ],
  OLLAMA_HOST: ['foo bar:1:2', 'http://a:b:c', '[::1', 'host:99999', 'a:', 'a b'],
  OLLAMA_BASE_URL: ['http://x/?a=b', 'http://x/#c', 'http:x', 'http:///x', 'http://x y', 'x', 'ftp://x'],
  ANTHROPIC_BASE_URL: ['https://x/v1?key=hunter2', 'https://u:hunter2@x', 'hunter2'],
  TELEGRAM_API_BASE_URL: ['https://x?hunter2'],
  DAIMON_ADVERTISE: ['somewhere', 'http://x?y'],
  DAIMON_CLUSTER: ['A B'],
  DAIMON_CLUSTER_SHARDS: ['banana', '0', '1.5'],
  DAIMON_CLUSTER_REPLICAS: ['6', '-1'],
  OPENAI_API_KEY: ['hunter2 hunter3', 'hunter2\nhunter3', 'hunter2é', '“hunter2”'],
  HTTP_PROXY: ['proxy:3128', 'foo bar', 'ftp://hunter2', 'http://'],
  https_proxy: ['u:hunter2@proxy', '//proxy'],
  DAIMON_HOME: [
    '~',
    '~/.daimon',
    '$HOME',
    `${braced}/a`,
    '~ada',
    '$DATA/a',
    '$HOMER',
    braced.slice(0, -1),
    '  ',
  ],
  DAIMON_SKILLS: ['~/skills', '~ada/skills'],
  WEB_PORT: ['x', '70000', '65536', '-1', '1.5', '0x50', '5370 '],
  DAIMON_MAX_JSON: ['1e6', '-1', '1 MB', '999999999999', '0'],
  DAIMON_MAX_BODIES: ['32MiB', '0', '-1'],
  DAIMON_MAX_CHAT: ['20MiB', '999999999999'],
  DAIMON_CONTEXT: ['0', '16k', '2047', '-1'],
  DAIMON_KEEP_ALIVE: ['-2', '10 m', '1d', 'forever'],
  DAIMON_GREETING: ['yes', '1'],
  DAIMON_WARM_UP: ['yes', '1'],
  DAIMON_PROFILE: ['small', '1'],
  DAIMON_KEEP_CALLS_DAYS: ['a week', '-1', '1.5'],
  DAIMON_DAILY_TOKENS: ['0', '1k'],
  DAIMON_LOG_LEVEL: ['verbose'],
}
for (const [name, values] of Object.entries(nonsense))
  test(`${name}: refuses invalid values without repeating a secret`, () => {
    for (const value of values) assert.not.match(refusal(name, value), 'hunter')
  })

test('an empty --port is refused, and not replaced by WEB_PORT', () => {
  assert.throws(() => readConfig({ WEB_PORT: '1' }, { port: '' }), /^--port must be a port number/)
})

test('~ and $HOME at the beginning of a path are the home directory, and no path depends on the folder', () => {
  const HOME = '/home/ada'
  const readHome = (DAIMON_HOME: string) => readConfig({ HOME, DAIMON_HOME }).home
  for (const value of ['~', '$HOME', braced, '~/', '/home/ada'])
    assert.is(readHome(value).replace(/\/$/, ''), HOME)
  for (const value of ['~/a b/.daimon', '$HOME/a b/.daimon', `${braced}/a b/.daimon`])
    assert.is(readHome(value), '/home/ada/a b/.daimon')
  assert.is(readHome('data/~/$HOME'), join(process.cwd(), 'data/~/$HOME'))
  assert.is(readHome('./~'), join(process.cwd(), '~'))
  assert.is(readConfig({ HOME }).home, '/home/ada/.daimon')
  assert.is(readConfig({ HOME, DAIMON_SKILLS: '$HOME/skills' }).skillsFolder, '/home/ada/skills')
  const { cluster } = readConfig({
    HOME,
    DAIMON_NATS: 'nats://10.0.0.1',
    DAIMON_CLUSTER_KEY: '~/key',
    DAIMON_NATS_CREDENTIALS: `${braced}/creds`,
    DAIMON_NATS_CA: 'ca.pem',
  })
  assert.equal(
    [cluster?.key, cluster?.credentials, cluster?.authority],
    ['/home/ada/key', '/home/ada/creds', join(process.cwd(), 'ca.pem')],
  )
})

test('a home directory that is not set or is relative is refused with advice', () => {
  for (const HOME of ['', 'ada'])
    assert.throws(
      () => readConfig({ HOME }),
      /^DAIMON_HOME must be an absolute path, such as .* no home directory$/,
    )
  assert.throws(
    () => readConfig({ DAIMON_HOME: '~/daimon' }),
    /^DAIMON_HOME must be an absolute path, such as .*, because HOME is not set and it begins with ~$/,
  )
})

test('accepts valid values', () => {
  const { home, skillsFolder, urls, keys } = readConfig({
    DAIMON_HOME: 'a~b',
    OLLAMA_HOST: '[::]:1234',
    OPENAI_API_KEY: ' sk-a_b.c/d+e= ',
    GOOGLE_API_KEY: 'AIza',
    GEMINI_API_KEY: ' ',
    HTTPS_PROXY: 'http://u:p@proxy:3128',
    HTTP_PROXY: 'socks5://127.0.0.1:1080',
    OPENAI_BASE_URL: 'https://[::1]:1/a/v1/',
  })
  assert.is(home, join(process.cwd(), 'a~b'))
  assert.is(skillsFolder, join(homedir(), '.agents', 'skills'))
  assert.equal([urls.local, urls.openai], ['http://[::1]:1234', 'https://[::1]:1/a'])
  assert.equal([keys.openai, keys.gemini], ['sk-a_b.c/d+e=', 'AIza'])
  assert.is(readConfig({ OLLAMA_HOST: 'https://box' }).urls.local, 'https://box:443')
})

test.run()
