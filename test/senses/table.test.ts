/**
 * The perception table of the contract, row by row, with real files: which model gets the bytes of a file,
 * and which text the Mind gets.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { brandedPicture, phonePicture } from '../../packages/documents/test/made-others.ts'
import { clouds, hashBytes, hashFixture, readFixture, type ServerKind, shareSetup } from './setup.ts'

const setup = shareSetup(test)

/** Returns the marks of the one file in the newest prompt to the Mind, and the text between them. */
const getFileMark = (): { readonly marks: string; readonly text: string } => {
  const last = setup.callsTo('mind').at(-1)?.last ?? ''
  const matches = [...last.matchAll(/<(?:file|voice)([^>]*)>\n([\s\S]*?)\n<\/(?:file|voice)>/g)]
  assert.is(matches.length, 1, last)
  return { marks: matches[0]?.[1] ?? '', text: matches[0]?.[2] ?? '' }
}

const pictures = ['dot.png', 'dot.jpg', 'dot.gif', 'dot.webp'] as const
/** Pictures that the models of a provider do not accept. */
const unsupported: Readonly<Record<string, readonly string[]>> = {
  gemini: ['dot.gif'],
  xai: ['dot.gif', 'dot.webp'],
}

for (const eye of ['sighted', ...clouds] as const) {
  test(`sends the exact bytes of a picture to an Eye at ${eye}, and only its text to the Mind`, async () => {
    const ada = await setup.born('ollama', { eye })
    for (const name of pictures) {
      setup.forget()
      setup.answer = ({ role }) => (role === 'eye' ? `A dot in ${name}.` : 'How nice.')
      const reply = await ada.show(name)
      const [perception] = (await ada.turn()).perceptions
      if (unsupported[eye]?.includes(name)) {
        const pictureType = name.slice(4).toUpperCase()
        assert.is(
          reply,
          `The Eye could not look at “${name}”: its model takes no ${pictureType} pictures. Save it as a JPEG, and send that.`,
        )
        assert.equal([perception.outcome, setup.callsTo('mind').length], ['refused', 0])
        continue
      }
      assert.is(reply, 'How nice.')
      assert.equal(
        setup.callsTo('eye').map(({ provider, files }) => [provider, files]),
        [[eye, [await hashFixture(name)]]],
      )
      assert.match(setup.callsTo('eye')[0]?.last ?? '', `Describe this picture. It is called “${name}”.`)
      assert.equal(
        [perception.organ, perception.outcome, perception.text],
        ['eye', 'perceived', `A dot in ${name}.`],
      )
      assert.is(getFileMark().text, `A dot in ${name}.`)
      assert.match(
        getFileMark().marks,
        new RegExp(` name="${name}" file="[0-9a-f]+\\.${name.split('.')[1]}" perceived-by="eye"`),
      )
      assert.equal(setup.callsTo('mind')[0]?.files, [])
    }
  })
}

for (const [name, as] of [
  ['dot.jpg', 'dot.jpeg'],
  ['dot.png', 'DOT.PNG'],
  ['dot.png', 'scan'],
] as const) {
  test(`sends a picture named ${as} to the Eye`, async () => {
    const ada = await setup.born('ollama', { eye: 'sighted' })
    await ada.show(as, { bytes: await readFixture(name) })
    assert.equal(setup.callsTo('eye')[0]?.files, [await hashFixture(name)])
  })
}

for (const mind of ['sighted', ...clouds] as const) {
  test(`sends a picture to a Mind at ${mind} without an Eye, also in later turns`, async () => {
    const ada = await setup.born(mind)
    assert.is(await ada.show('dot.png', { caption: 'Look!' }), 'I see.')
    assert.equal(
      setup.calls.map(({ role, files }) => [role, files]),
      [['mind', [await hashFixture('dot.png')]]],
    )
    assert.match(
      setup.calls[0]?.last ?? '',
      /^Look!\n\n<file name="dot\.png" [^>]*>\nIt is attached to this message\.\n<\/file>$/,
    )
    assert.equal(
      [(await ada.turn()).perceptions[0].organ, (await ada.turn()).perceptions[0].outcome],
      ['thinking', 'shown'],
    )
    await ada.say('And now?')
    assert.equal(setup.calls.at(-1)?.files, [await hashFixture('dot.png')])
    assert.match(JSON.stringify(setup.calls.at(-1)?.messages), /It is attached to this message/)
  })
}

