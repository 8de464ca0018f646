/** Finds the causes of a fact, and its effects, one link at a time. */
import type { Relation } from '../../facts/fact.ts'
import { getLinks, type Reference, readEvent, type TalkRange } from '../../facts/fact-links.ts'
import type { Seq } from '../../facts/fact-values.ts'
import { type EventType, getTraits, type PersonaEvent } from '../../facts/facts.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { isInRange, type LinkIndex } from './open-link-index.ts'

/** `from` is the cause. */
export interface Edge {
  readonly from: Seq
  readonly to: Seq
  readonly relation: Relation
}

export interface LinkFinderDeps {
  readonly journal: Journal
  /** Calls `work` with an index that covers the journal. Only called if a fact needs it. */
  readonly withIndex: <T>(work: (index: LinkIndex) => Promise<T>) => Promise<T>
}

/** Max facts that are followed from one fact. */
const maxPerFact = 200

/** Finds links between facts. Reads each record once per walk. */
export const createLinkFinder = ({ journal, withIndex }: LinkFinderDeps) => {
  const { findEntry, readRange } = createBlockReader(journal)
  const commits = new Map<string, Promise<readonly Entry[]>>()
  const turns = new Map<Seq, Promise<readonly Entry[]>>()
  const causesByFact = new Map<Seq, Promise<readonly Reference[]>>()
  let isCut = false

  /** Reads the facts that were written together with this one. */
  const readCommit = (entry: Entry) =>
    remember(commits, entry.commit, async () => {
      const commit = [entry]
      for (let seq = entry.seq - 1; commit.length < maxCommitFacts; seq--) {
        const other = await findEntry(seq)
        if (other?.commit !== entry.commit) break
        commit.unshift(other)
      }
      for (let seq = entry.seq + 1; commit.length < maxCommitFacts; seq++) {
        const other = await findEntry(seq)
        if (other?.commit !== entry.commit) break
        commit.push(other)
      }
      return commit
    })

  /** Reads the facts of a turn, and the decisions on its approvals. */
  const readTurn = async (turn: Seq, around: Seq): Promise<readonly Entry[]> => {
    const begin = await remember(turns, turn, () => readTurnFacts(turn, turn + 1))
    if (around <= turn + maxTurnRecords) return begin
    const approvals = begin.filter(({ type }) => type === 'ApprovalAsked').map(({ seq }) => seq)
    return [...begin, ...(await readTurnFacts(turn, around - maxTurnRecords, approvals))]
  }

  const readTurnFacts = async (
    turn: Seq,
    from: Seq,
    knownApprovals: readonly Seq[] = [],
  ): Promise<readonly Entry[]> => {
    const facts: Entry[] = []
    const approvals = new Set(knownApprovals)
    for (let seq = from; seq <= Math.min(from + maxTurnRecords, journal.head.seq); seq++) {
      const entry = await findEntry(seq)
      if (!entry) continue
      // Another turn begins only after this one has ended, or while it waits for an approval.
      if (entry.type === 'TurnBegan' && approvals.size === 0) break
      const isSettling = entry.type === 'ApprovalSettled' && settles(entry, approvals)
      if (entry.cause.turn !== turn && !isSettling) continue
      if (entry.type === 'ApprovalAsked') approvals.add(entry.seq)
      facts.push(entry)
      if (entry.type === 'TurnEnded') break
    }
    return facts
  }

  /** Causes that the fact does not name: in its commit, and in the steps of its turn. */
  const findNearCauses = async (entry: Entry): Promise<readonly Reference[]> => {
    const event = readEvent(entry)
    const turn = event && getTurn(event)
    const inTurn = turn ? await readTurn(turn, entry.seq) : []
    const fromSteps = event ? getStepCauses(event, toFacts(inTurn, entry.seq)) : []
    if (fromSteps.length > 0) return fromSteps
    const commit = await readCommit(entry)
    const answer = commit.find(({ type, seq }) => type === 'ToolAnswered' && seq > entry.seq)
    const toolResult = answer && entry.type !== 'ToolCalled' ? readEvent(answer) : null
    if (toolResult?.type === 'ToolAnswered') {
      const calls = getStepCauses(toolResult, toFacts(await readTurn(toolResult.turn, entry.seq), entry.seq))
      if (calls.length > 0) return calls
    }
    const leader = commit.findLast(({ type, seq }) => seq < entry.seq && getTraits(type).leads)
    if (!leader) return []
    return [{ seq: leader.seq, relation: leader.type.startsWith('Model') ? 'call' : 'with' }]
  }

  const readCauses = async (entry: Entry): Promise<readonly Reference[]> => {
    const { references, ranges, things } = getLinks(entry)
    const nearCauses = await findNearCauses(entry)
    // The steps of a turn lead to its begin.
    const causes = [
      ...nearCauses,
      ...references.filter(({ relation }) => nearCauses.length === 0 || relation !== 'turn'),
    ]
    for (const range of ranges) {
      const messages = await readMessages(range)
      isCut ||= messages.length > maxPerFact
      for (const { seq } of messages.slice(-maxPerFact)) causes.push({ seq, relation: range.relation })
    }
    for (const { thing, id, as } of things) {
      if (as === 'first') continue
      const earlierSeq = await withIndex((index) => index.findBefore(thing, id, entry.seq))
      if (earlierSeq !== undefined) causes.push({ seq: earlierSeq, relation: as === 'next' ? 'earlier' : as })
    }
    const { life } = entry.cause
    if (causes.length === 0 && life !== undefined) {
      const startSeq = await withIndex((index) => index.findBefore('life', String(life), entry.seq))
      if (startSeq !== undefined) causes.push({ seq: startSeq, relation: 'life' })
    }
    return [...new Map(causes.toReversed().map((cause) => [cause.seq, cause])).values()]
  }

  /** Reads the newest messages of a range, one more than are shown. */
  const readMessages = async (range: TalkRange): Promise<readonly Entry[]> => {
    const { after, upTo } = range
    if (upTo <= after) return []
    const isShort = upTo - after <= maxWholeRange
    const messages = isShort
      ? await readRange(after + 1, upTo)
      : await readAll(journal.read({ kind: 'talk', after, upTo, last: maxPerFact + 1 }))
    return messages.filter((message) => isInRange(message, range)).slice(-maxPerFact - 1)
  }

  const findCauses = (entry: Entry) => remember(causesByFact, entry.seq, () => readCauses(entry))

  /** Positions of facts that may be effects. Their own causes decide. */
  const findCandidates = async (entry: Entry): Promise<readonly Seq[]> => {
    const { type, seq } = entry
    const commit = getTraits(type).leads ? await readCommit(entry) : []
    const turn = await findTurnOfStep(entry)
    const { things } = getLinks(entry)
    const far = await withIndex(async (index) => {
      const seqs = [...(await index.findReferring(seq, seq, maxPerFact + 1))]
      if (turn !== null) seqs.push(...(await index.findReferring(turn, seq, maxPerFact + 1)))
      for (const { thing, id, as } of things) {
        if (as !== 'first' && as !== 'next') continue
        const next = await index.findAfter(thing, id, seq)
        if (next !== undefined) seqs.push(next)
        seqs.push(...(await index.findMentioning(thing, id, seq, next ?? journal.head.seq, maxPerFact + 1)))
      }
      return seqs
    })
    const all = new Set([...commit.map((fact) => fact.seq), ...far])
    return [...all].filter((other) => other > seq).sort((a, b) => a - b)
  }

  /** Returns the turn in which later steps may follow from this fact. */
  const findTurnOfStep = async (entry: Entry): Promise<Seq | null> => {
    const event = stepTypes.has(entry.type) ? readEvent(entry) : null
    if (event?.type !== 'ApprovalSettled') return event && getTurn(event)
    const approval = await findEntry(event.approval)
    const question = approval && readEvent(approval)
    return question && getTurn(question)
  }

  /** Returns the link to a given cause. A long range may hold more causes than `findCauses` reads. */
  const findLink = async (entry: Entry, to: Entry): Promise<Pick<Reference, 'relation'> | undefined> =>
    getLinks(entry).ranges.find((range) => isInRange(to, range)) ??
    (await findCauses(entry)).find(({ seq }) => seq === to.seq)

  const findEffects = async (entry: Entry): Promise<readonly Edge[]> => {
    const edges: Edge[] = []
    for (const seq of await findCandidates(entry)) {
      if (edges.length >= maxPerFact) {
        isCut = true
        break
      }
      const candidate = await findEntry(seq)
      const cause = candidate && (await findLink(candidate, entry))
      if (cause) edges.push({ from: entry.seq, to: seq, relation: cause.relation })
    }
    return edges
  }

  return {
    entryAt: findEntry,
    causes: async (entry: Entry): Promise<readonly Edge[]> =>
      (await findCauses(entry)).map(({ seq, relation }) => ({ from: seq, to: entry.seq, relation })),
    effects: findEffects,
    isCut: () => isCut,
  }
}

