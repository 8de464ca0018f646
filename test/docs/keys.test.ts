/** The page on keys agrees with the daemon's list of providers. */
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { providerTable } from '../../packages/models/providers/provider-table.ts'
import { readPage, root } from './blocks.ts'

const page = readPage('docs/how-to/keys.md')
const prices = JSON.parse(readFileSync(`${root}packages/models/prices.json`, 'utf8'))

const getSection = (title: string): string =>
  page.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? ''

// Fails if a variable is misspelled, an address is missing, or a section is missing.
test('every provider has a section with its page, its variables and a command of its own', () => {
  for (const [name, { title, keyPage, keyVariables, urlVariable }] of Object.entries(providerTable)) {
    const section = getSection(title)
    for (const part of [
      `<${keyPage}>`,
      ...[...keyVariables, urlVariable].map((variable) => `\`${variable}\``),
    ])
      ok(section.includes(part), `${title}: ${part}`)
    ok(section.includes(`daimon update Ada --provider ${name} --model `), title)
    ok(section.includes(`--key-from ${keyVariables[0]}`), title)
  }
})

// Fails if a price differs, and if a command names a model that no list contains.
test('its prices are those of the list that ships, and its commands name models of it', () => {
  ok(page.includes(`(${prices.dated})`))
  const rows = [...page.matchAll(/^\| `([a-z]+\/[^`]+)` \| ([\d.]+) \| ([\d.]+) \|/gm)]
  ok(rows.length >= 8)
  for (const [, model = '', input, output] of rows) {
    const { input: inputPrice, output: outputPrice } = prices.models[model] ?? {}
    equal([Number(input), Number(output)], [inputPrice, outputPrice], model)
  }
  for (const [, provider, model] of page.matchAll(/--provider (\S+) --model (\S+)/g))
    ok(model === 'vendor/model' || prices.models[`${provider}/${model}`], model)
})

test.run()
