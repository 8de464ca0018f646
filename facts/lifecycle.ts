/** Facts about starting and stopping a persona, its organs' failures, and its host in a cluster. */

import * as z from 'zod'
import { fact } from './fact.ts'
import { Provider, Slot } from './fact-values.ts'

const byItself = {
  index: null,
  search: null,
  state: ['life'],
  background: true,
  missed: false,
  changes: [],
  blank: null,
  wish: 'none',
} as const

export const lifecycleFacts = {
  /** The user asked to start the persona. */
  StartAsked: fact({}, { ...byItself, state: ['self'], outside: [], wish: 'run' }),
  /** The user asked to stop the persona. */
  StopAsked: fact({}, { ...byItself, state: ['self', 'responses'], outside: [], wish: 'rest' }),
  /** The user asked to restart the persona. */
  RestartAsked: fact({}, { ...byItself, state: ['self'], outside: [], wish: 'run anew' }),
  /** The persona started. */
  Woke: fact(
    { life: z.int() },
    {
      ...byItself,
      state: ['life', 'talk', 'responses'],
      outside: ['life'],
      links: { life: { thing: 'life', as: 'first' } },
    },
  ),
  /** The persona stopped. */
  Stopped: fact(
    { life: z.int() },
    {
      ...byItself,
      state: ['life', 'talk'],
      outside: ['life'],
      links: { life: { thing: 'life', as: 'next' } },
    },
  ),
  /** The persona could not start. */
  WakingFailed: fact({ reason: z.string() }, { ...byItself, state: [], outside: ['reason'] }),
  /** The model of an organ failed. */
  OrganFailed: fact(
    { slot: Slot, reason: z.string() },
    {
      ...byItself,
      outside: ['slot', 'reason'],
      links: { slot: { thing: 'organ', as: 'next' } },
      counted: { as: 'organ_failures', by: ['slot'] },
    },
  ),
  /** The model of an organ works again. */
  OrganRecovered: fact(
    { slot: Slot },
    {
      ...byItself,
      state: ['life', 'talk'],
      outside: ['slot'],
      links: { slot: { thing: 'organ', as: 'next' } },
    },
  ),
  /**
   * A model was tested as the Mind. It need not be the Mind yet. `no_tools`: it talks, but does not call a
   * tool. `answersJson` null: not tested. `speed`: tokens per second. `reason`: why the first failed test
   * failed.
   */
  MindTested: fact(
    {
      provider: Provider.nullable(),
      model: z.string(),
      url: z.string().nullable(),
      result: z.enum(['works', 'no_tools', 'fails']),
      answersJson: z.boolean().nullable(),
      speed: z.number().nullable(),
      reason: z.string().nullable(),
    },
    { ...byItself, outside: ['provider', 'model', 'result', 'speed'] },
  ),
  /**
   * A daemon of the cluster took over the persona. It is the first fact that this daemon writes. Of two
   * hosts, the one with the later epoch is valid.
   */
  Hosted: fact(
    { epoch: z.int().min(1), daemon: z.string() },
    { ...byItself, state: [], outside: ['epoch', 'daemon'] },
  ),
}