/** Max facts of a commit, and max records of a turn before and after which its facts are searched. */
const maxCommitFacts = 512
const maxTurnRecords = 1000
/** Ranges up to this length are read whole: erased messages are not in the index of the talk. */
const maxWholeRange = 2000

const remember = <K, V>(map: Map<K, Promise<V>>, key: K, read: () => Promise<V>): Promise<V> => {
  const value = map.get(key) ?? read()
  map.set(key, value)
  return value
}

/** Records per block. Most causes are near their effects. */
const blockSize = 32
/** Max blocks in memory. */
const maxBlocks = 512

/** Reads records in blocks, each once. */
const createBlockReader = (journal: Journal) => {
  const blocks = new Map<number, Promise<ReadonlyMap<Seq, Entry>>>()
  const readBlock = (block: number) => {
    if (blocks.size >= maxBlocks) blocks.clear()
    return remember(blocks, block, async () => {
      const entries = new Map<Seq, Entry>()
      const end = Math.min((block + 1) * blockSize, journal.head.seq)
      for (let afterSeq = block * blockSize; afterSeq < end; ) {
        try {
          for await (const entry of journal.read({ after: afterSeq, upTo: end })) {
            entries.set(entry.seq, entry)
            afterSeq = entry.seq
          }
          break
        } catch (error) {
          if (!(error instanceof Damaged)) throw error
          // Records after a damaged one may be intact.
          afterSeq += 1
        }
      }
      return entries
    })
  }
  /** Returns null if the record is damaged or missing. */
  const findEntry = async (seq: Seq): Promise<Entry | null> =>
    seq < 1 || seq > journal.head.seq
      ? null
      : ((await readBlock(Math.floor((seq - 1) / blockSize))).get(seq) ?? null)
  const readRange = async (from: Seq, upTo: Seq): Promise<readonly Entry[]> => {
    const entries: Entry[] = []
    for (let seq = from; seq <= Math.min(upTo, journal.head.seq); seq++) {
      const entry = await findEntry(seq)
      if (entry) entries.push(entry)
    }
    return entries
  }
  return { findEntry, readRange }
}

