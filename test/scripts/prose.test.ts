/** The prose check: the sentences and names that it flags, and plain ones that it must not flag. */
import { pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

type FindDialect = (sentence: string) => string | null
const rules = pathToFileURL('scripts/prose-rules.mjs').href
const { findDialect }: { findDialect: FindDialect } = await import(rules)

type FindLoneNames = (
  path: string,
  source: string,
) => readonly { readonly name: string; readonly line: number }[]
const names = pathToFileURL('scripts/prose-names.mjs').href
const { findLoneNames }: { findLoneNames: FindLoneNames } = await import(names)

const flagged = [
  'Null where there is no Mind.',
  'What is opened is closed again.',
  'Whoever asked may go away before the answer.',
  'The rest is begun anew.',
  'Tells who watches the channel.',
  'Nothing of it stands in the journal.',
]

const plainRules = [
  'Returns null if there is no Mind.',
  'Opens the journal.',
  'An error says what to do.',
  'The folder where the journal is stored.',
  'Timeout in ms.',
  'Returns 409 when the persona is stopped.',
  'What happens if the disk is full?',
]

for (const sentence of flagged) test(`flags: ${sentence}`, () => assert.type(findDialect(sentence), 'string'))

for (const sentence of plainRules) test(`accepts: ${sentence}`, () => assert.is(findDialect(sentence), null))

for (const [path, source, expected] of [
  ['src/a.ts', 'const behind = 1\nconst told = 2', ['behind:1', 'told:2']],
  [
    'src/a.ts',
    'const f = (anew: number, [owed]: number[], { seq: heard }: Head) => 0',
    ['anew:1', 'owed:1', 'heard:1'],
  ],
  ['src/a.ts', 'type F = (told: string) => void', ['told:1']],
  [
    'src/a.ts',
    'const { told } = fact; const facts = { told: fact.heard }; interface Fact { told: string }',
    [],
  ],
  ['web/a.svelte', '<p>behind</p>\n<script lang="ts">\n  let behind = $state(1)\n</script>', ['behind:3']],
  ['test/a.test.ts', 'const told = 1\nconst owed = 2', ['owed:2']],
] as const)
  test(`finds ${expected.length} lone names in ${path}: ${source}`, () =>
    assert.equal(
      findLoneNames(path, source).map(({ name, line }) => `${name}:${line}`),
      expected,
    ))

test.run()
