import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createAnswerText } from '../../packages/models/answer-text.ts'
import type { ToolSpec } from '../../packages/models/mind.ts'

const test = suite('tool calls written as text')

const tool = (name: string, properties: object = {}): ToolSpec => ({
  name,
  description: '',
  parameters: { type: 'object', properties },
})
const tools = [tool('remember', { text: { type: 'string' } }), tool('recall'), tool('check_calendar')]

const keep = { name: 'remember', input: { op: 'keep', text: 'They live in Porto.' } }
const tea = { name: 'recall', input: { query: 'tea </tool_call> {"' } }
const args = JSON.stringify(keep.input)
const teaArgs = JSON.stringify(tea.input)

/** Reads an answer in two pieces. Checks that no piece shows text that is not in the result. */
const readCalls = (answer: string, cutIndex: number, offeredTools = tools) => {
  const reader = createAnswerText(offeredTools)
  const text = reader.next(answer.slice(0, cutIndex)) + reader.next(answer.slice(cutIndex)) + reader.end()
  return { text, calls: reader.calls([]).map(({ name, input }) => ({ name, input })) }
}

const readByUnit = (answer: string, offeredTools = tools) => {
  const reader = createAnswerText(offeredTools)
  const text = [...answer].map((unit) => reader.next(unit)).join('') + reader.end()
  return { text, calls: reader.calls([]).map(({ name, input }) => ({ name, input })) }
}

const deepSeek = (...calls: readonly string[]) =>
  `<｜tool▁calls▁begin｜>${calls.map((call) => `<｜tool▁call▁begin｜>${call}<｜tool▁call▁end｜>`).join('\n')}<｜tool▁calls▁end｜>`

