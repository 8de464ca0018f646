/** The addresses of this machine are those of its network cards at the moment of the call. */

import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createNetwork } from '../../packages/kit/network/network.ts'
import { addOwnListener } from '../../packages/kit/network/own-listeners.ts'
import { findRefusal, usualReach } from '../../packages/kit/network/reach.ts'
import { pageAddress } from '../../packages/web-reading/page-address.ts'

const real = os.networkInterfaces
const withCard = (address: string, family: 'IPv4' | 'IPv6') => {
  const card = { address, family, netmask: '', mac: '', internal: false, cidr: null, scopeid: 0 }
  os.networkInterfaces = () => ({ ...real(), eth9: [card] })
  syncBuiltinESMExports()
}
test.after.each(() => {
  os.networkInterfaces = real
  syncBuiltinESMExports()
})

// Seen failing with the addresses of cards left out.
test('a public address of its own is not read, as long as a card has it', () => {
  for (const [host, address, family] of [
    ['[2a00:1450::1]', '2a00:1450::1', 'IPv6'],
    ['8.8.4.4', '8.8.4.4', 'IPv4'],
  ] as const) {
    const page = () => pageAddress(`http://${host}:8080/`, undefined, usualReach)
    assert.is(page().hostname, host)
    withCard(address, family)
    assert.throws(page, /public internet/)
    os.networkInterfaces = real
    syncBuiltinESMExports()
  }
})

test('the names and the port of the daemon are refused until it is closed', () => {
  const reach = { ...usualReach, isPublic: () => true }
  const proxied = new URL('https://daimon.example/api')
  const local = new URL('http://127.1:5999/')
  assert.equal([findRefusal(proxied, 'internet', reach), findRefusal(local, 'machine', reach)], [null, null])
  const remove = addOwnListener({ port: 5999, names: ['daimon.example'] })
  assert.match(findRefusal(proxied, 'internet', reach) ?? '', 'Daimon itself')
  assert.match(findRefusal(local, 'machine', reach) ?? '', 'Daimon itself')
  assert.is(findRefusal(new URL('http://127.0.0.1:11434/'), 'machine', reach), null)
  remove()
  assert.equal([findRefusal(proxied, 'internet', reach), findRefusal(local, 'machine', reach)], [null, null])
})

test('a proxy is not sent to an address that is refused', async () => {
  const network = createNetwork({ env: { HTTP_PROXY: 'http://127.0.0.1:9' } })
  const networkError = await network
    .getNamedFetch('internet')('http://192.168.1.1/')
    .catch((error: Error) => error.message)
  assert.match(String(networkError), 'public internet')
  await network.close()
})

test.run()
