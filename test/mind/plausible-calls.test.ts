/** Tool calls as small models write them, through a daemon with a scripted model. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { maxCallsPerStep } from '../../src/agents/tool-calls.ts'
import { call } from '../calls.ts'
import { type HostedPersona, type ModelCall, type Script, shareSetup } from '../senses/setup.ts'

const setup = shareSetup(test)

interface SentCall {
  readonly name: string
  readonly input: unknown
}
interface RanCall extends SentCall {
  readonly ok: boolean
  readonly output: unknown
}

/** Sends all calls in one answer, and a text after their results. */
const sendCalls =
  (calls: readonly SentCall[]): Script =>
  ({ role, messages }) => {
    if (role !== 'mind') return 'Well.'
    return messages.at(-1)?.role === 'tool' ? 'Done.' : { calls }
  }

/** Returns the calls of the newest turn, in the order of the answer. */
const listCalls = async (ada: HostedPersona): Promise<readonly RanCall[]> =>
  (await ada.turn()).steps.flatMap(({ tools }: { readonly tools: readonly RanCall[] }) => tools)

const year = new Date().getFullYear() + 1
const wall = `${year}-12-13T09:00`
const longStatement = `Their sister Mia lives in Lisbon ${'and writes letters '.repeat(20)}`.slice(0, 306)

/** The message of the user, the tool, and inputs of its calls. */
const table: readonly (readonly [message: string, name: string, inputs: readonly unknown[]])[] = [
  [
    'Remember that my sister Mia lives in Lisbon and writes letters, and that my brother Tom lives in Oslo.',
    'remember',
    [
      { op: 'keep', document: 'Person', text: 'Their sister Mia lives in Lisbon.' },
      { op: 'ADD', document: 'user', text: 'Their brother Tom lives in Oslo.' },
      { op: 'keep', document: null, text: 'Mia lives in Lisbon.', id: null },
      '{"op": "keep", "document": "person", "text": "Tom lives in Oslo."}',
      [{ op: 'keep', text: 'Tom is their brother.' }],
      { op: 'save', content: 'Mia is their sister.', importance: '5' },
      { op: 'keep', document: 'person', text: longStatement },
      { input: { op: 'keep', text: 'Mia writes letters.' } },
      { document: 'facts', text: ['Mia writes letters in Lisbon.'] },
      { op: 'none', text: 'Tom has a sister, Mia.', id: '' },
      { op: 'keep', category: 'likes', text: 'Mia writes to Tom.' },
    ],
  ],
  [
    'What did I say about Lisbon?',
    'recall',
    [
      { query: 'Lisbon', limit: '5' },
      { query: 'Lisbon', limit: null, days: 'none' },
      'Lisbon',
      { q: 'Lisbon' },
      { query: ['Lisbon'], limit: 5.4 },
      { query: 'Lisbon', limit: 100 },
      { search: 'Lisbon', limit: 'none' },
      [{ query: 'Lisbon' }],
    ],
  ],
  [
    `Remind me of tea on 13 December ${year} at nine, and every day.`,
    'plan',
    [
      { kind: 'reminder', when: wall.replace('T', ' '), content: 'tea' },
      { kind: 'Reminder', when: `${wall}:00`, content: 'tea', recurrence: 'none' },
      { op: 'create', when: `${wall}:00.000Z`, text: 'tea', recurrence: null },
      { kind: 'Appointment', when: wall.slice(0, 10), content: 'tea', recurrence: 'Every day' },
      { in_minutes: '5', content: 'tea', when: null },
      { action: 'add', time: `${wall}+01:00`, task: 'tea', repeat: 'DAILY' },
      JSON.stringify({ content: 'tea', when: wall }),
      { content: 'tea', in_minutes: 4.5, recurrence: '' },
      { op: 'add', content: 'tea', when: 'soon' },
      { op: 'show' },
      { op: 'list', from: null, to: 'none' },
      { op: 'list', from: `${wall.slice(0, 10)} 00:00`, to: `${wall.slice(0, 10)}T23:59:59Z` },
    ],
  ],
  [
    'Look at the picture again.',
    'look_again',
    [
      { file: 'dot.png', question: null },
      { file: ['DOT.PNG'], question: 'none' },
      { filename: 'dot.png', query: 'What is it?' },
      'dot.png',
    ],
  ],
  [
    'Read the note again.',
    'read_document',
    [
      { file: 'note.txt', from: '0' },
      { file: 'note.txt', from: null, encoding: null, question: null },
      { name: 'note.txt', encoding: 'none', question: '' },
      { path: 'note.txt', page: 1 },
      'note.txt',
    ],
  ],
  [
    'Draw me a kite.',
    'draw',
    [
      { prompt: 'a kite' },
      { wish: ['a kite'], caption: null },
      'a kite',
      { description: 'a kite', style: 'ink' },
    ],
  ],
  ['Say hello aloud.', 'speak', [{ text: 'Hello' }, 'Hello', { message: 'Hello', voice: 'warm' }, ['Hello']]],
  [
    'Ask your teacher how one consoles.',
    'ask_teacher',
    [{ question: 'How?' }, 'How?', { query: 'How?', context: null }, { prompt: ['How?'] }],
  ],
  [
    'Learn how I like letters: short and kind.',
    'instruction',
    [
      { op: 'keep', intention: 'letters', body: 'Short and kind.' },
      { op: 'save', title: 'letters', text: 'Short and kind.' },
      { topic: 'letters', instruction: 'Short and kind.', op: null },
      { op: 'get', intention: 'letters', body: 'none' },
      { title: 'letters' },
      'letters',
    ],
  ],
  [
    'Write a letter as you have learned.',
    'use_skill',
    [{ name: 'letters', file: null, from: '0' }, 'letters', { skill: 'Letters', file: 'none' }],
  ],
  ['How are you?', 'check_health', [{}, null, '', { detail: true }]],
]

