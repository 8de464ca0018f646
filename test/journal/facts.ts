/** Facts for tests, with one of every kind. */
import type { EventType, PersonaEvent } from '../../journal/facts/facts.ts'
import type { Commit, Draft, Entry } from '../../journal/log/journal.ts'
import { toParts } from '../message-parts.ts'

export const born: PersonaEvent = {
  type: 'PersonaCreated',
  id: 'ada',
  name: 'Ada',
  birthday: '2026-01-31',
  idleTimeout: 3600,
  recipient: 'age1',
}

const web = { type: 'web', name: 'ada' } as const

export const createMessageHeard = (content: string, key: string | null = null): PersonaEvent => ({
  type: 'MessageHeard',
  channel: web,
  parts: toParts(content),
  media: null,
  key,
})
export const createMessageSpoken = (content: string): PersonaEvent => ({
  type: 'MessageSpoken',
  turn: null,
  step: null,
  channel: web,
  content,
  media: null,
  asks: null,
})
export const createEntryPlanned = (id: string): PersonaEvent => ({
  type: 'EntryPlanned',
  id,
  kind: 'reminder',
  wall: '2026-11-23T09:00:00',
  zone: 'Europe/Berlin',
  content: 'water the plants',
  recurrence: 'daily',
  anchor: '2026-11-23T09:00:00',
})
export const renamed = (name: string): PersonaEvent => ({ type: 'Renamed', name })

export const draft = (...events: readonly PersonaEvent[]): Draft => ({
  events,
  cause: { by: 'person' },
  at: 1_780_000_000_000,
  offset: 120,
})

export const facts = async (entries: AsyncIterable<Entry>): Promise<PersonaEvent[]> => {
  const all: PersonaEvent[] = []
  for await (const { event } of entries) all.push(event)
  return all
}

export const listPositions = async (entries: AsyncIterable<Entry>): Promise<number[]> => {
  const all: number[] = []
  for await (const { seq } of entries) all.push(seq)
  return all
}

export const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Returns the contents of commits without storage details. */
export const readCommits = (commits: readonly Commit[]) =>
  commits.map(({ entries, head }) => ({
    head,
    entries: entries.map(({ erased, ...entry }) => (erased ? { ...entry, erased } : entry)),
  }))

const organ = { model: 'qwen3', provider: null, url: null, key: 'k1' } as const
const sha = 'ab'.repeat(32)