const settles = (entry: Entry, approvals: ReadonlySet<Seq>): boolean => {
  const event = readEvent(entry)
  return event?.type === 'ApprovalSettled' && approvals.has(event.approval)
}

/** Facts that may lead to later steps of a turn. */
const stepTypes: ReadonlySet<EventType> = new Set([
  'ModelAnswered',
  'ModelFailed',
  'MediaDescribed',
  'ToolCalled',
  'ToolAnswered',
  'ApprovalAsked',
  'ApprovalSettled',
])

const getTurn = (event: PersonaEvent): Seq | null => {
  if ('turn' in event && event.turn !== null) return event.turn
  return event.type === 'MessageSpoken' && event.asks ? event.asks.turn : null
}

interface Fact {
  readonly seq: Seq
  readonly event: PersonaEvent
}

/** Returns the intact facts before a position. */
const toFacts = (entries: readonly Entry[], endSeq: Seq): readonly Fact[] =>
  entries.flatMap((entry) => {
    const event = entry.seq < endSeq ? readEvent(entry) : null
    return event ? [{ seq: entry.seq, event }] : []
  })

/** Returns the step of the turn that led to this one. `facts`: those of the turn before it. */
const getStepCauses = (event: PersonaEvent, facts: readonly Fact[]): readonly Reference[] => {
  const find = (relation: Relation, matches: (event: PersonaEvent) => boolean): readonly Reference[] =>
    facts.flatMap((fact) => (matches(fact.event) ? [{ seq: fact.seq, relation }] : []))
  const findAnswer = (step: number) =>
    find('call', (other) => other.type === 'ModelAnswered' && other.cause === 'turn' && other.step === step)
  const findApproval = (call: string) => {
    const approval = facts.findLast(
      ({ event: other }) => other.type === 'ApprovalAsked' && other.call === call,
    )?.seq
    return find('approval', (other) => other.type === 'ApprovalSettled' && other.approval === approval)
  }
  switch (event.type) {
    case 'ToolCalled':
      return [...findAnswer(event.step), ...findApproval(event.call)]
    case 'ToolAnswered':
      return find(
        'tool',
        (other) => other.type === 'ToolCalled' && other.step === event.step && other.call === event.call,
      )
    case 'ApprovalAsked':
      return findAnswer(event.step)
    case 'TurnResumed':
      return find('approval', (other) => other.type === 'ApprovalSettled')
    case 'MessageSpoken':
      return event.asks
        ? find('approval', (other) => other.type === 'ApprovalAsked' && other.call === event.asks?.call)
        : []
    case 'ModelAnswered':
    case 'ModelFailed': {
      if (event.cause !== 'turn') return []
      const previousStep = (event.step ?? 0) - 1
      const results = find('result', (other) => other.type === 'ToolAnswered' && other.step === previousStep)
      if (results.length > 0) return results
      return previousStep === 0 ? find('result', (other) => other.type === 'MediaDescribed') : []
    }
    default:
      return []
  }
}

/** Reads up to the first damaged record. */
const readAll = async (entries: AsyncIterable<Entry>): Promise<readonly Entry[]> => {
  const all: Entry[] = []
  try {
    for await (const entry of entries) all.push(entry)
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
  }
  return all
}
