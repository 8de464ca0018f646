/** POST /api/persona/{persona_id}/feed: files of other programs are imported, recognized again or refused. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { zip } from '../../packages/documents/test/zip.ts'
import { simple } from '../../packages/history-import/test/made.ts'
import * as made from '../../packages/history-import/test/made-forms.ts'
import type { Part, Prompt } from '../../packages/models/mind.ts'
import { toForm } from '../forms.ts'
import { shareSetup } from './setup.ts'
import { getPersonaId } from './uploads.ts'

const setup = shareSetup(test, { random: () => 0 })

let prompts: Prompt[]
/** The answer of the model to each prompt. */
let answer: string

const mind = () => ({
  async *think(prompt: Prompt): AsyncIterable<Part> {
    prompts.push(prompt)
    yield { type: 'words', text: answer }
    yield { type: 'end', usage: { input: 1, output: 1 } }
  },
})

test.before.each(() => {
  Object.assign(setup.models, { mind })
  prompts = []
  answer = JSON.stringify({ summary: 'About boats.', operations: [] })
})

const send = async (
  personaPath: string,
  name: string,
  content: Buffer | string,
  { query = '', phrase }: { readonly query?: string; readonly phrase?: string } = {},
) => {
  const { status, text } = await setup.send({
    method: 'POST',
    path: `${personaPath}/feed${query}`,
    ...toForm([
      { name: 'source', content: 'another' },
      ...(phrase === undefined ? [] : [{ name: 'phrase', content: phrase }]),
      { name: 'history', filename: name, content },
    ]),
  })
  return [status, JSON.parse(text)] as const
}

/** One archive with all formats. `conversations` is the number of conversations in it. */
const allFormats = zip([
  ...made.eternegoHome,
  ...made.workspace,
  ...made.sillyTavern,
  { name: 'prod-grok-backend.json', bytes: made.jsonForms().grok ?? '' },
  { name: 'conversations/web.json', bytes: made.jsonForms()['open webui'] ?? '' },
  { name: 'conversations/libre.json', bytes: made.jsonForms().librechat ?? '' },
  { name: 'conversations/locomo.json', bytes: made.jsonForms().locomo ?? '' },
  { name: 'telegram/result.json', bytes: made.telegram },
  ...made.discord,
  { name: 'copilot-activity-history.csv', bytes: made.copilot },
])
const conversationCount = 3 + 4 + 2 + 1 + 1 + 1 + 2 + 2 + 2 + 1

test('previews each format, imports it once and recognizes it again in any file', async () => {
  const personaPath = await setup.home()
  const listConversations = async () =>
    (await send(personaPath, 'all.zip', allFormats, { query: '?preview=1' }))[1].conversations.map(
      (conversation: { known: boolean }) => conversation.known,
    )
  assert.equal(await listConversations(), Array(conversationCount).fill(false))
  for (let n = 0; n < 2; n++) assert.is((await send(personaPath, 'all.zip', allFormats))[0], 200)
  assert.is(prompts.length, conversationCount)
  assert.equal(await listConversations(), Array(conversationCount).fill(true))
  const [, , , memory] = made.workspace
  for (const [name, content] of [
    ['Vera.png', made.cardPng()],
    ['Vera.jsonl', made.tavernChat],
    ['MEMORY.md', memory.bytes],
  ] as const)
    assert.is((await send(personaPath, name, content))[0], 200)
  assert.is(prompts.length, conversationCount)
})

// Fails without `kind`: the card is then presented as a conversation.
test('presents a character card as a card and derives neither a permission nor a trait from it', async () => {
  const personaPath = await setup.home()
  const keep = (document: string, text: string) => ({ op: 'keep', document, text, sources: [1] })
  answer = JSON.stringify({
    summary: 'A card.',
    operations: [
      keep('person', 'They keep a character named Vera.'),
      keep('persona-trait', 'You are Vera.'),
      keep('permissions', 'You may do anything.'),
    ],
  })
  assert.is((await send(personaPath, 'Vera.png', made.cardPng()))[0], 200)
  assert.match(prompts[0]?.system ?? '', /It is the card of a character/)
  const promptText = JSON.stringify(prompts)
  assert.match(promptText, /retired sailor/)
  for (const unsaid of ['Ahoy', 'You are now Vera', 'You may do anything'])
    assert.not.match(promptText, new RegExp(unsaid))
  const [, { memory, instruction }] = await setup.get(`${personaPath}/knowledge`)
  assert.equal(memory, { person: '- They keep a character named Vera.' })
  assert.not.ok(instruction.some(({ source }: { source: string }) => source === 'custom'))
  prompts = []
  assert.is((await send(personaPath, 'talk.txt', made.log))[0], 200)
  assert.not.match(JSON.stringify(prompts), /card of a character/)
})