const addSkill = async (ada: HostedPersona): Promise<void> => {
  const form = new FormData()
  const text = '---\nname: letters\ndescription: How letters are written.\n---\nBegin with a greeting.\n'
  form.set('skill', new File([text], 'SKILL.md'))
  const skillReply = await fetch(`${setup.daemon.url}/api/persona/${ada.id}/skills`, {
    method: 'POST',
    body: form,
  })
  assert.is(skillReply.status, 200, await skillReply.text())
  const path = `/api/persona/${ada.id}/skills/letters`
  assert.is((await call(setup.daemon.url, 'PATCH', path, { enabled: true })).status, 200)
}

test('accepts all but two of the plausible calls of each tool', async () => {
  const ada = await setup.born('ollama', {
    eye: 'sighted',
    researcher: 'ollama',
    teacher: 'gemini',
    imagination: ['openai', 'gpt-image-1'],
    mouth: ['openai', 'tts-1'],
  })
  await addSkill(ada)
  await ada.show('dot.png')
  await ada.show('note.txt')
  const refusedInputs: string[] = []
  let count = 0
  for (const [message, name, inputs] of table) {
    setup.answer = sendCalls(inputs.map((input) => ({ name, input })))
    await ada.say(message)
    const calls = await listCalls(ada)
    assert.is(calls.length, inputs.length, name)
    count += calls.length
    for (const { input, ok, output } of calls)
      if (!ok) refusedInputs.push(`${name} ${JSON.stringify(input)}: ${JSON.stringify(output)}`)
  }
  console.log(
    `${refusedInputs.length} of ${count} calls were refused${refusedInputs.map((line) => `\n  ${line}`).join('')}`,
  )
  assert.ok(refusedInputs.length <= 2)
})

test('looks at a picture again with read_document, the only tool for files of a small model', async () => {
  const ada = await setup.born('ollama', { eye: 'sighted' })
  await ada.show('dot.png')
  const input = { file: 'dot.png', question: 'What is it?' }
  setup.answer = sendCalls([{ name: 'read_document', input }])
  await ada.say('Look at the picture again.')
  assert.equal(
    (await listCalls(ada)).map(({ ok, output }) => [ok, output]),
    [[true, { seen: 'Well.' }]],
  )
})

test('runs 40 calls of one answer, if the model repeats those that were too many', async () => {
  const ada = await setup.born('ollama')
  const all = Array.from({ length: 40 }, (_, n) => `question ${n}`)
  /** Returns the questions without an answer, from the results in the talk. */
  const listOpen = ({ messages }: ModelCall): readonly string[] => {
    const answeredCount = messages.filter(
      ({ role, text }) => role === 'tool' && text.includes('"found"'),
    ).length
    return all.slice(answeredCount)
  }
  for (const isWritten of [false, true]) {
    setup.answer = (modelRequest) => {
      const open = listOpen(modelRequest)
      if (open.length === 0) return 'Done.'
      if (!isWritten) return { calls: open.map((query) => ({ name: 'recall', input: { query } })) }
      return open
        .map((query) => `<tool_call>${JSON.stringify({ name: 'recall', arguments: { query } })}</tool_call>`)
        .join('\n')
    }
    const persona = isWritten ? await setup.born('ollama') : ada
    assert.is(await persona.say('Ask everything.'), 'Done.')
    const calls = await listCalls(persona)
    assert.equal(
      calls.filter(({ ok }) => ok).map(({ input }) => (input as { readonly query: string }).query),
      all,
    )
    assert.is(calls.length, 40 + (40 - maxCallsPerStep) + (40 - 2 * maxCallsPerStep))
    assert.not.match(JSON.stringify(await persona.talk()), 'tool_call')
  }
})

test('runs written calls in two formats of one answer, and shows only the text', async () => {
  const ada = await setup.born('ollama')
  const hermes = '<tool_call>{"name": "recall", "arguments": {"query": "tea"}}</tool_call>'
  const mistral = '[TOOL_CALLS][{"name": "recall", "arguments": {"query": "milk"}}]'
  setup.answer = ({ messages }) =>
    messages.at(-1)?.role === 'tool' ? 'Done.' : `I look.\n${hermes}\n${mistral}`
  await ada.say('What did I say of tea and milk?')
  assert.equal(
    (await listCalls(ada)).map(({ input, ok }) => [input, ok]),
    [
      [{ query: 'tea' }, true],
      [{ query: 'milk' }, true],
    ],
  )
  const talkTexts = (await ada.talk()).map(({ content }: { readonly content: string }) => content)
  assert.equal(talkTexts, ['What did I say of tea and milk?', 'I look.', 'Done.'])
})

test('tells the model of half a written call at the end of an answer, and shows none of it', async () => {
  const ada = await setup.born('ollama')
  const wholeText = '<tool_call>{"name": "recall", "arguments": {"query": "tea"}}</tool_call>'
  const halfText = '<tool_call>{"name": "recall", "arguments": {"query": "mi'
  setup.answer = ({ messages }) => {
    const last = messages.at(-1)
    if (last?.role !== 'tool') return `I look.\n${wholeText}\n${halfText}`
    return messages.filter(({ role }) => role === 'tool').length < 3
      ? { calls: [{ name: 'recall', input: { query: 'milk' } }] }
      : 'Done.'
  }
  await ada.say('What did I say of tea and milk?')
  const calls = await listCalls(ada)
  assert.equal(
    calls.map(({ name, ok }) => [name, ok]),
    [
      ['recall', true],
      ['recall', false],
      ['recall', true],
    ],
  )
  assert.not.match(JSON.stringify(await ada.talk()), /tool_call|arguments/)
})

test.run()