const phoneFile = { bytes: phonePicture, caption: 'What is it?' }
const phoneAdvice =
  'its model takes no HEIC pictures. Export it as a JPEG, and send that. On an iPhone, the setting Camera > Formats > Most Compatible makes new photos JPEGs.'

/** Returns the number of requests that a provider received. */
const countRequests = (provider: ServerKind): number =>
  provider === 'sighted' || provider === 'ollama' ? setup.calls.length : setup.standIns[provider].log.length

test('sends a picture of an iPhone unchanged to an Eye and to a Mind at gemini', async () => {
  for (const [mind, organs, role] of [
    ['ollama', { eye: 'gemini' }, 'eye'],
    ['gemini', {}, 'mind'],
  ] as const) {
    const ada = await setup.born(mind, organs)
    assert.is(await ada.show('IMG_0001.HEIC', phoneFile), 'I see.')
    assert.equal(
      setup.callsTo(role).map(({ provider, files }) => [provider, files]),
      [['gemini', [hashBytes(phonePicture)]]],
    )
    assert.is((await ada.turn()).perceptions[0].outcome, role === 'eye' ? 'perceived' : 'shown')
  }
})

for (const provider of ['sighted', 'anthropic', 'openai', 'xai'] as const) {
  test(`never sends a picture of an iPhone to ${provider}, and says how to send it instead`, async () => {
    for (const [mind, organs, name] of [
      ['ollama', { eye: provider }, 'Eye'],
      [provider, {}, 'Mind'],
    ] as const) {
      const ada = await setup.born(mind, organs)
      const requestsBefore = countRequests(provider)
      assert.is(
        await ada.show('IMG_0001.HEIC', { bytes: phonePicture }),
        `The ${name} could not look at “IMG_0001.HEIC”: ${phoneAdvice}`,
      )
      assert.is((await ada.turn()).perceptions[0].outcome, 'refused')
      assert.is(countRequests(provider), requestsBefore)

      // The Mind asks for another look.
      setup.answer = ({ messages, role }) =>
        role !== 'mind' || messages.at(-1)?.role === 'tool'
          ? 'No.'
          : { calls: [{ name: 'look_again', input: { file: 'IMG_0001.HEIC' } }] }
      assert.is(await ada.say('Look again'), 'No.')
      assert.match(
        setup.callsTo('mind').at(-1)?.last ?? '',
        /The model takes no HEIC pictures\. Export it as a JPEG/,
      )
      assert.equal(
        setup.calls.flatMap(({ files }) => files),
        [],
      )
    }
  })
}

test('sends an AVIF picture to no provider', async () => {
  for (const provider of ['sighted', ...clouds] as const) {
    const ada = await setup.born('ollama', { eye: provider })
    setup.forget()
    assert.is(
      await ada.show('photo.avif', { bytes: brandedPicture('avif', 'mif1') }),
      'The Eye could not look at “photo.avif”: its model takes no AVIF pictures. Save it as a JPEG, and send that.',
    )
    assert.equal(setup.calls, [])
  }
})

