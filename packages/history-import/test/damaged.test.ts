/** Histories cut into chunks of every size, and randomly damaged histories. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { printFigures, scaleSize } from '../../../test/ordeal.ts'
import { type Chance, createChance } from '../../../test/random.ts'
import { withFile } from '../../documents/test/place.ts'
import { toUtf8 } from '../../documents/text-encoding.ts'
import { createYielding } from '../../kit/flow/yielding.ts'
import { conversationsIn, readHistory } from '../exported-history.ts'
import type { Conversation } from '../imported-conversation.ts'
import { Unreadable } from '../unreadable.ts'
import { fixtures } from './made.ts'
import { jsonForms, otherForms } from './made-forms.ts'

const { signal } = new AbortController()

const inChunks = async (bytes: Buffer, size: number): Promise<readonly (Conversation | undefined)[]> => {
  const chunks = async function* () {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
  }
  const all: (Conversation | undefined)[] = []
  for await (const conversation of conversationsIn(
    toUtf8(chunks),
    createYielding(signal),
    assert.unreachable,
  ))
    all.push(conversation)
  return all
}

/** Seen failing with `escaped` of the splitter forgotten at the end of a chunk. */
test('reads the same conversations for every size of chunks', async () => {
  for (const [name, bytes] of Object.entries({ ...fixtures(), ...jsonForms() })) {
    if (name.endsWith('zip')) continue
    const wholeResult = await inChunks(bytes, bytes.length)
    assert.ok(wholeResult.some(Boolean), name)
    for (const size of [1, 7, 1021])
      assert.equal(await inChunks(bytes, size), wholeResult, `${name} by ${size}`)
  }
})

const damage = (bytes: Buffer, chance: Chance): Buffer => {
  let changedBytes: Buffer = Buffer.from(bytes)
  // Half of them stay JSON, of another shape.
  const sound = chance.next() < 0.5
  for (let changesLeft = chance.pickBetween(1, 4); changesLeft > 0; changesLeft--) {
    const position = chance.pickBetween(0, Math.max(0, changedBytes.length - 1))
    const piece = changedBytes.subarray(position, position + chance.pickBetween(1, 200))
    const changeKind = sound ? 'retype' : chance.pick(['flip', 'sign', 'cut', 'end', 'repeat'])
    if (changeKind === 'flip' && changedBytes.length > 0)
      changedBytes[position] = (changedBytes[position] ?? 0) ^ (1 << chance.pickBetween(0, 7))
    if (changeKind === 'sign' && changedBytes.length > 0)
      changedBytes[position] =
        Buffer.from(chance.pick(['"', '\\', '[', ']', '{', '}', ',', ':', ' ', '\0']))[0] ?? 0
    if (changeKind === 'cut')
      changedBytes = Buffer.concat([
        changedBytes.subarray(0, position),
        changedBytes.subarray(position + piece.length),
      ])
    if (changeKind === 'end') changedBytes = Buffer.from(changedBytes.subarray(0, position))
    if (changeKind === 'repeat')
      changedBytes = Buffer.concat([
        changedBytes.subarray(0, position),
        piece,
        piece,
        changedBytes.subarray(position),
      ])
    if (changeKind === 'retype') changedBytes = retypeValue(changedBytes, position, chance)
  }
  return changedBytes
}

/** Replaces a value by one of another type, so that the text stays JSON. */
const retypeValue = (bytes: Buffer, from: number, chance: Chance): Buffer => {
  const text = bytes.toString('latin1')
  const position = text.indexOf('":"', from)
  const end = text.indexOf('"', position + 3)
  if (position < 0 || end < 0) return bytes
  const other = chance.pick([
    'null',
    '12',
    'true',
    '[]',
    '{}',
    '[null]',
    '{"text":[]}',
    '-1e999',
    '"__proto__"',
    '""',
  ])
  return Buffer.from(`${text.slice(0, position + 2)}${other}${text.slice(end + 1)}`, 'latin1')
}

/** Seen failing with `looseOf` taken away from the metadata of ChatGPT: a TypeError came out. */
test('ends each of many damaged histories in conversations or as unreadable, and in nothing else', async () => {
  const chance = createChance('damaged histories')
  const outcomes = { read: 0, unreadable: 0 }
  const roundsEach = scaleSize(200, 40)
  await withFile('', async (path) => {
    const { writeFile } = await import('node:fs/promises')
    for (const bytes of Object.values({ ...fixtures(), ...jsonForms(), ...otherForms() })) {
      for (let roundsLeft = roundsEach; roundsLeft > 0; roundsLeft--) {
        await writeFile(path, damage(bytes, chance))
        try {
          for await (const { messages, title, hash } of readHistory(path, { signal })) {
            assert.ok(messages.length > 0 && title.length <= 200 && hash.length === 64)
            for (const { role, content } of messages)
              assert.ok(['user', 'assistant'].includes(role) && content.isWellFormed() && content !== '')
          }
          outcomes.read++
        } catch (error) {
          if (!(error instanceof Unreadable)) throw error
          outcomes.unreadable++
        }
      }
    }
  })
  assert.ok(outcomes.read > 0 && outcomes.unreadable > 0)
  printFigures(
    'damaged histories',
    `${outcomes.read + outcomes.unreadable} damaged`,
    `${outcomes.read} read, ${outcomes.unreadable} unreadable`,
  )
})

test.run()
