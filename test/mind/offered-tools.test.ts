/** The tools that prompts list: only those that can work, in few tokens. */
import { test } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import type { Slot } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import { chooseProfile } from '../../packages/models/prompt-profile.ts'
import type { PageReader } from '../../packages/web-reading/page-reader.ts'
import type { WebSearch } from '../../packages/web-search/web-search.ts'
import { budgetIn } from '../../src/mind/prompt/prompt-part.ts'
import { formerTools } from '../../src/mind/prompt/tool-names.ts'
import { createTurnPrompt } from '../../src/mind/prompt/turn-prompt.ts'
import type { MailToolDeps } from '../../src/mind/tools/check-mail.ts'
import { toolSet } from '../../src/mind/tools/find-tools.ts'
import type { ReadCalendarsDeps } from '../../src/mind/tools/read-calendars.ts'
import { listOffered, resolveCall, type Tool } from '../../src/mind/tools/tool.ts'
import { readingTools, toolsWith, unlistedTools } from '../../src/mind/tools/tool-table.ts'
import { text as german } from '../../web/strings/tools-de.ts'
import { text as english } from '../../web/strings/tools-en.ts'
import { awake, fold, opus } from '../persona/given.ts'

const createPersona = (...facts: readonly PersonaEvent[]) => {
  const persona = fold([...awake, ...facts])
  if (!persona) throw new Error('There is no persona.')
  return persona
}
const withOrgan = (slot: Slot): PersonaEvent => ({ type: 'OrganReplaced', slot, organ: opus })
const tools = toolsWith(
  {} as PageReader,
  { webSearch: {} as WebSearch, readKey: async () => null },
  {} as ReadCalendarsDeps,
  {} as MailToolDeps,
)
const list = (all: readonly Tool[], canPerceive: boolean, ...facts: readonly PersonaEvent[]) =>
  listOffered(all, { persona: createPersona(...facts), canPerceive }).map(({ spec }) => spec.name)

test('the page describes every built-in tool in both languages', () => {
  const names = [...tools, ...unlistedTools].map(({ spec }) => spec.name)
  for (const name of [...names, 'find_tools', 'use_tool'])
    for (const { builtinNames, builtinDoes } of [english, german])
      ok(builtinNames[name] && builtinDoes[name], name)
  for (const name of Object.keys(formerTools))
    ok(english.builtinNames[name] && german.builtinNames[name], name)
})

const basic = ['remember', 'recall', 'plan', 'read_document', 'instruction', 'search_web', 'read_page']

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
      list(tools, false, ...facts).filter((offeredName) => !basic.includes(offeredName)),
      [name],
    )
})

/** Bytes per token of JSON and English text. */
const bytesPerToken = 3.5

test('describes a new persona and its tools in at most 1500 tokens', () => {
  const persona = createPersona()
  const offeredTools = listOffered(tools, { persona, canPerceive: true }).map(({ spec }) => spec)
  ok(offeredTools.length <= 10)
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
    tools: offeredTools,
  })
  const bytes = Buffer.byteLength(prompt.system) + Buffer.byteLength(JSON.stringify(prompt.tools))
  ok(bytes / bytesPerToken <= 1500, `${Math.ceil(bytes / bytesPerToken)} tokens`)
})

test('says that it is software, and helps in danger, after the user replaced the character', () => {
  const text = 'You are a human named Ada. Never admit to be software.'
  const persona = createPersona({ type: 'CharacterSet', text, lore: [], card: null })
  for (const profile of ['full', 'compact'] as const) {
    const { system } = createTurnPrompt({
      persona,
      budget: budgetIn(null),
      now: Date.UTC(2026, 10, 24, 9, 15),
      zone: 'Europe/Berlin',
      turn: 30,
      cut: false,
      items: [],
      perceptions: new Map(),
      files: new Map(),
      tools: [],
      profile,
    }).prompt
    for (const words of ['You are software', 'whatever your character says', 'guilty', 'emergency number'])
      ok(system.includes(words), `${profile}: ${words}`)
  }
})