/** File, Mind without the organ for it, and the reply. */
for (const [file, mind, sentence] of [
  [
    'dot.png',
    'ollama',
    /^There is no Eye, the organ that looks at pictures, so nothing could look at “dot\.png”\./,
  ],
  [
    'tone.mp3',
    'anthropic',
    /^There is no Ear, the organ that listens to recordings, so nothing could listen to “tone\.mp3”\./,
  ],
] as const) {
  test(`replies without a model call if a Mind at ${mind} has no organ for ${file}, and answers its caption`, async () => {
    const ada = await setup.born(mind)
    const lack = await ada.show(file)
    assert.match(lack, sentence)
    assert.match(lack, /Add one under settings\. The file is kept/)
    assert.equal(setup.calls, [])
    const [perception] = (await ada.turn()).perceptions
    assert.equal([perception.organ, perception.outcome, perception.text], [null, 'refused', lack])

    assert.is(await ada.show(file, { caption: 'What is this?' }), `${lack}\n\nI see.`)
    assert.match(
      setup.calls[0]?.last ?? '',
      /(^|\n\n)What is this\?\n\n<file [^>]*>\nIt could not be opened, and the user has been told so: There is no /,
    )

    const { media } = (await ada.talk())[0]
    assert.is(hashBytes(await download(media.url)), await hashFixture(file), 'the file is kept')
  })
}

const download = async (url: string): Promise<Buffer> => {
  const response = await fetch(`${setup.daemon.url}${url}`)
  assert.is(response.status, 200)
  return Buffer.from(await response.arrayBuffer())
}

const sounds = ['wav', 'mp3', 'm4a', 'ogg', 'oga', 'webm', 'flac', 'aac', 'opus'] as const
const ears: Readonly<
  Record<string, readonly [provider: ServerKind, model: string, unsupported: readonly string[]]>
> = {
  'a transcription at OpenAI': ['openai', 'whisper-1', ['aac']],
  'a chat at Gemini': ['gemini', 'gemini-2.5-flash', []],
}

for (const [ear, [provider, model, unsupported]] of Object.entries(ears)) {
  test(`sends the exact bytes of a recording to an Ear that is ${ear}`, async () => {
    const ada = await setup.born('ollama', { ear: [provider, model] })
    for (const sound of sounds) {
      setup.forget()
      setup.answer = ({ role }) => (role === 'other' ? 'Ding dong.' : 'A bell!')
      const reply = await ada.show(`tone.${sound}`)
      if (unsupported.includes(sound)) {
        assert.match(reply, new RegExp(`^The Ear could not listen to “tone\\.${sound}”: `))
        continue
      }
      assert.is(reply, 'A bell!', sound)
      assert.equal(setup.callsTo('other')[0]?.files, [await hashFixture(`tone.${sound}`)], sound)
      assert.is(getFileMark().text, 'Ding dong.')
      assert.match(getFileMark().marks, / name="tone\.\w+" .* perceived-by="ear"/)
    }
  })
}

test('treats a voice message as the user speaking, and stores it as .webm if it has no extension', async () => {
  const ada = await setup.born('ollama', { ear: ['openai', 'whisper-1'] })
  setup.answer = ({ role }) => (role === 'other' ? 'Call me at nine.' : 'I will.')
  for (const [name, bytes, extension] of [
    ['blob', 'tone.webm', 'webm'],
    ['voice.ogg', 'tone.ogg', 'ogg'],
    ['memo.m4a', 'tone.m4a', 'm4a'],
    ['Memo.XYZ', 'tone.mp3', 'xyz'],
    // A recorder that names an audio container like a film.
    ['voice.webm', 'tone.m4a', 'webm'],
  ] as const) {
    setup.forget()
    assert.is(await ada.hear(name, { bytes: await readFixture(bytes), caption: 'Please' }), 'I will.', name)
    assert.equal(setup.callsTo('other')[0]?.files, [await hashFixture(bytes)], name)
    assert.match(
      setup.callsTo('mind')[0]?.last ?? '',
      new RegExp(`^Please\n\n<voice file="[0-9a-f]+\\.${extension}">\nCall me at nine\\.\n</voice>$`),
    )
    const { media } = (await ada.talk()).at(-2)
    assert.match(media.filename, new RegExp(`\\.${extension}$`))
    assert.is(hashBytes(await download(media.url)), await hashFixture(bytes))
  }
})

