/** Long `data:` URLs in a JSON body stay bytes, and nothing else changes. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cutDataUrls, decodeLetters, wholeUrl, withWholeUrls } from '../../src/http/server/data-urls.ts'

const bytesOfSize = (n: number, length = 60_000) => Buffer.alloc(length, n)
const dataUrl = (data: Buffer, head = 'data:image/png;base64,') => head + data.toString('base64')

/** Cuts the long URLs out of a JSON text and puts them back. */
const cutAndRestore = async (text: string) => {
  const result = await cutDataUrls(Buffer.from(text))
  const count = result.urls.size
  const restoredUrls = JSON.parse(result.text, (_key, value) =>
    typeof value === 'string' ? wholeUrl(value, result.urls) : value,
  )
  return {
    count,
    putBack: restoredUrls,
    json: withWholeUrls(JSON.stringify(JSON.parse(result.text)), result.urls).toString(),
  }
}

test('cuts out long URLs and restores the same body', async () => {
  const body = {
    z: dataUrl(bytesOfSize(1)),
    1: dataUrl(bytesOfSize(2, 200_000)),
    list: ['Zoë', dataUrl(bytesOfSize(3, 60_001)), dataUrl(bytesOfSize(4, 60_002)), '🙂'],
    short: dataUrl(bytesOfSize(5, 10)),
  }
  const { count, putBack, json } = await cutAndRestore(JSON.stringify(body))
  assert.is(count, 4)
  assert.equal(putBack, body)
  assert.is(json, JSON.stringify(body))
})

test('decodes the base64 text in pieces', async () => {
  for (const length of [60_000, 98_304, 98_305, 300_001]) {
    const data = bytesOfSize(7, length)
    const { urls } = await cutDataUrls(Buffer.from(JSON.stringify([dataUrl(data)])))
    const [cut] = urls.values()
    assert.ok(cut)
    assert.ok(Buffer.concat([...decodeLetters(cut.letters)]).equals(data), `${length}`)
  }
})

test('keeps a URL that is not plain base64', async () => {
  const letters = bytesOfSize(1).toString('base64')
  const unchangedTexts = [
    `["data:image\\/png;base64,${letters}"]`,
    `["data:image/png;base64,${letters}\\/AAA"]`,
    `["data:image/png;base64,=${letters}"]`,
    `["data:image/png;base64,${letters} "]`,
    `["data:image/pngä;base64,${letters}"]`,
    `["data:${letters}"]`,
    JSON.stringify([`He said: "data:image/png;base64,${letters}"`]),
    JSON.stringify([`\\"data:image/png;base64,${letters}\\"`]),
  ]
  for (const text of unchangedTexts) {
    const { count, putBack } = await cutAndRestore(text)
    assert.is(count, 0, text.slice(0, 40))
    assert.equal(putBack, JSON.parse(text))
  }
})

test('uses other placeholders for each body, so that a client cannot forge them', async () => {
  const text = Buffer.from(JSON.stringify([dataUrl(bytesOfSize(1))]))
  const firstCut = await cutDataUrls(text)
  const otherResult = await cutDataUrls(text)
  assert.not.equal([...firstCut.urls.keys()], [...otherResult.urls.keys()])
})

test.run()
