/** Which spellings count as the same word, and how a query is parsed. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createYielding } from '../../packages/kit/flow/yielding.ts'
import { getExcerpt, parseQuery, placesIn } from '../../src/search/query.ts'

const finds = async (query: string, text: string, prefixMode: 'last' | 'none' = 'last') => {
  const expectedQuery = parseQuery(query, prefixMode)
  const places = await placesIn(text, expectedQuery, createYielding())
  return places.length > 0 && places.every((place) => place !== undefined)
}

const cases: readonly (readonly [
  what: string,
  query: string,
  found: readonly string[],
  not: readonly string[],
])[] = [
  ['case and accents', 'Élan CAFÉ', ['un élan au café', 'Cafe Elan', 'e\u0301lan cafe\u0301'], ['un elan']],
  [
    'umlauts as they are written',
    'Müller ',
    ['Müller', 'MULLER', 'Mueller', 'mu\u0308ller'],
    ['Miller', 'Moeller'],
  ],
  ['umlauts that a keyboard has not', 'mueller ', ['Müller', 'Mueller'], ['Muller']],
  ['a sharp s', 'STRASSE ', ['Straße', 'strasse'], ['Strase']],
  ['Greek, with its last sigma', 'ΣΊΣΥΦΟΣ ', ['ο Σίσυφος'], ['Σίσυφο']],
  ['Russian', 'елка ', ['Ёлка стоит'], ['Ёлки']],
  ['Arabic without its vowels', 'محمد ', ['مُحَمَّد'], ['أحمد']],
  ['Hindi with its vowels', 'की ', ['राम की'], ['राम कि']],
  ['Chinese, two letters side by side', '东京', ['我去东京了'], ['东边的京城', '京东']],
  ['Chinese, one letter', '京', ['我去东京了'], ['东边']],
  ['Chinese, more letters than two', '北京大学', ['在北京大学读书'], ['北京京大大学']],
  ['Japanese beside Latin letters', 'カメラ', ['新しいカメラ, iPhoneカメラ'], ['カラメ']],
  ['Japanese letters of half the width', 'ガラス', ['ｶﾞﾗｽの家'], ['カラス']],
  ['Korean', '안녕', ['안녕하세요', '안녕하세요'.normalize('NFD')], ['녕안']],
  ['Thai', 'ภาษา', ['ฉันพูดภาษาไทย'], ['ฉันพูดไทย']],
  ['numbers', '2026', ['on 2026-11-23', 'in 2026'], ['20 26']],
  [
    'a beginning, while it is typed',
    'my gard',
    ['my gardens', 'gardening is my life'],
    ['my yard', 'mygarden'],
  ],
  ['no beginning behind a space', 'gard ', ['gard'], ['garden']],
  ['no beginning of two letters', 'ga', ['ga'], ['garden']],
  [
    'words side by side',
    '"old garden" fence',
    ['a fence of the old garden', 'old GARDEN, fence'],
    ['the garden is old, the fence', 'old fence garden'],
  ],
  ['quotation marks of other countries', '„alter Garten“', ['mein alter, Garten'], ['alter grüner Garten']],
  ['a quotation that is not closed', '"old gar', ['old gar'], ['old garden']],
  ['a sign', '🎉', ['🎉🎉 at last'], ['at last']],
  [
    'an apostrophe, or none',
    "O'Reilly ",
    ["Tim O'Reilly", 'O’REILLY', 'OReilly', "o'reilly's"],
    ["O'Really", 'o reillys'],
  ],
  ['no apostrophe', 'OReilly ', ["Tim O'Reilly", 'OReilly'], ['Reilly']],
  ['text after an apostrophe', 'amour ', ["l'amour", 'de l’amour'], ['lamour']],
  [
    'an apostrophe in a quotation',
    '"tim o\'reilly writes"',
    ["Tim O'Reilly writes", 'tim oreilly writes'],
    ["O'Reilly, Tim writes"],
  ],
  ['a beginning with an apostrophe', "müller'sch", ["Müller'sche", 'Muellersche'], ["Müller's"]],
  ['single quotation marks', "'garden'", ["the 'garden'", 'garden'], ['guarded']],
  ['an apostrophe where there are no spaces', "我'去", ["我'去东京", '我去'], ['去我']],
  [
    'a star behind a beginning',
    'lis* gard* now',
    ['Lisbon gardens, now'],
    ['Lisbon, now', 'a list of garbage, now'],
  ],
  ['a star behind everything', 'lis*', ['Lisbon', 'a list'], ['a flist']],
  ['a star without a word', 'lis * ', ['lis'], ['list']],
  ['an address by its parts', 'mia@example.org', ['write to Mia@Example.org'], ['mia at home']],
]
for (const [what, query, found, not] of cases)
  test(what, async () => {
    for (const text of found) assert.ok(await finds(query, text), `${query} in ${text}`)
    for (const text of not) assert.not(await finds(query, text), `${query} not in ${text}`)
  })

test('a query of punctuation alone is empty', () => {
  for (const text of ['', '  ', '?!…', '""', '"" " "']) assert.equal(parseQuery(text, 'last'), [], text)
})

test('matches prefixes only on request or before a star', async () => {
  assert.not(await finds('mum liv', 'Where mum lived', 'none'))
  assert.ok(await finds('mum liv*', 'Where mum lived', 'none'))
})

test('indexes an overlong word by its beginning', async () => {
  assert.ok(await finds(`${'x'.repeat(100)} `, `${'X'.repeat(100)}`))
  assert.ok(await finds(`${'𝒳'.repeat(100)} `, 'x'.repeat(100)))
})

test('an excerpt shows the match, and splits no character', () => {
  const long = `${'🦊'.repeat(200)} fox ${'🦊'.repeat(200)}`
  for (let place = 0; place < long.length; place += 7) {
    const excerpt = getExcerpt(long, place)
    assert.ok(excerpt.length <= 302 && excerpt.isWellFormed(), `${place}`)
    if (place < long.indexOf('fox') && place > 330) assert.match(excerpt, 'fox')
  }
  assert.is(getExcerpt('short', 3), 'short')
})

test.run()