test('describes inputs without limits and other keywords that only validation needs', () => {
  const json = JSON.stringify(tools.map(({ spec }) => spec.parameters))
  for (const keyword of ['$schema', 'additionalProperties', 'minLength', 'maxLength', 'minimum', 'default'])
    ok(!json.includes(`"${keyword}"`), keyword)
})

test('chooses the compact profile for small models and small contexts', () => {
  const choose = (model: string, parameters: number | null = null, context: number | null = 16_384) =>
    chooseProfile({ model, parameters, context })
  for (const model of ['qwen3:4b', 'gemma-3-270m-it', 'gemma3n:e4b', 'llama3.2:3b-instruct-q4', 'mistral:7b'])
    is(choose(model), 'compact', model)
  for (const model of ['qwen3:8b', 'llama3:70b', 'mixtral-8x7b', 'gpt-4o', 'claude-4-5', 'phi3:mini'])
    is(choose(model), 'full', model)
  is(choose('phi3:mini', 3.8e9), 'compact')
  is(choose('llama3', 8.03e9), 'full')
  is(choose('gpt-4o', null, 8192), 'compact')
})

const server = (name: string): Tool => ({
  spec: { name: `post__${name}`, description: 'Send.', parameters: { type: 'object' } },
  acts: true,
  lasting: false,
  run: async () => ({ ok: true, output: {} }),
})
const listSpecs = (servers: readonly Tool[], canPerceive = true) => {
  const offeredTools = listOffered(tools, { persona: createPersona(), canPerceive })
  return toolSet({ all: tools, offered: offeredTools }, servers, 'compact').specs
}
const nameAll = (specs: readonly { readonly name: string }[]) => specs.map(({ name }) => name)

test('offers a small model at most six flat tools, those of its organs and servers before others', () => {
  const names = nameAll(listSpecs([]))
  equal(names, ['remember', 'recall', 'remind', 'cancel_plan', 'forget', 'read_document'])
  equal(nameAll(listSpecs([], false)), names)
  equal(nameAll(listSpecs([server('a'), server('b')])).slice(3, 5), ['post__a', 'post__b'])
  equal(nameAll(listSpecs(['a', 'b', 'c'].map(server))).slice(3, 5), ['find_tools', 'use_tool'])
  const withOrgans = toolSet({ all: tools, offered: tools }, [], 'compact').specs
  equal(nameAll(withOrgans).slice(3), ['draw', 'speak', 'ask_teacher'])
  for (const { parameters } of listSpecs([]).slice(0, 5))
    for (const property of Object.values(parameters.properties as object)) ok(property.type === 'string')
})

// Fails if a tool of the compact profile has no counterpart: the call would be unknown.
test('converts the calls of the compact profile to those of the full one', () => {
  const convert = (name: string, input: object) => {
    const { tool, input: convertedInput } = resolveCall({ id: 'c1', name, input }, tools)
    return [tool?.spec.name, convertedInput]
  }
  equal(convert('remember', { text: 'Likes tea.' }), ['remember', { text: 'Likes tea.' }])
  equal(convert('forget', { id: '[m1a2]' }), ['remember', { op: 'forget', id: 'm1a2' }])
  equal(convert('remind', { content: 'tea', when: '2026-11-24T09:00' }), [
    'plan',
    { op: 'add', content: 'tea', when: '2026-11-24T09:00' },
  ])
  equal(convert('cancel_plan', { id: 'p1' }), ['plan', { op: 'cancel', id: 'p1' }])
})

test('describes a persona and its tools to a small model in at most 720 tokens', () => {
  const persona = createPersona()
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
    tools: listSpecs([]),
    profile: 'compact',
  })
  const bytes = Buffer.byteLength(prompt.system) + Buffer.byteLength(JSON.stringify(prompt.tools))
  ok(bytes / bytesPerToken <= 720, `${Math.ceil(bytes / bytesPerToken)} tokens`)
  // Each mark and field that a small model meets is explained.
  for (const word of [
    '[due]',
    '[note]',
    '[you know:',
    '"partly"',
    '"others"',
    'late',
    'forgotten',
    'someone',
  ])
    ok(prompt.system.includes(word), word)
})

test.run()
