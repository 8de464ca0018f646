/** The patterns of the prose check: what they flag, and plain sentences that they must not flag. */
import { pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

type FindDialect = (sentence: string) => string | null
const rules = pathToFileURL('scripts/prose-rules.mjs').href
const { findDialect }: { findDialect: FindDialect } = await import(rules)

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

test.run()