/** One of each fact. A new fact does not compile until it is added here. */
export const factsByType: { readonly [T in EventType]: Extract<PersonaEvent, { type: T }> } = {
  PersonaCreated: {
    type: 'PersonaCreated',
    id: 'ada',
    name: 'Ada',
    birthday: '2026-01-31',
    idleTimeout: 3600,
    recipient: 'age1',
  },
  PersonaRestored: { type: 'PersonaRestored', made: 1780000000000, upTo: 40, recipient: 'age1' },
  PersonaForked: {
    type: 'PersonaForked',
    id: 'eva',
    from: 'ada',
    at: 40,
    hash: 'ab'.repeat(32),
    name: 'Eva',
    recipient: 'age1',
  },
  PersonaDeleted: { type: 'PersonaDeleted', purge: false },
  Renamed: { type: 'Renamed', name: 'Ada Ünïcödé 🌱' },
  CharacterSet: {
    type: 'CharacterSet',
    text: 'You are a quiet gardener 🌱.\nYou speak in short sentences.',
    lore: [{ keys: ['greenhouse', 'glass house'], text: 'The greenhouse stands behind the mill.' }],
    card: 'Flora',
  },
  LineMarked: { type: 'LineMarked', message: 3 },
  LineUnmarked: { type: 'LineUnmarked', message: 3 },
  PortraitChosen: {
    type: 'PortraitChosen',
    media: {
      filename: `${'d'.repeat(32)}.webp`,
      name: '',
      mime: 'image/webp',
      caption: '',
      voice: false,
      bytes: 4096,
      sha256: 'e'.repeat(64),
    },
    source: 'drawing',
  },
  PortraitRemoved: { type: 'PortraitRemoved' },
  CareSet: { type: 'CareSet', country: 'DE', help: true },
  IdleTimeoutSet: { type: 'IdleTimeoutSet', seconds: 60 },
  OrganReplaced: { type: 'OrganReplaced', slot: 'eye', organ },
  OrganRemoved: { type: 'OrganRemoved', slot: 'eye' },
  StatusSet: { type: 'StatusSet', status: 'sick', reason: 'the key was refused' },
  PhraseChanged: { type: 'PhraseChanged', recipient: 'age1' },
  PhraseConfirmed: { type: 'PhraseConfirmed' },
  DiaryWritten: { type: 'DiaryWritten', upTo: 40, bytes: 4096 },
  StartAsked: { type: 'StartAsked' },
  StopAsked: { type: 'StopAsked' },
  RestartAsked: { type: 'RestartAsked' },
  Woke: { type: 'Woke', life: 1 },
  Stopped: { type: 'Stopped', life: 1 },
  WakingFailed: { type: 'WakingFailed', reason: 'no runtime' },
  OrganFailed: { type: 'OrganFailed', slot: 'ear', reason: 'unreachable' },
  OrganRecovered: { type: 'OrganRecovered', slot: 'ear' },
  MindTested: {
    type: 'MindTested',
    provider: null,
    model: 'qwen3.5-4b',
    url: null,
    result: 'no_tools',
    answersJson: true,
    speed: 9.5,
    reason: 'The model did not use the tool.',
  },
  Hosted: { type: 'Hosted', epoch: 7, daemon: 'a41c9e' },
  ChannelAdded: {
    type: 'ChannelAdded',
    id: 'c1',
    kind: 'telegram',
    name: 'ada_bot',
    bot: '4242',
    token: 'k2',
  },
  ChannelRemoved: { type: 'ChannelRemoved', id: 'c1' },
  ChannelPaired: { type: 'ChannelPaired', id: 'c1', target: '-1007', at: '2026-11-23T10:15:00.000+01:00' },
  ChannelTroubled: { type: 'ChannelTroubled', id: 'c1', reason: 'The token was revoked.' },
  ChannelRecovered: { type: 'ChannelRecovered', id: 'c1' },
  Delivered: { type: 'Delivered', message: 12 },
  PartsDelivered: { type: 'PartsDelivered', message: 12, parts: 2 },
  DeliveryFailed: { type: 'DeliveryFailed', message: 12, reason: 'The chat was deleted.' },
  Lost: { type: 'Lost' },
  Salvaged: { type: 'Salvaged', kept: 41, lost: 2, first: 7 },
  FactsErased: {
    type: 'FactsErased',
    facts: [{ seq: 7, left: sha }],
    withdrawn: [{ channel: { type: 'web', name: 'ada' }, upTo: 7 }],
  },
  MessageHeard: {
    type: 'MessageHeard',
    channel: web,
    parts: [
      { from: 'forwarded', by: 'Bo', text: 'hi' },
      { from: 'person', by: null, text: 'hello' },
    ],
    media: {
      filename: 'a.png',
      name: 'Kite ü.png',
      mime: 'image/png',
      caption: '',
      voice: false,
      bytes: 70,
      sha256: sha,
      from: 'forwarded',
      by: 'Bo',
    },
    key: 'k',
  },
  MessagesHidden: { type: 'MessagesHidden', messages: [2], reason: 'deleted' },
  MessagesShown: { type: 'MessagesShown', messages: [2] },
  AnswerAsked: {
    type: 'AnswerAsked',
    turn: 3,
    mode: 'again',
    channel: null,
    after: 1,
    organ: { model: 'gpt-4o', provider: 'openai', url: null, key: 'ref' },
  },
  GreetingAsked: { type: 'GreetingAsked', language: 'de' },
  TurnBegan: {
    type: 'TurnBegan',
    life: 1,
    channel: null,
    stimuli: { after: 0, upTo: 3, due: ['p1'] },
    known: [2],
  },
  ModelAnswered: {
    type: 'ModelAnswered',
    turn: 4,
    step: 0,
    organ: 'thinking',
    provider: 'anthropic',
    model: 'opus',
    usage: { input: 12, output: null, cached: 8, written: 3, made: null },
    ms: 1200,
    calls: 2,
    price: { usd: 0.00042, dated: '2026-11-01' },
    recipe: { parts: [1, sha, 3], sent: sha },
    answer: {
      text: 'hi',
      calls: [{ id: 'c1', name: 'plan', input: { when: ['tomorrow', null, 1.5], deep: { a: true } } }],
    },
    opaque: sha,
    cause: 'turn',
  },
  ModelFailed: {
    type: 'ModelFailed',
    turn: null,
    step: null,
    organ: 'eye',
    provider: null,
    model: 'llava',
    ms: 30,
    calls: 3,
    kind: 'unreachable',
    reason: 'nothing answers there',
    cause: 'api',
  },
  MediaDescribed: {
    type: 'MediaDescribed',
    turn: 4,
    message: 3,
    filename: 'a.png',
    organ: 'eye',
    outcome: 'perceived',
    text: 'a kite',
  },
  ToolCalled: { type: 'ToolCalled', turn: 4, step: 0, call: 'c1', name: 'plan', input: { a: -1 }, of: null },
  ToolAnswered: { type: 'ToolAnswered', turn: 4, step: 0, call: 'c1', name: 'plan', ok: true, output: null },
  ToolServerSet: {
    type: 'ToolServerSet',
    name: 'files',
    server: {
      transport: 'stdio',
      command: 'npx',
      args: ['-y', { secret: 'r1' }, { pieces: ['--key=', { secret: 'r3' }, ' ', { clear: 'x7' }] }],
      cwd: null,
      env: [{ name: 'TOKEN', value: { secret: 'r2' } }],
    },
  },
  ToolServerRemoved: { type: 'ToolServerRemoved', name: 'files' },
  ToolModeSet: {
    type: 'ToolModeSet',
    server: 'files',
    tool: 'read',
    mode: 'allow',
    definition: 'a'.repeat(64),
    described: '{}',
  },
  SearchProvidersSet: {
    type: 'SearchProvidersSet',
    providers: [
      { provider: 'brave', url: null, key: 'k9', dailyLimit: 20 },
      { provider: 'searxng', url: 'http://localhost:8080', key: null, dailyLimit: null },
    ],
    readsResults: true,
  },
  WebSearched: {
    type: 'WebSearched',
    turn: 4,
    step: 1,
    provider: 'brave',
    found: 3,
    price: { usd: 0.005, dated: '2026-11-28' },
  },
  ApprovalAsked: {
    type: 'ApprovalAsked',
    turn: 4,
    step: 1,
    call: 'c2',
    server: 'files',
    tool: 'read',
    input: { path: 'x' },
    definition: 'a'.repeat(64),
    changed: false,
  },
  SkillAdded: {
    type: 'SkillAdded',
    name: 'tea',
    description: 'How tea is made.',
    files: [{ path: 'SKILL.md', bytes: 48 }],
    media: {
      filename: `${'b'.repeat(32)}.tar`,
      name: 'tea.tar',
      mime: 'application/x-tar',
      caption: '',
      voice: false,
      bytes: 2048,
      sha256: 'c'.repeat(64),
    },
  },
  SkillEnabled: { type: 'SkillEnabled', name: 'tea', sha256: 'c'.repeat(64) },
  SkillDisabled: { type: 'SkillDisabled', name: 'tea' },
  SkillRemoved: { type: 'SkillRemoved', name: 'tea' },
  ApprovalSettled: { type: 'ApprovalSettled', approval: 4, decision: 'once', channel: web },
  TurnResumed: { type: 'TurnResumed', turn: 4, life: 1 },
  MessageSpoken: {
    type: 'MessageSpoken',
    turn: 4,
    step: 1,
    channel: web,
    content: 'done',
    media: null,
    asks: null,
    borrowed: ['done'],
    model: 'gpt-4o',
    help: 'DE',
  },
  TurnEnded: { type: 'TurnEnded', turn: 4, outcome: 'answered', reason: null },
  MemoryKept: {
    type: 'MemoryKept',
    id: 'm1',
    document: 'person',
    text: 'likes tea',
    sources: [2],
    origin: 'persona',
    via: { from: 'forwarded', by: 'Bo' },
    from: '2024',
    until: '2027-03-31',
  },
  MemoryRevised: {
    type: 'MemoryRevised',
    id: 'm1',
    text: 'likes green tea',
    sources: [2, 9],
    origin: 'consolidation',
    via: { from: 'file', by: 'tea.pdf' },
    from: '2024-05',
    until: null,
  },
  MemoryForgotten: { type: 'MemoryForgotten', id: 'm1', why: null, into: 'm3', unasked: true },
  MemoryRestored: {
    type: 'MemoryRestored',
    id: 'm1',
    document: 'person',
    text: 'likes green tea',
    sources: [2, 9],
    origin: 'person',
    via: { from: 'quoted', by: null },
    from: null,
    until: '2027',
  },
  MemoryPinned: { type: 'MemoryPinned', id: 'm1', pinned: true, origin: 'consolidation' },
  MemoryProposed: {
    type: 'MemoryProposed',
    id: 'm2',
    document: 'wishes',
    text: 'wants to see the sea',
    by: 'notes',
  },
  ProposalSettled: { type: 'ProposalSettled', id: 'm2', accepted: false },
  ContextCarried: {
    type: 'ContextCarried',
    after: 0,
    upTo: 9,
    carry: 'She waits for a parcel.',
    summary: 'We spoke of tea.',
    borrowed: ['tea'],
  },
  HistoryFed: {
    type: 'HistoryFed',
    source: 'chatgpt',
    conversation: '6717a1b2',
    title: 'Trip to Lisbon',
    updated: '2025-03-01T10:00:00.000Z',
    hash: 'ab'.repeat(32),
    messages: 12,
    summary: 'They planned a trip to Lisbon.',
  },
  InstructionLearned: { type: 'InstructionLearned', id: 'i1', intention: 'grief', body: 'stay' },
  InstructionRevised: { type: 'InstructionRevised', id: 'i1', body: 'stay, say little' },
  InstructionRemoved: { type: 'InstructionRemoved', id: 'i1' },
  EntryPlanned: {
    type: 'EntryPlanned',
    id: 'p1',
    kind: 'reminder',
    wall: '2026-11-23T09:00:00',
    zone: 'Europe/Berlin',
    content: 'plants',
    recurrence: null,
    anchor: '2026-11-23T09:00:00',
    via: { from: 'program', by: 'notes' },
  },
  EntryMoved: {
    type: 'EntryMoved',
    id: 'p1',
    kind: 'schedule',
    wall: '2026-11-24T10:30:00',
    zone: 'Europe/Lisbon',
    content: 'plants',
    recurrence: 'weekly',
    anchor: '2026-11-24T10:30:00',
    via: { from: 'page', by: 'example.org' },
  },
  EntryCancelled: { type: 'EntryCancelled', id: 'p1' },
  EntryDue: { type: 'EntryDue', id: 'p1' },
  EntryDone: { type: 'EntryDone', id: 'p1' },
  SleepBegan: { type: 'SleepBegan', life: 1, by: 'clock' },
  DayClosed: {
    type: 'DayClosed',
    after: 0,
    upTo: 9,
    began: 1_780_000_000_000,
    ended: 1_780_000_060_000,
    summary: 'We spoke of tea.',
    by: 'mind',
    borrowed: ['tea'],
  },
  SleepEnded: { type: 'SleepEnded', life: 1, outcome: 'slept', reason: null },
}
