/**
 * Providers that reject the schema of a tool, each with its own error text. The schema is simplified; if it
 * is rejected again, the tool is left out and the model is informed.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Prompt, ToolSpec } from '../../packages/models/mind.ts'
import {
  chats,
  createGivenModels,
  forEachProvider,
  hello,
  type Kind,
  mindFailure,
  recall,
  type Stage,
  think,
} from './cloud-stage.ts'

const test = suite<{ stages: Stage[] }>('refused tools', { stages: [] })
test.after.each(async ({ stages }) => {
  for (const stage of stages.splice(0)) await stage.close()
})

const person = { type: 'object', properties: { name: { type: 'string' } } }
const book: ToolSpec = {
  name: 'inn__book',
  description: 'Books a room.',
  parameters: {
    type: 'object',
    properties: {
      town: { type: 'string', description: 'Where.', minLength: 2 },
      nights: { type: 'array', items: { type: 'integer', minimum: 1 } },
      guest: { anyOf: [person, { type: 'string' }] },
    },
    required: ['town'],
  },
}
/** A tool whose schema cannot be simplified. */
const pay: ToolSpec = {
  name: 'inn__pay',
  description: 'Pays.',
  parameters: { type: 'object', properties: { card: person }, required: ['card'] },
}
const promptWithTools: Prompt = { ...hello, tools: [recall, book, pay] }

/** The error for the tool with this index or name. */
const refusals: Readonly<Record<Kind, (index: number, name: string) => string>> = {
  openai: (_, name) =>
    `Invalid schema for function '${name}': In context=('properties', 'guest'), schema must have a 'type' key.`,
  compatible: (_, name) =>
    `Invalid schema for function '${name}': {'type': 'object'} is not valid under any of the given schemas`,
  anthropic: (index) =>
    `tools.${index}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://docs.anthropic.com/en/docs/tool-use.`,
  gemini: (index) =>
    `* GenerateContentRequest.tools[0].function_declarations[${index}].parameters.properties[guest].any_of[0].properties: should be non-empty for OBJECT type\n`,
  xai: (index) =>
    `Failed to deserialize the JSON body into the target type: tools[${index}].function.parameters: invalid schema`,
}

const rejectWith = (message: string) => ({ what: 'status', status: 400, words: message }) as const
const getRequests = ({ standIn }: Stage) => standIn.calls(chats).map(({ conversation }) => conversation)

// Verified to fail if a rejected schema is not simplified: every turn would fail.
test('simplifies a rejected schema in the same answer and in later ones', (world) =>
  forEachProvider(async (kind) => {
    const stage = await createGivenModels(world, kind, { answer: () => 'hello' })
    stage.standIn.faults.on = chats
    stage.standIn.faults.next = [rejectWith(refusals[kind](1, 'inn__book'))]
    const { text, parts } = await think(stage.mind(), promptWithTools)
    assert.is(text, 'hello')
    assert.is(parts.flatMap((part) => (part.type === 'end' ? part.calls : []))[0], 2)
    await think(stage.mind(), promptWithTools)
    const [first, second, third] = getRequests(stage)
    assert.match(JSON.stringify(first?.body), 'anyOf')
    for (const request of [second, third]) {
      assert.equal(request?.tools, ['recall', 'inn__book', 'inn__pay'])
      assert.not.match(JSON.stringify(request?.body), /anyOf|"guest"|minLength/)
      assert.match(JSON.stringify(request?.body), 'told here in part')
    }
  }))

test('leaves out a tool whose simplified schema is rejected or impossible, and informs the model', (world) =>
  forEachProvider(async (kind) => {
    const stage = await createGivenModels(world, kind, { answer: () => 'hello' })
    stage.standIn.faults.on = chats
    stage.standIn.faults.next = [rejectWith(refusals[kind](2, 'inn__pay'))]
    assert.is((await think(stage.mind(), promptWithTools)).text, 'hello')
    stage.standIn.faults.next = [1, 1].map((index) => rejectWith(refusals[kind](index, 'inn__book')))
    const answer = []
    for await (const part of stage.mind().think(promptWithTools, new AbortController().signal, 3))
      answer.push(part)
    assert.is(answer.at(-1)?.type, 'end')
    const [, second, , , fifth] = getRequests(stage)
    assert.equal([second?.tools, fifth?.tools], [['recall', 'inn__book'], ['recall']])
    assert.match(second?.system ?? '', 'refuses how these are described: `inn__pay`')
    assert.match(fifth?.system ?? '', '`inn__book`, `inn__pay`')
  }))

/** Error texts copied from public bug reports. */
const errorsWithoutName: readonly string[] = [
  "Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.source': type is not defined>",
  'Invalid request content: Invalid function schema.',
  "Invalid tool schema: {'type': 'object', 'properties': {}} is not valid under any of the given schemas",
  'Grammar error: at 3(11): failed to compile JSON schema',
  'JSON schema conversion failed:\nUnrecognized schema: {"description":"Arguments for the tool (JSON object)"}',
  'json: cannot unmarshal array into Go struct field .tools.function.parameters.properties.type of type string',
]

// Verified to fail if the errors of self-hosted servers are not recognized.
test('simplifies all schemas once if the error names no tool', async (world) => {
  for (const text of errorsWithoutName) {
    const stage = await createGivenModels(world, 'compatible', { answer: () => 'hello' })
    stage.standIn.faults.on = chats
    stage.standIn.faults.next = [rejectWith(text)]
    assert.is((await think(stage.mind(), promptWithTools)).text, 'hello', text)
    stage.standIn.faults.next = [rejectWith(text)]
    await mindFailure(() => think(stage.mind(), promptWithTools))
  }
})

// The budget allows only one more call.
test('simplifies each schema that one error names', async (world) => {
  const stage = await createGivenModels(world, 'gemini', { answer: () => 'hello' })
  const getToolPath = (n: number) =>
    `Invalid JSON payload received. Unknown name "type" at 'tools[0].function_declarations[${n}].parameters.properties[0].value': Proto field is not repeating, cannot start list.`
  stage.standIn.faults.on = chats
  stage.standIn.faults.next = [rejectWith([1, 2, 1].map(getToolPath).join('\n'))]
  assert.is((await think(stage.mind(), promptWithTools)).text, 'hello')
  const [, second] = getRequests(stage)
  assert.equal(second?.tools, ['recall', 'inn__book'])
  assert.match(second?.system ?? '', '`inn__pay`')
})

test('does not retry a rejection that is not about a tool', async (world) => {
  const stage = await createGivenModels(world, 'openai', { answer: () => 'hello' })
  stage.standIn.faults.on = chats
  stage.standIn.faults.next = [
    rejectWith("Invalid value for 'messages.[3].content': expected a string, got null."),
  ]
  await mindFailure(() => think(stage.mind(), promptWithTools))
  assert.is(getRequests(stage).length, 1)
})

test.run()
