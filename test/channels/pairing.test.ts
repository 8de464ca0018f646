/** Pairing codes and splitting of text, without a disk. */
import { randomBytes } from 'node:crypto'
import { test } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { alphabet, createPairing, formatPairingCode } from '../../src/channels/pairing.ts'
import { split } from '../../src/channels/split.ts'
import { spokenParts } from '../../src/channels/spoken-parts.ts'
import { createChance } from '../random.ts'

const minute = 60_000
const chat = { channel: 'c1', target: '42' }

const startPairing = () => {
  let nowEpoch = 1_780_000_000_000
  const pairing = createPairing({ now: () => nowEpoch, random: randomBytes })
  return {
    ...pairing,
    later: (ms: number) => {
      nowEpoch += ms
    },
    given: (target = '42', channel = 'c1') => pairing.issue('ada', { channel, target }) ?? '',
  }
}
const getBound = (claim: ReturnType<ReturnType<typeof startPairing>['claim']>) =>
  claim && { channel: claim.channel, target: claim.target }

test('a code is eight of 32 unambiguous letters and digits, alone on its line', () => {
  is(new Set(alphabet).size, 32)
  for (const like of 'IO01') not.ok(alphabet.includes(like), like)
  const { given } = startPairing()
  const code = given()
  is(code.length, 8)
  ok([...code].every((letter) => alphabet.includes(letter)))
  ok(formatPairingCode(code).split('\n').includes(code))
})

