/** The tools that prompts list: only those that can work, in few tokens. */
import { test } from 'uvu'
import { equal, ok } from 'uvu/assert'
import type { Slot } from '../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import type { PageReader } from '../../packages/web-reading/page-reader.ts'
import { createTurnPrompt } from '../../src/mind/prompt/prompt.ts'
import { budgetIn } from '../../src/mind/prompt/prompt-part.ts'
import { listOffered, type Tool } from '../../src/mind/tools/tool.ts'
import { readingTools, toolsWith } from '../../src/mind/tools/tool-table.ts'
import { awake, fold, opus } from '../persona/given.ts'

const createPersona = (...facts: readonly PersonaEvent[]) => {
  const persona = fold([...awake, ...facts])
  if (!persona) throw new Error('There is no persona.')
  return persona
}
const withOrgan = (slot: Slot): PersonaEvent => ({ type: 'OrganReplaced', slot, organ: opus })
const tools = toolsWith({} as PageReader)
const list = (all: readonly Tool[], canPerceive: boolean, ...facts: readonly PersonaEvent[]) =>
  listOffered(all, { persona: createPersona(...facts), canPerceive }).map(({ spec }) => spec.name)

const basic = ['remember', 'recall', 'plan', 'read_document', 'instruction', 'read_page']

test('offers a new persona the tools that its Mind alone can use', () => {
  equal(list(tools, false), basic)
  equal(
    list(tools, true).filter((name) => !basic.includes(name)),
    ['look_again'],
  )
  equal(list(readingTools, false), ['recall', 'plan', 'instruction', 'read_document'])
})

test('offers the tool of an organ, a paired chat and an enabled skill only while they exist', () => {
  const rows: readonly (readonly [string, readonly PersonaEvent[]])[] = [
    ['draw', [withOrgan('imagination')]],
    ['speak', [withOrgan('mouth')]],
    ['ask_teacher', [withOrgan('teacher')]],
    [
      'notify',
      [
        { type: 'ChannelAdded', id: 'c1', kind: 'telegram', name: 'ada_bot', bot: '7', token: 'channel.c1' },
        { type: 'ChannelPaired', id: 'c1', target: '7', at: '2026-11-23T10:15:00.000+01:00' },
      ],
    ],
  ]
  for (const [name, facts] of rows)
    equal(
      list(tools, false, ...facts).filter((offered) => !basic.includes(offered)),
      [name],
    )
})

/** Bytes per token of JSON and English text. */
const bytesPerToken = 3.5

test('describes a new persona and its tools in at most 1500 tokens', () => {
  const persona = createPersona()
  const offered = listOffered(tools, { persona, canPerceive: true }).map(({ spec }) => spec)
  ok(offered.length <= 9)
  const { prompt } = createTurnPrompt({
    persona,
    budget: budgetIn(null),
    now: Date.UTC(2026, 10, 24, 9, 15),
    zone: 'Europe/Berlin',
    turn: 30,
    cut: false,
    items: [],
    perceptions: new Map(),
    files: new Map(),
    tools: offered,
  })
  const bytes = Buffer.byteLength(prompt.system) + Buffer.byteLength(JSON.stringify(prompt.tools))
  ok(bytes / bytesPerToken <= 1500, `${Math.ceil(bytes / bytesPerToken)} tokens`)
})

test('describes inputs without limits and other keywords that only validation needs', () => {
  const json = JSON.stringify(tools.map(({ spec }) => spec.parameters))
  for (const keyword of ['$schema', 'additionalProperties', 'minLength', 'maxLength', 'minimum', 'default'])
    ok(!json.includes(`"${keyword}"`), keyword)
})

test.run()
