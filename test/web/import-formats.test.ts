/** Compares the choices of the import page with the table of forms. */
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { importForms } from '../../packages/history-import/import-format-table.ts'

/** Returns source and label of each choice from the page's strings. */
const choicesIn = (language: 'de' | 'en'): readonly (readonly [string, string])[] => {
  const strings = readFileSync(`web/strings/import-${language}.ts`, 'utf8')
  const block = /\n {4}from: \{\n([\s\S]*?)\n {4}\},/.exec(strings)?.[1] ?? ''
  return [...block.matchAll(/^ {6}(\w+): \{\s*name: '([^']+)'/gm)].map(([, source = '', name = '']) => [
    source,
    name,
  ])
}

test('offers exactly the sources of the table, by name', () => {
  const names = new Map(importForms.map(({ source, name }) => [source, name.split(':')[0]]))
  for (const language of ['en', 'de'] as const) {
    const choices = choicesIn(language)
    assert.equal(
      choices.map(([source]) => source),
      [...names.keys()],
    )
    for (const [source, name] of choices) if (source !== 'other') assert.is(name, names.get(source))
  }
})

test.run()