test('accepts a code once, in any case, with hyphens and blanks', () => {
  const { given, claim } = startPairing()
  const code = given()
  is(claim('eva', code), null)
  equal(getBound(claim('ada', ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}\n`)), chat)
  is(claim('ada', code), null)
})

test('a code is valid for ten minutes', () => {
  const { given, claim, later } = startPairing()
  const code = given()
  later(10 * minute - 1)
  equal(getBound(claim('ada', code)), chat)
  const latePairing = given()
  later(10 * minute)
  is(claim('ada', latePairing), null)
})

test('a chat that asks again gets a new code instead, at most three in ten minutes', () => {
  const { given, claim, later } = startPairing()
  const codes = [given(), given(), given(), given()]
  is(codes[3], '')
  equal(
    codes.slice(0, 3).map((code) => claim('ada', code) !== null),
    [false, false, true],
  )
  is(given(), '')
  later(10 * minute)
  not.equal(given(), '')
})

test('three chats of a channel can have a code at a time', () => {
  const { given, claim } = startPairing()
  const first = given('1')
  ok(given('2') && given('3'))
  is(given('4'), '')
  ok(given('4', 'another'))
  claim('ada', first)
  ok(given('4'))
})

test('the tenth wrong code revokes all given codes, and not earlier', () => {
  const wrong = 'AAAAAAAA'
  const { given, claim } = startPairing()
  const pairing = given()
  for (let n = 0; n < 9; n++) is(claim('ada', wrong), null)
  ok(claim('ada', pairing))
  const burntPairing = given()
  for (let n = 0; n < 10; n++) is(claim('ada', wrong), null)
  is(claim('ada', burntPairing), null)
})

test('remembers the topic from which a chat last asked, also if the chat waits', () => {
  const { issue, topic, due, withdraw } = startPairing()
  const code = issue('ada', chat, '7') ?? ''
  is(topic('ada', chat), '7')
  withdraw('ada', { ...chat, code, lasting: false })
  is(due('ada', 'c1').length, 1)
  is(topic('ada', chat), '7')
  is(topic('ada', { ...chat, target: '43' }), undefined)
  issue('ada', chat)
  is(topic('ada', chat), undefined)
})

test('a failed pairing makes the code valid again', () => {
  const { given, claim, unclaim } = startPairing()
  const code = given()
  const claimedBot = claim('ada', code)
  ok(claimedBot)
  if (claimedBot) unclaim('ada', claimedBot)
  equal(getBound(claim('ada', code)), chat)
})

test('splits any text so that only blanks are lost and every part fits', () => {
  const chance = createChance('words cut for a platform')
  const bits = [
    'word',
    ' ',
    ' ',
    '\n',
    '\n\n',
    'a',
    '🌱',
    '👩‍👩‍👧‍👦',
    'é',
    'e\u0301',
    '  ',
    'Donaudampfschifffahrtsgesellschaft',
    '.',
    '\t',
  ]
  for (let n = 0; n < 400; n++) {
    const maxUnits = 12 + Math.floor(chance.next() * 40)
    const text = Array.from(
      { length: Math.floor(chance.next() * 80) },
      () => bits[Math.floor(chance.next() * bits.length)],
    ).join('')
    const parts = split(text, maxUnits)
    is(parts.join('').replaceAll(/\s/g, ''), text.replaceAll(/\s/g, ''))
    for (const part of parts) {
      ok(part.length <= maxUnits && part.trim() !== '', JSON.stringify(part))
      ok(part.isWellFormed(), JSON.stringify(part))
      not.match(part, /^[\u0301\u200d]/)
    }
  }
})

test('splits after a paragraph, else a line, else a word, and only then inside a word', () => {
  equal(split('One two.\n\nThree four five.', 18), ['One two.', 'Three four five.'])
  equal(split('One two three\nfour five six', 18), ['One two three', 'four five six'])
  equal(split('One two three four', 9), ['One two', 'three', 'four'])
  equal(split('abcdefghij', 4), ['abcd', 'efgh', 'ij'])
  equal(split('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 14), ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'])
  equal(split(' \n ', 10), [])
  match(split('first line here\n    indented', 20)[1] ?? '', /^ {4}indented/)
})

// Seen failing when a split block was open in one message and without a fence in the next.
test('closes a code fence at a split and opens it again with its language', () => {
  const code = Array.from({ length: 12 }, (_, n) => `  let line${n} = ${n}`)
  const text = `Look:\n\n\`\`\`ts\n${code.join('\n')}\n\n  last()\n\`\`\`\n\nThat is all.`
  for (let maxUnits = 40; maxUnits < 260; maxUnits += 7) {
    const parts = split(text, maxUnits)
    for (const part of parts) {
      ok(part.length <= maxUnits, `${part.length} of ${maxUnits}`)
      is((part.match(/^```/gm) ?? []).length % 2, 0, part)
      not.match(part, /^```ts\n```$/m)
    }
    const inside = parts.flatMap((part) =>
      [...part.matchAll(/^```ts\n([\s\S]*?)\n```/gm)].map(([, lines]) => lines),
    )
    equal(inside.join('\n').split('\n').filter(Boolean), [...code, '  last()'])
    is(
      parts
        .join('\n')
        .replace(/^```ts\n[\s\S]*?\n```\n?/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
      'Look: That is all.',
    )
  }
})

test('also closes fences with overlong lines, unclosed fences and fences of tildes', () => {
  const chance = createChance('code cut for a platform')
  // A language with one letter is never split.
  const bits = [
    '```c\n',
    '\n```\n',
    '~~~\n',
    '\n~~~\n',
    'word ',
    'x'.repeat(70),
    '\n',
    '    ',
    '````\n',
    '`inline` ',
  ]
  for (let n = 0; n < 300; n++) {
    const maxUnits = 40 + Math.floor(chance.next() * 60)
    const text = Array.from(
      { length: Math.floor(chance.next() * 40) },
      () => bits[Math.floor(chance.next() * bits.length)],
    ).join('')
    for (const part of split(text, maxUnits))
      ok(part.length <= maxUnits && part.trim() !== '', JSON.stringify([maxUnits, part, text]))
    const letters = (message: string) => message.replaceAll(/[\s`~c]/g, '')
    is(letters(split(text, maxUnits).join('')), letters(text), JSON.stringify([maxUnits, text]))
  }
})

test('splits a letter that exceeds the limit between its code points', () => {
  for (const part of split('👩‍👩‍👧‍👦', 4)) ok(part.length <= 4 && part.isWellFormed(), part)
})

test('sends the text, then the file, then a caption that is too long', () => {
  const limits = { text: 20, caption: 10 }
  const media = (caption: string) => ({
    filename: 'a.png',
    name: 'a.png',
    mime: 'image/png',
    caption,
    voice: false,
    bytes: 1,
    sha256: null,
  })
  const createIncoming = (content: string, caption: string) =>
    spokenParts({ content, media: media(caption) }, limits).map((part) =>
      typeof part === 'string' ? part : `[${part.caption}]`,
    )
  equal(createIncoming('', 'a kite'), ['[a kite]'])
  equal(createIncoming('a kite', 'a kite'), ['[a kite]'])
  equal(createIncoming('Look at this one', 'a kite'), ['Look at this one', '[a kite]'])
  equal(createIncoming('', 'a kite over the sea'), ['[]', 'a kite over the sea'])
  equal(spokenParts({ content: ' ', media: null }, limits), [])
})

test.run()