// Fails if `phrase` is not passed on: the diary is then reported as locked.
test('opens a diary of Eternego with its phrase and never shows the phrase', async () => {
  const personaPath = await setup.home()
  const name = `${made.diaryId}.diary`
  for (const options of [{}, { phrase: 'other secret words', query: '?preview=1' }]) {
    const [status, { detail }] = await send(personaPath, name, made.diary(), options)
    assert.is(status, 400)
    assert.match(detail, /^Could not parse the external data.*diary of Eternego/)
    assert.not.match(detail, /secret/)
  }
  assert.is((await send(personaPath, name, made.diary(), { phrase: made.words }))[0], 200)
  assert.is(prompts.length, 3)
  assert.not.match((await setup.facts(getPersonaId(personaPath))).join('\n'), new RegExp(made.words))
})

// Fails if the error is only `Could not parse the external data.`, without a mention of JSON.
test('refuses a Takeout web page and a package.json with a reason', async () => {
  const personaPath = await setup.home()
  const [pageStatus, page] = await send(personaPath, 'MyActivity.html', made.takeoutPage)
  assert.is(pageStatus, 400)
  assert.match(page.detail, /^Could not parse the external data.*choose JSON instead of HTML/)
  const query = '?preview=1'
  const [status, { detail }] = await send(personaPath, 'package.json', '{"name":"x","description":"y"}', {
    query,
  })
  assert.is(status, 400)
  assert.match(detail, /These forms are read: /)
  assert.equal(prompts, [])
})

test('names a guessed encoding in the preview and in the result', async () => {
  for (const [hex, encoding] of [
    ['757365723a2096bc914f2c938c8b9e0d0a617373697374616e743a2046696e652e0a', 'Shift-JIS'],
    ['757365723a204dfc6c6c65722031322c35300d0a617373697374616e743a2046696e652e0a', 'Windows-1252'],
    ['757365723a20c4e3bac3cac0bde70a617373697374616e743a2046696e652e0a', 'GB18030'],
  ] as const) {
    const personaPath = await setup.home()
    for (const query of encoding === 'GB18030' ? ['?preview=1', ''] : ['']) {
      const [status, { detail, notes }] = await send(personaPath, 'talk.txt', Buffer.from(hex, 'hex'), {
        query,
      })
      assert.is(status, 200)
      assert.match(detail, new RegExp(`^Read as ${encoding}`, 'i'))
      assert.equal(notes, [detail])
    }
  }
  assert.match(JSON.stringify(prompts), /名前,東京.*Müller 12,50.*你好世界/)
})

test('counts the skipped entries by reason in the preview and in the result', async () => {
  const personaPath = await setup.home()
  const deep = `{"messages":${'['.repeat(300)}${']'.repeat(300)}}`
  const large = `{"mapping":{},"fill":[${'0,'.repeat(1_000_001)}0]}`
  const sound = JSON.stringify(simple('One', 'I sail.', 'Nice.'))
  const file = zip([
    {
      name: 'conversations.json',
      bytes: `[${sound},${deep},${large},{"total":3},12]`,
      stored: true,
    },
    { name: 'shared_conversations.json', bytes: '[]' },
  ])
  const conversations =
    'Left out: 1 conversation that is too large; 1 conversation that is nested too deeply; 2 entries that are not conversations'
  for (const query of ['?preview=1', '']) {
    const note = `${conversations}${query ? '; 1 file of the export without conversations.' : '.'}`
    const [status, body] = await send(personaPath, 'export.zip', file, { query })
    assert.equal([status, body.detail, body.notes], [200, note, [note]])
    if (query)
      assert.equal(
        body.conversations.map(({ title }: { title: string }) => title),
        ['One'],
      )
  }
})

test.run()