for (const [provider, asItIs] of [
  ['anthropic', true],
  ['openai', true],
  ['gemini', true],
  ['xai', false],
  ['ollama', false],
] as const) {
  test(`sends a PDF to a Researcher at ${provider} ${asItIs ? 'unchanged' : 'as text'}`, async () => {
    const ada = await setup.born('ollama', { researcher: provider })
    assert.is(await ada.show('invoice.pdf', { caption: 'What is due?' }), 'I see.')
    const [modelRequest] = setup.callsTo('researcher')
    assert.equal(modelRequest?.files, asItIs ? [await hashFixture('invoice.pdf')] : [])
    assert.match(
      modelRequest?.last ?? '',
      /^Read this document\. It is called “invoice\.pdf”\. The person asks or says with it: What is due\?/,
    )
    const text = (await readFixture('invoice.pdf.txt')).toString().trim()
    assert.is(modelRequest?.last.includes(text), !asItIs, modelRequest?.last)
    assert.is(getFileMark().text, 'The researcher tells.')
    assert.match(getFileMark().marks, /perceived-by="researcher"/)
  })
}

test('sends the text of every other document to the Researcher, in any language', async () => {
  const ada = await setup.born('anthropic', { researcher: 'ollama' })
  const createRow = (name: string) => [name, {}, `${name}.txt`] as const
  // The test of a Mind without a Researcher reads the other forms.
  const rows = ['talk.pptx', 'letter.odt', 'ledger.ods', 'talk.odp', 'note.txt'].map(createRow)
  for (const [name, options, words] of rows) {
    setup.forget()
    assert.is(await ada.show(name, options), 'I see.', name)
    const expectedText = (await readFixture(words)).toString().trim()
    assert.is(
      setup.callsTo('researcher')[0]?.last,
      `Read this document. It is called “${name}”.\n\n<document name="${name}">\n${expectedText}\n</document>`,
    )
    assert.is(getFileMark().text, 'The researcher tells.')
  }
  await ada.show('städte.csv', { bytes: 'Stadt;Flüsse\nKöln;Rhein – „groß“\n' })
  assert.match(
    setup.callsTo('researcher').at(-1)?.last ?? '',
    '<document name="städte.csv">\nStadt;Flüsse\nKöln;Rhein – „groß“',
  )
})

for (const mind of ['anthropic', 'openai', 'gemini'] as const) {
  test(`sends a PDF unchanged to a Mind at ${mind} without a Researcher`, async () => {
    const ada = await setup.born(mind)
    assert.is(await ada.show('invoice.pdf'), 'I see.')
    assert.equal(
      setup.calls.map(({ role, files }) => [role, files]),
      [['mind', [await hashFixture('invoice.pdf')]]],
    )
    assert.match(setup.calls[0]?.last ?? '', /It is attached to this message\./)
  })
}

for (const [mind, names] of [
  [
    'ollama',
    ['note.txt', 'letter.docx', 'ledger.xlsx', 'novel.epub', 'party.eml', 'contract.rtf', 'invoice.pdf'],
  ],
  ['xai', ['letter.docx', 'invoice.pdf']],
  ['anthropic', ['letter.docx']],
] as const) {
  test(`sends the text of a document to a Mind at ${mind} without a Researcher, and its caption outside of it`, async () => {
    const ada = await setup.born(mind)
    for (const name of names) {
      setup.forget()
      assert.is(await ada.show(name, { caption: `What is in ${name}?` }), 'I see.', name)
      assert.is(setup.calls.length, 1)
      assert.match(getFileMark().marks, /perceived-by="yourself"/)
      assert.is(getFileMark().text, (await readFixture(`${name}.txt`)).toString().trim(), name)
      const prompt = setup.calls[0]?.last ?? ''
      assert.ok(prompt.indexOf(`What is in ${name}?`) < prompt.indexOf('<file'), prompt)
      assert.not.match(getFileMark().text, /What is in/)
      const [perception] = (await ada.turn()).perceptions
      assert.equal([perception.organ, perception.outcome], ['thinking', 'perceived'])
    }
  })
}

