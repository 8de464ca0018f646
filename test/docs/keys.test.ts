/** What the page on keys says of each provider is what the daemon knows of it. */
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { providerTable } from '../../packages/models/providers/provider-table.ts'
import { root, textOf } from './blocks.ts'

const page = textOf('docs/how-to/keys.md')
const prices = JSON.parse(readFileSync(`${root}packages/models/prices.json`, 'utf8'))

const sectionOf = (title: string): string =>
  page.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? ''

// Seen failing with a variable misspelled, with an address left out, and without a section.
test('every provider has a section with its page, its variables and a command of its own', () => {
  for (const [name, { title, keyPage, keyVariables, urlVariable }] of Object.entries(providerTable)) {
    const section = sectionOf(title)
    for (const part of [`<${keyPage}>`, ...[...keyVariables, urlVariable].map((one) => `\`${one}\``)])
      ok(section.includes(part), `${title}: ${part}`)
    ok(section.includes(`daimon update Ada --provider ${name} --model `), title)
    ok(section.includes(`--key-from ${keyVariables[0]}`), title)
  }
})

// Seen failing with another price, and with a command for a model that no list names.
test('its prices are those of the list that ships, and its commands name models of it', () => {
  ok(page.includes(`(${prices.dated})`))
  const rows = [...page.matchAll(/^\| `([a-z]+\/[^`]+)` \| ([\d.]+) \| ([\d.]+) \|/gm)]
  ok(rows.length >= 8)
  for (const [, model = '', input, output] of rows) {
    const { input: takes, output: gives } = prices.models[model] ?? {}
    equal([Number(input), Number(output)], [takes, gives], model)
  }
  for (const [, provider, model] of page.matchAll(/--provider (\S+) --model (\S+)/g))
    ok(model === 'vendor/model' || prices.models[`${provider}/${model}`], model)
})

test.run()
