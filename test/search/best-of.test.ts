/**
 * Compares the bounded selection with a full sort: candidates that cannot be among the best are skipped, and
 * the result stays the same.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findBest, type Parts } from '../../src/search/best-of.ts'
import {
  add,
  countPositions,
  intersect,
  nextPosition,
  noPositions,
  type Positions,
  placeBefore,
} from '../../src/search/positions.ts'
import type { Term } from '../../src/search/terms.ts'
import { type Chance, createChance } from '../random.ts'

const chance = createChance('best of')
const facts = 6000

const drawPositions = (share: number, { next }: Chance): Positions => {
  const positions = noPositions(1, facts + 1)
  for (let seq = 1; seq <= facts; seq++) if (next() < share) add(positions, seq)
  return positions
}

/** Words from common (in half of all texts) to rare. */
const life = (mode: Parts['by'], wordCount: number): Parts => {
  const searchable = drawPositions(0.7, chance)
  const count = countPositions(searchable)
  const terms = Array.from({ length: wordCount }, (_, n): Term => {
    const positions = intersect(drawPositions(0.5 / 4 ** (n % 5), chance), searchable)
    const had = countPositions(positions)
    const weight = Math.log(1 + (count - had + 0.5) / (had + 0.5))
    return { group: [], positions, weight, isNeeded: n % 4 !== 3, isOfDate: false }
  })
  const [first] = terms
  const isNamed = first && chance.pickBetween(0, 3) === 0
  return {
    terms,
    searchable,
    by: mode,
    names: new Set(isNamed ? [first] : []),
    speakers: new Set(isNamed ? ['own'] : []),
    messages: intersect(drawPositions(0.8, chance), searchable),
    own: drawPositions(0.5, chance),
    questions: drawPositions(0.2, chance),
    lengths: Uint8Array.from({ length: facts }, () => chance.pickBetween(0, 12)),
  }
}

const noPause = () => undefined

test('in small parts and with many words, the same in the same order', async () => {
  let passedCount = 0
  for (let n = 0; n < 60; n++) {
    const parts = life(n % 3 === 0 ? 'words' : 'sense', chance.pickBetween(1, 9))
    const neededCount = parts.terms.filter((term) => term.isNeeded).length
    for (const minimum of new Set([0, Math.min(1, neededCount), neededCount])) {
      const options = { minScore: minimum, maxCount: chance.pickBetween(1, 30) }
      const [quick, whole] = await Promise.all(
        [false, true].map((isWhole) => findBest(parts, options, noPause, { atOnce: 256, isWhole })),
      )
      assert.equal(quick, whole, `${n}: ${minimum} of ${neededCount}`)
      if ((quick?.length ?? 0) > 0) passedCount++
    }
  }
  assert.ok(passedCount > 60, `${passedCount}`)
})

test('finds the nearest positions before and after a position', () => {
  const positions = drawPositions(0.03, chance)
  const places = Array.from({ length: facts }, (_, place) => place).filter(
    (place) => ((positions.bits[place >> 5] ?? 0) >>> (place & 31)) & 1,
  )
  for (let place = 0; place < facts; place++) {
    assert.is(placeBefore(positions, place), places.findLast((otherPlace) => otherPlace < place) ?? -1)
    assert.is(nextPosition(positions, place), places.find((otherPlace) => otherPlace > place) ?? -1)
  }
})

test.run()
