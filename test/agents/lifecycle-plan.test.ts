import { test } from 'uvu'
import { equal } from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { planStep } from '../../src/agents/lifecycle-steps.ts'
import { born, minded, opus, web } from '../persona/given.ts'

const status = (status: 'active' | 'hibernate' | 'sick'): PersonaEvent => ({
  type: 'StatusSet',
  status,
  reason: null,
})
const organ: PersonaEvent = { type: 'OrganReplaced', slot: 'eye', organ: opus }

/** The contract's table: trigger, the step when stopped, the step when running. */
const table: readonly (readonly [string, readonly PersonaEvent[], string, string])[] = [
  ['create', [born, minded, { type: 'StartAsked' }], 'start', 'leave'],
  ['start', [{ type: 'StartAsked' }], 'start', 'leave'],
  ['stop', [{ type: 'StopAsked' }], 'leave', 'stop'],
  ['restart', [{ type: 'RestartAsked' }], 'start', 'restart'],
  ['update with status active', [status('active')], 'start', 'restart'],
  ['update with status hibernate', [status('hibernate')], 'leave', 'stop'],
  ['update with status sick', [status('sick')], 'leave', 'stop'],
  ['update with organs and status active', [organ, status('active')], 'start', 'restart'],
  ['update with organs and status hibernate', [organ, status('hibernate')], 'leave', 'stop'],
  ['update with organs only', [organ], 'leave', 'restart'],
  ['update that clears an organ', [{ type: 'OrganRemoved', slot: 'eye' }], 'leave', 'restart'],
  ['update of the name', [{ type: 'Renamed', name: 'Bo' }], 'leave', 'leave'],
  ['delete', [{ type: 'PersonaDeleted', purge: false }], 'leave', 'stop'],
  [
    'a message',
    [{ type: 'MessageHeard', channel: web, parts: [], media: null, key: null }],
    'leave',
    'leave',
  ],
  ['an update of nothing', [], 'leave', 'leave'],
]

for (const [trigger, events, stopped, running] of table)
  test(`${trigger}: ${stopped} when stopped, ${running} when running`, () => {
    equal(planStep(events, false), stopped)
    equal(planStep(events, true), running)
  })

test.run()