/** Answer, shown text, calls. */
const table: Readonly<Record<string, readonly [string, string, readonly object[]]>> = {
  'Hermes and Qwen': [
    `Let me note it.\n<tool_call>\n{"name": "remember", "arguments": ${args}}\n</tool_call>`,
    'Let me note it.\n',
    [keep],
  ],
  'code, then text': [
    'remember(text="They start (again) on 1 February.")\n\nCongratulations!',
    'Congratulations!',
    [{ name: 'remember', input: { text: 'They start (again) on 1 February.' } }],
  ],
  'code with other quotes, and several calls': [
    `recall(query='Mia\\'s "tea"', limit=5)\nremember("They like Mia's tea.")`,
    '',
    [
      { name: 'recall', input: { query: 'Mia\'s "tea"', limit: 5 } },
      { name: 'remember', input: "They like Mia's tea." },
    ],
  ],
  'code without its end': ['remember(text="They live', '', [{ name: 'remember', input: 'text="They live' }]],
  'code of no tool': ['print(text="Hello")', 'print(text="Hello")', []],
  'a sentence about a tool': ['recall is a word.', 'recall is a word.', []],
  'JSON with line breaks written as text': [
    '```json\\n{\\n"name": "recall", "arguments": {"query": "a\\nb"}}\\n```',
    '',
    [{ name: 'recall', input: { query: 'a\nb' } }],
  ],
  'a list under tool_calls': [`{"tool_calls":[{"name":"remember","arguments":${args}}]}`, '', [keep]],
  'a nested name': [
    '{"tool_calls":[{"name":"{"name":"recall"}","arguments":{}}]}',
    '',
    [{ name: 'recall', input: '{"tool_calls":[{"name":"{"name":"recall"}","arguments":{}}]}' }],
  ],
  'several tags': [
    `<tool_call>{"name":"remember","arguments":${args}}</tool_call>\n<tool_call>{"name":"recall","arguments":${teaArgs}}</tool_call>\n`,
    '',
    [keep, tea],
  ],
  'several calls in one tag': [
    `<tool_call>{"name":"remember","arguments":${args}}\n{"name":"recall","arguments":${teaArgs}}</tool_call>`,
    '',
    [keep, tea],
  ],
  'a tag without its end, then text': [
    `<tool_call>{"name":"remember","arguments":${args}}\nDone.`,
    'Done.',
    [keep],
  ],
  'arguments as text': [
    `<tool_call>{"name":"remember","arguments":${JSON.stringify(args)}}</tool_call>`,
    '',
    [keep],
  ],
  'text before and after': [
    `One.<tool_call>{"name":"remember","arguments":${args}}</tool_call> Two.`,
    'One. Two.',
    [keep],
  ],
  'after thinking': [
    `<think>I could <tool_call></think>\n<tool_call>{"name":"remember","arguments":${args}}</tool_call>`,
    '',
    [keep],
  ],
  'Mistral, a list': [
    `[TOOL_CALLS] [{"name": "remember", "arguments": ${args}}, {"name": "recall", "arguments": ${teaArgs}}]`,
    '',
    [keep, tea],
  ],
  'Mistral, a name': [
    `Yes. [TOOL_CALLS]remember${args}[TOOL_CALLS]recall[CALL_ID]abc123[ARGS]${teaArgs}`,
    'Yes. ',
    [keep, tea],
  ],
  'Llama 3 with its marker': [
    `<|python_tag|>{"type": "function", "name": "remember", "parameters": ${args}}; {"name": "recall", "parameters": ${teaArgs}}`,
    '',
    [keep, tea],
  ],
  'Llama 3 without a marker': [`\n{"name": "remember", "parameters": ${args}}\n`, '', [keep]],
  'two objects as the whole answer': [
    `{"name": "remember", "parameters": ${args}}; {"name": "recall", "arguments": ${teaArgs}}`,
    '',
    [keep, tea],
  ],
  'a list as the whole answer': [
    `[{"function": {"name": "remember", "arguments": ${args}}, "type": "function"}]`,
    '',
    [keep],
  ],
  'DeepSeek V3': [
    `I look.${deepSeek(`function<｜tool▁sep｜>remember\n\`\`\`json\n${args}\n\`\`\``, `function<｜tool▁sep｜>recall\n\`\`\`json\n${teaArgs}\n\`\`\``)}`,
    'I look.',
    [keep, tea],
  ],
  'DeepSeek V3.1': [deepSeek(`remember<｜tool▁sep｜>${args}`), '', [keep]],
  GLM: [
    '<tool_call>remember\n<arg_key>op</arg_key>\n<arg_value>keep</arg_value>\n<arg_key>text</arg_key>\n<arg_value>They live in Porto.</arg_value>\n</tool_call>',
    '',
    [keep],
  ],
  'GLM with typed values': [
    '<tool_call>recall\n<arg_key>most</arg_key>\n<arg_value>3</arg_value>\n</tool_call><tool_call>remember\n<arg_key>text</arg_key>\n<arg_value>3</arg_value></tool_call>',
    '',
    [
      { name: 'recall', input: { most: 3 } },
      { name: 'remember', input: { text: '3' } },
    ],
  ],
  'GLM without arguments': [
    '<tool_call>check_calendar\n</tool_call>',
    '',
    [{ name: 'check_calendar', input: {} }],
  ],
  'Qwen3-Coder': [
    '<tool_call>\n<function=remember>\n<parameter=op>\nkeep\n</parameter>\n<parameter=text>\nThey live in Porto.\n</parameter>\n</function>\n</tool_call>',
    '',
    [keep],
  ],
  'a code block as the whole answer': [
    `\`\`\`json\n{"name": "remember", "arguments": ${args}}\n\`\`\`\n`,
    '',
    [keep],
  ],
  'two formats': [
    `<tool_call>{"name":"remember","arguments":${args}}</tool_call> [TOOL_CALLS][{"name":"recall","arguments":${teaArgs}}]`,
    '',
    [keep, tea],
  ],
}
for (const [name, [answer, text, calls]] of Object.entries(table))
  test(`reads ${name}, split at every position`, () => {
    for (let index = 0; index <= answer.length; index++)
      assert.equal(readCalls(answer, index), { text, calls }, `split at ${index}: ${answer.slice(0, index)}`)
    assert.equal(readByUnit(answer), { text, calls })
  })

