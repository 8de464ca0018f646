/** What fell due, told to the person. */

import { toThem } from './pronouns.ts'
import type { Situation } from './situation.ts'
import { address } from './small-talk.ts'
import { sayWhen } from './wall-clock.ts'

const dueLine = /^\[due\] (\w+), planned for (\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d)?(, now late)?: (.*)$/

export const tellDue = (heard: string, situation: Situation): string =>
  heard
    .split('\n')
    .flatMap((line) => {
      const [, , when, late, content] = dueLine.exec(line.trim()) ?? []
      if (!when || content === undefined) return []
      const what = toThem(content).replace(/([^.!?])$/, '$1.')
      return [
        late
          ? `This comes late${address(situation)}, I am sorry. It was planned for ${sayWhen(when, situation.now ?? when, null).replace(/^on /, '')}: ${what}`
          : `It is time${address(situation)}, as you asked: ${what}`,
      ]
    })
    .join(' ')
