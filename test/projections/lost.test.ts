/** The state of journals with lost facts. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import { toPersonaView } from '../../projections/view.ts'
import { readConfig } from '../../src/config.ts'
import { born, factsByType } from '../journal/facts.ts'
import { createChance } from '../random.ts'

// A salvaged journal may lack any fact. An end without a beginning must not prevent a start.
test('any facts in any order after the first give a persona that can be shown', () => {
  const chance = createChance('facts in any order')
  const { PersonaCreated: _, ...rest } = factsByType
  const all = Object.values(rest) as [PersonaEvent, ...PersonaEvent[]]
  const { urls } = readConfig({})
  for (let life = 0; life < 300; life++) {
    let persona: Persona = evolve(undefined, { seq: 1, at: 1, event: born })
    for (let seq = 2; seq < 60; seq++) persona = evolve(persona, { seq, at: seq, event: chance.pick(all) })
    assert.type(toPersonaView(persona.self, { running: false, webOpen: false }, urls).name, 'string')
  }
})

test.run()