test('sends a text file of any kind unchanged to a local Mind without a Researcher', async () => {
  const ada = await setup.born('ollama')
  for (const [name, bytes] of [
    ['table.csv', 'Stadt;Flüsse\nKöln;Rhein'],
    ['notes.md', '# Rent\n- 840 euros'],
    ['data.json', '{"rent": 840}'],
    ['main.rs', 'fn main() {}'],
    ['main.ts', 'const rent: number = 840'],
    ['app.log', '2026-11-28 rent 840 paid'],
    ['Dockerfile', 'FROM node:20'],
    ['page.html', '<html><p>840 euros</p></html>'],
  ] as const) {
    assert.is(await ada.show(name, { bytes }), 'I see.', name)
    assert.is(getFileMark().text, bytes)
  }
})

for (const [script, line] of [
  ['Latin', (n: number) => `Line ${n} of the list\n`],
  ['Chinese', (n: number) => `第${n}行的内容是这样的\n`],
] as const)
  test(`cuts a long document in ${script} letters, names the omitted part, and continues with read_document`, async () => {
    const ada = await setup.born('ollama')
    const document = Array.from({ length: 6000 }, (_, n) => line(n))
      .join('')
      .trim()
    await ada.show('long.txt', { bytes: document })
    const { text } = getFileMark()
    const [end = '', omitted, from] =
      /\n\[(\d+) more characters are left out\. Read on with read_document, from: (\d+)\.\]$/.exec(text) ?? []
    const visibleText = text.slice(0, text.length - end.length)
    assert.is(visibleText, document.slice(0, Number(from)))
    assert.is(visibleText.length + Number(omitted), document.length)
    assert.ok(Buffer.byteLength(visibleText) <= 16_100, String(Buffer.byteLength(visibleText)))

    setup.answer = ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? 'Read.'
        : { calls: [{ name: 'read_document', input: { file: 'long.txt', from: Number(from) } }] }
    await ada.say('Go on')
    const page = JSON.parse(setup.calls.at(-1)?.last ?? '')
    assert.is(page.words, document.slice(Number(from), Number(from) + page.words.length))
  })

test('continues a text in a guessed encoding without a gap', async () => {
  const ada = await setup.born('ollama')
  const document = Array.from({ length: 3000 }, (_, n) => `Müller ${n}`).join('\n')
  await ada.show('long.txt', { bytes: Buffer.from(document, 'latin1') })
  const { text } = getFileMark()
  assert.match(text, /^\[Read as [^\n]*\]\nMüller 0\n/)
  const first = Number(/from: (\d+)\.\]$/.exec(text)?.[1])
  assert.ok(text.replace(/^[^\n]*\n/, '').startsWith(`${document.slice(0, first)}\n[`))
})

// Fails if the type of the upload is trusted, and if a PDF is sent unchanged wherever it begins.
test('accepts an animated picture as a picture, and sends the text of a PDF with a late header', async () => {
  const stillBytes = await readFixture('dot.png')
  // An acTL chunk after the header makes it an animation.
  const moving = Buffer.concat([
    stillBytes.subarray(0, 33),
    Buffer.from('000000086163544c0000000100000000b92d6d88', 'hex'),
    stillBytes.subarray(33),
  ])
  for (const organs of [{ eye: 'anthropic' }, {}] as const) {
    const ada = await setup.born('anthropic', organs)
    assert.is(await ada.show('moving.png', { bytes: moving }), 'I see.')
    assert.equal(
      setup.calls.flatMap(({ files }) => files),
      [hashBytes(moving)],
    )
  }
  const ada = await setup.born('anthropic')
  await ada.show('scan.pdf', {
    bytes: Buffer.concat([Buffer.from('\0\x01\x02\x03 from a scanner\n'), await readFixture('form.pdf')]),
  })
  assert.is(getFileMark().text, (await readFixture('form.pdf.txt')).toString().trim())
})

test.run()