const texts = [
  'A plain answer with <b>tags</b>, [brackets] and {braces}.',
  'Hermes models write `<tool_call>` before a call.',
  `For example:\n\`\`\`\n<tool_call>{"name":"remember","arguments":${args}}</tool_call>\n\`\`\`\nThat is all.`,
  `The call was {"name": "remember", "parameters": ${args}}.`,
  `{"name": "remember", "parameters": ${args}} is a call.`,
  '{"name": "Ada", "parameters": {}}',
  '{"name": "remember"}',
  '{"carry": null, "operations": []}',
  '[1, 2, 3]',
  '```json\n{"a": 1}\n```',
  '```js\nremember()\n```',
  `\`\`\`json\n{"name": "remember", "arguments": ${args}}\n\`\`\`\nThis is how a call looks.`,
  '<tool_call> is a tag of some models.',
  '<tool_call>{"name":"delete_all","arguments":{}}</tool_call>',
  '[TOOL_CALLS] is a token of Mistral.',
  '<|python_tag|>print(1)',
  'Less than: <',
  '',
]
test('shows text that is not a call of an offered tool, unchanged and split at every position', () => {
  for (const text of texts) {
    for (let index = 0; index <= text.length; index++)
      assert.equal(readCalls(text, index), { text, calls: [] }, `split at ${index}: ${text}`)
    assert.equal(readByUnit(text), { text, calls: [] })
  }
})

test('shows everything if no tools were offered', () => {
  for (const [answer] of Object.values(table))
    if (!answer.includes('<think>')) assert.equal(readCalls(answer, 7, []), { text: answer, calls: [] })
})

test('returns half a call at the end as one unreadable call, and shows none of it', () => {
  const beginningCall = {
    '<tool_call>{"name": "remember", "arguments": {"op": "ke': 'remember',
    '<tool_call>{"na': 'tool_call',
    '<tool_call>': 'tool_call',
    '<tool_call>remember\n<arg_key>op</arg': 'remember',
    '[TOOL_CALLS] [{"name": "remember", "arg': 'remember',
    '[TOOL_CALLS]remember[ARGS]{"op"': 'remember',
    '<|python_tag|>{"name": "recall", "parameters": {': 'recall',
    '{"name": "recall", "parameters": {"query': 'recall',
    '```json\n{"name": "recall", "arguments": {"query': 'recall',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>recall\n```json\n{"qu': 'recall',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>recall<｜tool▁sep｜>{"qu': 'recall',
  }
  for (const [half, name] of Object.entries(beginningCall))
    for (let index = 0; index <= half.length; index++) {
      const { text, calls } = readCalls(half, index)
      assert.is(text, '', half)
      assert.equal(
        calls.map((call) => [call.name, typeof call.input]),
        [[name, 'string']],
        half,
      )
    }
})

test('keeps the complete calls before half a call', () => {
  const { text, calls } = readCalls(
    `Well.<tool_call>{"name":"remember","arguments":${args}}</tool_call><tool_call>{"name":"recall","argum`,
    40,
  )
  assert.is(text, 'Well.')
  assert.equal(calls[0], keep)
  assert.equal([calls.length, calls[1]?.name, typeof calls[1]?.input], [2, 'recall', 'string'])
})

test('omits a call that the server has parsed as well', () => {
  const reader = createAnswerText(tools)
  reader.next(`<tool_call>{"name":"remember","arguments":${args}}</tool_call>`)
  reader.end()
  assert.equal(reader.calls([keep]), [])
})

test('reads a long call in small pieces quickly', () => {
  const text = 'They walked along the river. '.repeat(2000)
  const answer = `<tool_call>${JSON.stringify({ name: 'remember', arguments: { op: 'keep', text } })}</tool_call>`
  const reader = createAnswerText(tools)
  const startedAt = performance.now()
  for (let offset = 0; offset < answer.length; offset += 4)
    assert.is(reader.next(answer.slice(offset, offset + 4)), '')
  assert.is(reader.end(), '')
  assert.equal(reader.calls([]).length, 1)
  assert.ok(performance.now() - startedAt < 5000)
})

test.run()
