/** The table of help: the form of its rows, and the texts that are made from it. */
import { test } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { findCountry, listHelpCountries, loadHelp, writeHelp } from '../help.ts'

const table = await loadHelp()
const rows = [...table.helplines, ...table.emergencies]

test('has only rows with a known country, a source and a day that is not in the future', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const today = new Date().toISOString().slice(0, 10)
  for (const { countries, source, checked } of rows) {
    for (const country of countries) ok(names.of(country), country)
    ok(new URL(source).protocol === 'https:', source)
    ok(checked >= '2026-01-01' && checked <= today, checked)
  }
})

test('has one emergency number for each country, and for each country with a crisis line', () => {
  const countries = table.emergencies.flatMap((row) => row.countries)
  equal(countries.length, new Set(countries).size)
  for (const { name, countries: ofLine } of table.helplines)
    for (const country of ofLine) ok(countries.includes(country) || country === 'LI', `${name}: ${country}`)
})

test('names the languages of crisis lines by known codes', () => {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  for (const { languages } of table.helplines)
    for (const language of languages) ok(names.of(language), language)
})

test('finds the country of a time zone, also by a former name', () => {
  const find = (zone: string) => findCountry(zone, table)
  is(find('Europe/Berlin'), 'DE')
  is(find('America/Los_Angeles'), 'US')
  is(find('America/Toronto'), 'CA')
  is(find('Asia/Kolkata'), 'IN')
  is(find('Asia/Calcutta'), 'IN')
  is(find('Europe/Zurich'), 'CH')
  is(find('UTC'), null)
  is(find('Mars/Olympus'), null)
})

test('writes the help of a country in both languages', () => {
  is(
    writeHelp('DE', 'de', table),
    'Wenn du jetzt mit einem Menschen sprechen willst:\nTelefonSeelsorge: 0800 1110111, Tag und Nacht, https://www.telefonseelsorge.de\nWenn dein Leben in Gefahr ist, ruf die 112 an.',
  )
  is(
    writeHelp('US', 'en', table),
    'If you want to talk to a person now:\n988 Suicide & Crisis Lifeline: 988, day and night, text 988, https://988lifeline.org\nIf your life is in danger, call 911.',
  )
  is(writeHelp('JP', 'en', table), 'If your life is in danger, call 119.')
})

test('names the local emergency number if nothing else is known', () => {
  is(writeHelp(null, 'en', table), 'If your life is in danger, call your local emergency number.')
  is(writeHelp('AQ', 'de', table), 'Wenn dein Leben in Gefahr ist, ruf den Notruf deines Landes an.')
})

test('lists each country once', () => {
  const countries = listHelpCountries(table)
  equal(countries, [...new Set(countries)].sort())
})

test.run()
