/** Servers of tools, what a person allows of them, and what waits for the person's word. */
import * as z from 'zod'
import { fact, unchanged } from './fact.ts'
import { Channel, Decided, Seq, Sha256, ToolMode, ToolServer } from './fact-values.ts'

const row = {
  index: null,
  search: null,
  background: false,
  missed: true,
  changes: [],
  wish: 'none',
  blank: null,
} as const
const ofServers = { ...row, state: ['self'], changes: ['keys'] } as const

export const toolFacts = {
  /** Declared, or declared anew: what was decided of its tools stays. */
  ToolServerSet: fact(
    { name: z.string(), server: ToolServer },
    {
      ...{ ...ofServers, outside: ['name'], older: [unchanged] },
      blank: { server: { transport: 'stdio', command: '', args: [], cwd: null, env: [] } },
    },
  ),
  ToolServerRemoved: fact({ name: z.string() }, { ...ofServers, outside: ['name'] }),
  /**
   * `definition`: the hash of the tool as it was described when that was decided, and `described` its JSON,
   * where that is no longer than 16 KiB; null where nobody knew it.
   */
  ToolModeSet: fact(
    {
      ...{ server: z.string(), tool: z.string(), mode: ToolMode },
      ...{ definition: Sha256.nullable(), described: z.string().nullable() },
    },
    { ...ofServers, changes: [], outside: ['server', 'tool', 'mode'] },
  ),
  /**
   * A call of a turn waits for the person's word, and the turn with it. An approval's id is the position of
   * this. `input` is null where it is so long that it stands in the recorded answer alone. `changed`: the
   * tool was allowed, and is described otherwise since. `again`: the tool is allowed always, but the user has
   * not seen this address yet.
   */
  ApprovalAsked: fact(
    {
      ...{ turn: Seq, step: z.int(), call: z.string(), server: z.string(), tool: z.string() },
      ...{ input: z.unknown(), definition: Sha256, changed: z.boolean(), again: z.boolean().optional() },
    },
    {
      ...{ ...row, state: ['talk'], outside: ['turn', 'step', 'call', 'server', 'tool', 'changed', 'again'] },
      blank: { input: null },
    },
  ),
  /** `channel`: where the person said so; null where it was not said on a channel. */
  ApprovalSettled: fact(
    { approval: Seq, decision: Decided, channel: Channel.nullable() },
    { ...row, state: ['talk'], outside: ['approval', 'decision'] },
  ),
  /** A turn whose approvals are all settled goes on. */
  TurnResumed: fact(
    { turn: Seq, life: z.int() },
    { ...row, state: ['talk'], background: true, outside: ['turn', 'life'] },
  ),
}
