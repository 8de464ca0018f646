/** The portrait of a persona in commands, copies, backups and past moments. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toForm } from '../forms.ts'
import { standIn } from '../http/stand-in.ts'
import { exportDiary, firstPhrase, migrate } from './diaries.ts'
import { type Answer, shareSetup, unknownPersona } from './setup.ts'

const png = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(33)
  header.write('89504e470d0a1a0a0000000d49484452', 'hex')
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  return Buffer.concat([header, Buffer.from('0000000049454e44ae426082', 'hex')])
}
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const small = png(64, 64)

const wishes: string[] = []
const talker = standIn()
const models = {
  ...talker,
  imagination: () => ({
    draw: async (wish: string) => {
      wishes.push(wish)
      const usage = { input: 10, output: null, cached: null, made: { unit: 'image', count: 1 } } as const
      return { bytes: png(512, 512), mime: 'image/png', usage }
    },
  }),
}
const setup = shareSetup(test, { models, newPhrase: firstPhrase })
const otherDaemon = shareSetup(test, { newPhrase: firstPhrase })
test.before.each(() => {
  wishes.length = 0
})

const put = async (
  personaPath: string,
  content: Buffer | string,
  { source, filename = 'me.png' }: { source?: string; filename?: string } = {},
): Promise<Answer> => {
  const form = toForm([
    { name: 'portrait', filename, type: 'image/png', content },
    ...(source === undefined ? [] : [{ name: 'source', content: source }]),
  ])
  const { status, text } = await setup.send({ method: 'PUT', path: `${personaPath}/portrait`, ...form })
  return [status, JSON.parse(text)]
}
const remove = async (personaPath: string): Promise<Answer> => {
  const { status, text } = await setup.send({ method: 'DELETE', path: `${personaPath}/portrait` })
  return [status, JSON.parse(text)]
}
const getPicture = (path: string, headers = {}) => setup.send({ path, headers })
const toId = (personaPath: string) => personaPath.split('/').at(-1) ?? ''
const view = async (personaPath: string) => (await setup.view(toId(personaPath))).portrait
const seqOf = async (personaPath: string, title: string): Promise<number> => {
  const facts = await setup.facts(toId(personaPath))
  return facts.map((fact) => JSON.parse(fact)).findLast((fact) => fact.title === title)?.seq
}

test('shows a chosen portrait in the list and serves it under an address that can be cached', async () => {
  const home = await setup.home()
  assert.is(await view(home), null)
  const [status, portrait] = await put(home, small)
  assert.is(status, 200)
  assert.equal(await view(home), portrait)
  assert.is(portrait.mime, 'image/png')
  assert.is(portrait.bytes, small.length)
  const { status: found, headers } = await getPicture(portrait.url)
  assert.is(found, 200)
  assert.is(headers['content-type'], 'image/png')
  assert.match(String(headers['cache-control']), /immutable/)
  assert.is(headers['content-security-policy'], "sandbox; default-src 'none'")
  const withoutVersion = await getPicture(`${home}/portrait`)
  assert.is(withoutVersion.headers['cache-control'], 'no-cache')
  const etag = String(withoutVersion.headers.etag)
  assert.is((await getPicture(`${home}/portrait`, { 'if-none-match': etag })).status, 304)
  const [, replaced] = await put(home, gif, { filename: 'me.svg' })
  assert.is(replaced.mime, 'image/gif')
  assert.is.not(replaced.url, portrait.url)
})

test('stores no file for the same bytes', async () => {
  const home = await setup.home()
  await put(home, small)
  assert.is((await put(home, small))[0], 200)
  assert.is((await readdir(join(setup.daemon.home, 'personas', toId(home), 'media'))).length, 1)
})

test('refuses other types, damaged and huge pictures, and stores none of them', async () => {
  const home = await setup.home()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  assert.equal(await put(home, svg), [
    422,
    { detail: 'A portrait must be a PNG, JPEG, WebP or GIF picture.' },
  ])
  assert.match((await put(home, small.subarray(0, 18)))[1].detail, /PNG|damaged/)
  assert.match((await put(home, png(0, 64)))[1].detail, /damaged/)
  assert.match((await put(home, png(9000, 64)))[1].detail, /9000 × 64 pixels/)
  assert.is((await put(home, Buffer.concat([small, Buffer.alloc(6 * 1024 * 1024)])))[0], 413)
  assert.is((await put(home, small, { source: 'nowhere' }))[0], 422)
  assert.is(await view(home), null)
  const files = await readdir(join(setup.daemon.home, 'personas', toId(home), 'media')).catch(() => [])
  assert.equal(files, [])
  assert.equal(await put('/api/persona/nobody', small), unknownPersona)
  assert.is((await getPicture(`${home}/portrait`)).status, 404)
})

test('removes the portrait, and undo restores the one before', async () => {
  const home = await setup.home()
  const [, first] = await put(home, small)
  const [, second] = await put(home, gif)
  const undo = async (title: string) =>
    (await setup.post(`${home}/undo`, { seq: await seqOf(home, title) }))[0]
  assert.is(await undo('PortraitChosen'), 200)
  assert.equal(await view(home), first)
  assert.is((await getPicture(first.url)).status, 200)
  assert.equal(await remove(home), [200, null])
  assert.is(await view(home), null)
  assert.is(await undo('PortraitRemoved'), 200)
  assert.equal(await view(home), first)
  assert.is.not(second.url, first.url)
  assert.equal(await remove(home), [200, null])
  assert.equal(await remove(home), [200, null])
})

test('shows the portrait of a past moment', async () => {
  const home = await setup.home()
  await put(home, small)
  const seq = await seqOf(home, 'PortraitChosen')
  await put(home, gif)
  const { portrait } = (await setup.get(`${home}/history?at=${seq}`))[1]
  assert.is(portrait.mime, 'image/png')
  assert.is((await getPicture(portrait.url)).headers['content-type'], 'image/png')
  assert.is((await setup.get(`${home}/history?at=1`))[1].portrait, null)
})

test('keeps the portrait in a copy and a restored persona', async () => {
  const home = await setup.home()
  await put(home, small)
  const [status, fork] = await setup.post(`${home}/fork`, { name: 'Eva' })
  assert.is(status, 200)
  const forkHome = `/api/persona/${fork.persona.id}`
  const forked = await view(forkHome)
  assert.is((await getPicture(forked.url)).status, 200)
  await remove(home)
  assert.is((await getPicture(forked.url)).status, 200)

  await put(home, gif)
  const diary = await exportDiary(setup.daemon, toId(home))
  assert.is((await migrate(otherDaemon.daemon, { diary }))[0], 200)
  const portrait = (await otherDaemon.view(toId(home))).portrait
  assert.is(portrait.mime, 'image/gif')
  assert.is((await otherDaemon.send({ path: portrait.url })).status, 200)
})

test('deletes the picture when its fact is erased', async () => {
  const home = await setup.home()
  const [, portrait] = await put(home, small)
  const seq = await seqOf(home, 'PortraitChosen')
  const [status] = await setup.post(`${home}/erase`, { seqs: [seq] })
  assert.is(status, 200)
  assert.is(await view(home), null)
  assert.is((await getPicture(portrait.url)).status, 404)
  assert.equal(await readdir(join(setup.daemon.home, 'personas', toId(home), 'media')), [])
})

test('draws a proposal from the character, and records only its cost', async () => {
  const home = await setup.home({ imagination_model: 'painter', character: 'You are {{char}}, a sailor.' })
  const draw = (body: object) =>
    setup.send({
      method: 'POST',
      path: `${home}/portrait/draw`,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  const { status, headers } = await draw({ wish: 'in oil' })
  assert.is(status, 200)
  assert.is(headers['content-type'], 'image/png')
  assert.match(wishes[0] ?? '', /You are Ada, a sailor\.[\s\S]*in oil/)
  assert.is(await view(home), null)
  const { total } = (await setup.get(`${home}/usage`))[1]
  assert.is(total.images, 1)
  assert.is((await draw({ wish: 'x'.repeat(1001) })).status, 422)
  const plain = await setup.home()
  assert.equal(await setup.post(`${plain}/portrait/draw`, {}), [
    400,
    { detail: 'The persona cannot draw. Give it an Imagination in the settings, or choose a picture.' },
  ])
})

test.run()
