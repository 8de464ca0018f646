/** What is folded from a life with holes in it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import { viewOf } from '../../projections/view.ts'
import { readConfig } from '../../src/config.ts'
import { born, oneOfEach } from '../journal/facts.ts'
import { createChance } from '../random.ts'

// A salvaged journal has lost facts anywhere: an end without a beginning must not keep it from waking.
test('any facts in any order behind the first make a persona who can be shown', () => {
  const chance = createChance('facts in any order')
  const { PersonaCreated: _, ...rest } = oneOfEach
  const all = Object.values(rest) as [PersonaEvent, ...PersonaEvent[]]
  const { urls } = readConfig({})
  for (let life = 0; life < 300; life++) {
    let persona: Persona = evolve(undefined, { seq: 1, at: 1, event: born })
    for (let seq = 2; seq < 60; seq++) persona = evolve(persona, { seq, at: seq, event: chance.pick(all) })
    assert.type(viewOf(persona.self, { running: false, webOpen: false }, urls).name, 'string')
  }
})

test.run()
