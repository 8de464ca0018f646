/** Facts about tool servers, the user's permissions for their tools, and pending approvals. */
import * as z from 'zod'
import { keepPayload } from '../journal/log/vocabulary.ts'
import { fact, ordinaryTraits } from './fact.ts'
import {
  Channel,
  Decided,
  Price,
  SearchProvider,
  SearchSetting,
  Seq,
  Sha256,
  ToolMode,
  ToolServer,
} from './fact-values.ts'

const ofServers = { ...ordinaryTraits, state: ['self'], changes: ['keys'] } as const

export const toolFacts = {
  /** A tool server was declared or redeclared. The permissions of its tools stay. */
  ToolServerSet: fact(
    { name: z.string(), server: ToolServer },
    {
      ...ofServers,
      outside: ['name'],
      links: { name: { thing: 'server', as: 'first' } },
      older: [keepPayload],
      blank: { server: { transport: 'stdio', command: '', args: [], cwd: null, env: [] } },
    },
  ),
  /** The user removed the tool server. */
  ToolServerRemoved: fact(
    { name: z.string() },
    { ...ofServers, outside: ['name'], links: { name: { thing: 'server', as: 'next' } } },
  ),
  /**
   * The user set the permission for a tool. `definition`: hash of the tool's description at the time of the
   * decision. `described`: its JSON if that is at most 16 KiB. Both are null if the description was unknown.
   */
  ToolModeSet: fact(
    {
      server: z.string(),
      tool: z.string(),
      mode: ToolMode,
      definition: Sha256.nullable(),
      described: z.string().nullable(),
    },
    {
      ...ofServers,
      changes: [],
      outside: ['server', 'tool', 'mode'],
      links: { server: { thing: 'server', as: 'about' } },
    },
  ),
  /**
   * The search providers in the order in which they are tried; replaces the earlier list. `readsResults`:
   * pages that a search found may be read without asking.
   */
  SearchProvidersSet: fact(
    { providers: z.array(SearchSetting).readonly(), readsResults: z.boolean() },
    { ...ofServers, outside: 'nothing' },
  ),
  /** A search at one provider. `found`: number of results, null if it failed. */
  WebSearched: fact(
    {
      turn: Seq,
      step: z.int(),
      provider: SearchProvider,
      found: z.int().min(0).nullable(),
      price: Price.nullable(),
    },
    {
      ...ordinaryTraits,
      index: 'calls',
      state: ['web'],
      background: true,
      outside: ['turn', 'step', 'provider', 'found'],
      links: { turn: { to: 'turn' } },
    },
  ),
  /**
   * A tool call, and its turn, wait for the user's decision. An approval's id is the position of this fact.
   * `input` is null if it is so long that only the recorded answer holds it. `changed`: the tool was allowed,
   * and its description has changed since. `again`: the tool is always allowed, but the user has not seen
   * this address yet.
   */
  ApprovalAsked: fact(
    {
      turn: Seq,
      step: z.int(),
      call: z.string(),
      server: z.string(),
      tool: z.string(),
      input: z.unknown(),
      definition: Sha256,
      changed: z.boolean(),
      again: z.boolean().optional(),
    },
    {
      ...ordinaryTraits,
      state: ['talk'],
      outside: ['turn', 'step', 'call', 'server', 'tool', 'changed', 'again'],
      links: { turn: { to: 'turn' } },
      blank: { input: null },
    },
  ),
  /**
   * The question about a tool call was settled. `channel`: where the user decided; null if it was not on a
   * channel.
   */
  ApprovalSettled: fact(
    { approval: Seq, decision: Decided, channel: Channel.nullable() },
    {
      ...ordinaryTraits,
      state: ['talk'],
      outside: ['approval', 'decision'],
      links: { approval: { to: 'approval' } },
      older: [keepPayload],
    },
  ),
  /** A turn continues after all its approvals were settled. */
  TurnResumed: fact(
    { turn: Seq, life: z.int() },
    {
      ...ordinaryTraits,
      state: ['talk'],
      background: true,
      outside: ['turn', 'life'],
      links: { turn: { to: 'turn' } },
    },
  ),
}
