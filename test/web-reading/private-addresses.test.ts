/** No byte is sent to a private address, in any notation and by any redirect or name. */
import { test } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { isPublicAddress } from '../../packages/kit/network/public-address.ts'
import { article, homeAddress, openSite, publicAddress, type Site, tryToRead } from './site.ts'

const reserved = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254'],
  ...['169.254.169.254', '169.254.0.1', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1'],
  ...['192.88.99.1', '192.168.1.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1'],
  ...['::ffff:8.8.8.8', '::ffff:7f00:1', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1', '100::1'],
  ...['2001::1', '2001:0:7f00:1::', '2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1', 'fc00::1'],
  ...['fd12:3456::1', 'fe80::1', 'fe80::1%eth0', '2606:4700::1%eth0', 'fec0::1', 'ff02::1', 'home', ''],
]
const open = ['1.1.1.1', '8.8.8.8', '100.63.0.1', '100.128.0.1', '172.15.0.1', '172.32.0.1', '192.169.0.1']
const open6 = ['2606:4700:4700::1111', '2a00:1450::1', '2001:4860:4860::8888', '2003::1']

// Fails if carrier-grade NAT is missing, and if all of IPv6 counts as public.
for (const address of reserved)
  test(`${address || 'nothing'} is not a public address`, () => is(isPublicAddress(address), false))
for (const address of [...open, ...open6])
  test(`${address} is a public address`, () => is(isPublicAddress(address), true))

const withSite = async (
  play: (site: Site) => Promise<void>,
  location = (site: Site) => site.url(homeAddress),
) => {
  const site: Site = await openSite((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: location(site) }).end()
    else response.setHeader('content-type', 'text/html').end(article())
  })
  try {
    await play(site)
    is(site.home(), 0)
  } finally {
    await site.close()
  }
}

const spellings = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '017700000001'],
  ...['127.0.0.1.', '127.0.0.01', '１２７.０.０.１', '127。0。0。1', '%31%32%37.0.0.1', '0', '0.0.0.0'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.localhost.'],
  ...[
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
  ],
  ...['user@127.0.0.1', 'user:word@127.0.0.1', 'example.org@127.0.0.1', 'example.org%40127.0.0.1'],
]

// Fails if only names are checked, and not addresses in their place.
test('refuses a private address in every notation without a request', () =>
  withSite(async (site) => {
    for (const spelling of spellings)
      for (const text of [
        site.url(spelling),
        `http:\\\\${spelling}:${site.port}/`,
        `http:${spelling}:${site.port}`,
      ])
        match(await tryToRead(site, text), 'PageUnread', text)
    equal(site.requests, [])
  }))

test('only http and https are read, and no name or password is sent', () =>
  withSite(async (site) => {
    for (const text of [
      'file:///etc/passwd',
      'ftp://a.example/',
      'data:text/html,hi',
      'a.example',
      '',
      'x'.repeat(3000),
    ])
      match(await tryToRead(site, text), 'PageUnread', text)
    match(await tryToRead(site, site.url('user:word@a.example')), 'name or password')
    equal(site.requests, [])
  }))

// Fails if the library follows redirects.
test('refuses a redirect to a private address in every notation', async () => {
  for (const spelling of spellings.filter((address) => !address.includes('%')))
    await withSite(
      async (site) => match(await tryToRead(site, site.url('a.example', '/away')), 'PageUnread', spelling),
      (site) => encodeURI(site.url(spelling)).replace(/%5B/g, '[').replace(/%5D/g, ']'),
    )
})

test('a redirect to another scheme is refused', () =>
  withSite(
    async (site) => match(await tryToRead(site, site.url('a.example', '/away')), 'only addresses'),
    () => 'file:///etc/passwd',
  ))

test('refuses a name with a private address, even if it has public ones, too', () =>
  withSite(async (site) => {
    site.names.set('home.example', [[homeAddress]])
    site.names.set('both.example', [[publicAddress, homeAddress]])
    site.names.set('none.example', [[]])
    match(await tryToRead(site, site.url('home.example')), 'public internet')
    match(await tryToRead(site, site.url('both.example')), 'public internet')
    match(await tryToRead(site, site.url('none.example')), 'name is not known')
    equal(site.requests, [])
  }))

// Fails if the name is resolved for the check and again for the connection.
test('checks the address of the connection if a name resolves differently a moment later', () =>
  withSite(
    async (site) => {
      site.names.set('turns.example', [[publicAddress], [homeAddress]])
      ok((await tryToRead(site, site.url('turns.example'))).includes('A sentence of the article'))
      match(await tryToRead(site, site.url('turns.example')), 'public internet')
      site.names.set('again.example', [[publicAddress], [homeAddress]])
      // One connection may serve both requests, or a second one is opened and checked.
      const text = await tryToRead(site, site.url('again.example', '/away'))
      ok(text.includes('A sentence of the article') || text.includes('public internet'), text)
    },
    (site) => site.url('again.example'),
  ))

test('does not resolve or contact a host that the user has not allowed', () =>
  withSite(
    async (site) => {
      site.names.set('other.example', [[homeAddress]])
      is(
        await tryToRead(site, site.url('a.example', '/away'), () => false),
        `elsewhere other.example:${site.port}`,
      )
      equal(site.requests, ['GET a.example /away'])
    },
    (site) => site.url('other.example'),
  ))

test.run()
