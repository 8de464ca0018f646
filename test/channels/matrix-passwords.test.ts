/** The password of a login stays in memory only while the upload of the first keys may need it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import * as assert from 'uvu/assert'
import { createNetwork } from '../../packages/kit/network/network.ts'
import { connectMatrix } from '../../src/channels/matrix/connect.ts'
import { createLoginPasswords } from '../../src/channels/matrix/login-passwords.ts'
import { createFakeClock } from '../clock.ts'
import type { MatrixStandIn } from '../stand-ins/matrix.ts'
import { createMatrixHouse, matrixSuite } from './matrix-house.ts'

const test = matrixSuite('Matrix passwords')

const password = 'ada-password'

test('removes a password after 10 minutes without a call', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    // The clock stands still, so only the timer can remove it.
    const passwords = createLoginPasswords({ now: () => 0 })
    passwords.add('first', password)
    mock.timers.tick(6 * 60_000)
    passwords.add('second', password)
    passwords.add('first', 'newer-password')
    mock.timers.tick(6 * 60_000)
    assert.equal([passwords.get('first'), passwords.get('second')], ['newer-password', password])
    mock.timers.tick(4 * 60_000)
    assert.equal([passwords.get('first'), passwords.get('second')], [null, null])
  } finally {
    mock.timers.reset()
  }
})

const fail = (on: RegExp, status: number, body: object) => (matrix: MatrixStandIn) =>
  void matrix.faults.next.push({ on, fault: { status, body } })

const outcomes: Readonly<
  Record<string, readonly [isKept: boolean, prepare: (matrix: MatrixStandIn) => void]>
> = {
  'a later sync has used it': [false, fail(/device_signing/, 500, {})],
  'the server rejects the token': [false, fail(/whoami/, 401, { errcode: 'M_UNKNOWN_TOKEN' })],
  'the token has no device': [false, ({ faults }) => void Object.assign(faults, { noDevice: true })],
  'the server fails, since it is tried again': [true, fail(/whoami/, 503, {})],
}

for (const [name, [isKept, prepare]] of Object.entries(outcomes))
  test(`${isKept ? 'keeps' : 'removes'} the password when ${name}`, async (context) => {
    const { matrix, ada, token } = await createMatrixHouse(context)
    const folder = await mkdtemp(join(tmpdir(), 'matrix-'))
    const network = createNetwork({ env: {} })
    context.open.push(network.close, () => rm(folder, { recursive: true, force: true }))
    matrix.faults.openSigning = false
    prepare(matrix)
    const passwords = createLoginPasswords(createFakeClock())
    passwords.add(token, password)
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
    const connection = await connectMatrix(
      { homeserver: matrix.url, token, device: 'ADADEVICE', zone: 'machine', login: 'password' },
      { id: ada.id, name: 'ada' },
      { network, log, passwords, folder, signal: new AbortController().signal },
    ).catch(() => null)
    const crypto = connection?.crypto
    for (let n = 0; n < 10 && crypto?.identityTrouble === 'passing'; n++)
      await crypto.receiveSync({
        toDevice: [],
        deviceLists: {},
        oneTimeKeyCounts: {},
        unusedFallbackKeys: undefined,
      })
    assert.is(crypto?.identityTrouble ?? null, null)
    assert.is(passwords.get(token), isKept ? password : null)
    await crypto?.close()
  })

test.run()
