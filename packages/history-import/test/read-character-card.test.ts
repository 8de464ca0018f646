/** Character cards as the text of a character: versions 1 to 3, JSON and PNG, and files that are none. */
import { deflateSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { CardUnreadable, readCharacterCard } from '../read-character-card.ts'
import { cardPng, png } from './made-forms.ts'

const limits = { maxText: 4000, maxGreeting: 4000, maxEntries: 200, maxEntryText: 1000, maxLore: 100_000 }
const read = (file: Buffer | object) =>
  readCharacterCard(Buffer.isBuffer(file) ? file : Buffer.from(JSON.stringify(file)), limits)
const refusal = async (file: Buffer | object): Promise<string> => {
  try {
    await read(file)
    return ''
  } catch (error) {
    if (!(error instanceof CardUnreadable)) throw error
    return error.message
  }
}

const vera = {
  name: 'Vera',
  description: '{{char}} is a retired sailor.\r\n{{random:a,b}}She mends nets.',
  personality: 'gruff',
  scenario: '<USER> meets <BOT> in a harbour.',
  first_mes: 'Ahoy, {{user}}!',
  mes_example:
    '<START>\n{{user}}: Hello\n{{char}}: Mind the rope.\nIt is wet.\n\n<START>\nVera: No.\n{{char}}: Tea?',
}
const v2 = (data: object) => ({ spec: 'chara_card_v2', spec_version: '2.0', data: { ...vera, ...data } })

test('reads the fields of a card into one text, and the first message as the greeting', async () => {
  const expected = [
    '{{char}} is a retired sailor.',
    'She mends nets.',
    'Personality: gruff',
    'Scenario: {{user}} meets {{char}} in a harbour.',
    'Examples of how {{char}} speaks: ',
    '- Mind the rope. It is wet.',
    '- No.',
    '- Tea?',
  ].join('\n')
  for (const card of [vera, v2({}), { ...v2({}), spec: 'chara_card_v3', spec_version: '3.0' }])
    assert.equal(await read(card), {
      name: 'Vera',
      text: expected,
      greeting: 'Ahoy, {{user}}!',
      lore: [],
      cut: [],
      loreLeftOut: 0,
    })
})

test('reads a card within a picture, compressed or not, and prefers the newer version', async () => {
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
  const zTXt = (keyword: string, text: string) =>
    ['zTXt', Buffer.concat([Buffer.from(`${keyword}\0\0`), deflateSync(text)])] as const
  const tEXt = (keyword: string, text: string) => ['tEXt', Buffer.from(`${keyword}\0${text}`)] as const
  assert.is((await read(cardPng(v2({})))).name, 'Vera')
  assert.is((await read(png([zTXt('chara', base64(v2({ name: 'Zed' })))]))).name, 'Zed')
  const bothFormats = png([
    tEXt('chara', base64(v2({}))),
    tEXt('ccv3', base64({ ...v2({ nickname: 'Vee' }), spec: 'chara_card_v3' })),
  ])
  assert.is((await read(bothFormats)).name, 'Vee')
})

test('cuts a long card, keeps a part of each field, and reports what is missing', async () => {
  const words = 'word '.repeat(2000).trim()
  const card = await read(v2({ description: words, personality: words, first_mes: words }))
  assert.ok(card.text.length <= 4000)
  for (const part of ['word word', 'Personality: word', 'Scenario: ', 'Tea?'])
    assert.ok(card.text.includes(part), part)
  assert.equal(
    card.cut.map(({ field }) => field),
    ['description', 'personality', 'first_mes'],
  )
  const [description] = card.cut
  assert.ok((description?.characters ?? 0) > 6000)
  assert.ok(card.greeting.length <= 4000)
})

test('reads the entries of a lorebook, without disabled ones, patterns and entries without keys', async () => {
  const entry = (keys: readonly string[], content: string, fields = {}) => ({
    keys,
    content,
    enabled: true,
    insertion_order: 10,
    ...fields,
  })
  const { lore, loreLeftOut } = await read(
    v2({
      character_book: {
        entries: [
          entry(['harbour', 'port'], '@@depth 4\nThe harbour is old.'),
          entry(['net'], 'Nets are dear.', { insertion_order: 1 }),
          entry(['off'], 'Not this.', { enabled: false }),
          entry(['^a+$'], 'A pattern.', { use_regex: true }),
          entry([], 'No keys.'),
          entry(['long'], 'x'.repeat(3000)),
          'nonsense',
        ],
      },
    }),
  )
  assert.equal(lore.slice(0, 2), [
    { keys: ['net'], text: 'Nets are dear.' },
    { keys: ['harbour', 'port'], text: 'The harbour is old.' },
  ])
  assert.is(lore[2]?.text.length, 1000)
  assert.is(loreLeftOut, 4)
})

test('stays within the limits of a lorebook of any size', async () => {
  const entries = Array.from({ length: 500 }, (_, n) => ({ keys: [`key${n}`], content: 'y'.repeat(900) }))
  const { lore, loreLeftOut } = await read(v2({ character_book: { entries } }))
  assert.ok(lore.length > 100 && lore.length <= 200)
  assert.is(lore.length + loreLeftOut, 500)
})

test('refuses other files with one sentence', async () => {
  const cardBytes = cardPng(v2({}))
  const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024, 'A'))
  const rows: readonly (readonly [Buffer | object, RegExp])[] = [
    [{ hello: 1 }, /^This is not a character card\./],
    [{ spec: 'lorebook_v3', data: { entries: [] } }, /^This is not a character card\./],
    [Buffer.from('Vera, a sailor'), /^This is not a character card\./],
    [Buffer.alloc(0), /^This is not a character card\./],
    [Buffer.from('{"spec": "chara_card_v2", "da'), /damaged or not complete/],
    [cardBytes.subarray(0, cardBytes.length - 40), /damaged or not complete/],
    [Buffer.from(cardBytes).fill(0, 60, 80), /damaged or not complete/],
    [png([]), /no character card in this picture/],
    [png([['zTXt', Buffer.concat([Buffer.from('chara\0\0'), bomb])]]), /too large/],
    [png([['zTXt', Buffer.from('chara\0\0not compressed')]]), /damaged or not complete/],
    [v2({ description: 'x'.repeat(2 * 1024 * 1024) }), /too large: its text may have 1 MB/],
    [Buffer.from('PK\u0003\u0004rest', 'latin1'), /archive/],
    [v2({ description: '', personality: '', scenario: '', mes_example: '' }), /says nothing/],
  ]
  for (const [file, expected] of rows) assert.match(await refusal(file), expected)
})

test.run()
