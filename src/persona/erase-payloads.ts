/** Erases the payloads of facts: rewrites the journal without them and revokes dependent facts. */

import type { Channel, PersonaId, Seq, Sha256 } from '../../facts/fact-values.ts'
import { type EventType, type PersonaEvent, personaVocabulary } from '../../facts/facts.ts'
import type { Draft, Entry, Journal, Journals } from '../../facts/persona-journal.ts'
import type { Head } from '../../journal/log/head.ts'
import type { Erasure } from '../../journal/log/journal.ts'
import { entryAt } from '../../journal/log/keys.ts'
import type { Erased } from '../../journal/log/vocabulary.ts'
import { createYielding, type MaybeYield } from '../../packages/kit/flow/yielding.ts'
import type { Instant } from '../../packages/kit/time/clock.ts'
import { listValues } from '../../projections/persistent-map.ts'
import type { Persona } from '../../projections/persona.ts'
import { getWaitingInboxes, inboxKey } from '../../projections/talk.ts'
import { distinctivePieces, findDerivedFacts, hasWords, textsOfFact } from './derived-facts.ts'
import { foldWhole } from './fold.ts'
import { Refused } from './refusals.ts'

export interface ErasePlan {
  /** The requested facts, ascending. */
  readonly askedSeqs: readonly Seq[]
  /** Facts derived from them. */
  readonly made: readonly Seq[]
  /** Payloads that still exist. */
  readonly erasure: Erasure
  /** Media files to delete. */
  readonly files: readonly string[]
  /** Head of the journal that was examined. */
  readonly head: Head
  /** Whether the catalog holds some of the words. */
  readonly isInCatalog: boolean
}

/** Facts whose texts are part of `self`, which the catalog contains. */
const inCatalog: ReadonlySet<EventType> = new Set<EventType>(['ToolServerSet', 'CharacterSet'])

/** Throws Refused (fact_unknown, fact_wordless) or Damaged. */
export const planErasure = async (
  journal: Journal,
  seqs: readonly Seq[],
  isCascade: boolean,
): Promise<ErasePlan> => {
  const maybeYield = createYielding()
  const entries = await wordedFacts(journal, seqs)
  const askedSeqs = entries.map(({ seq }) => seq)
  const presentEntries = entries.filter(({ erased: erasedFacts }) => !erasedFacts)
  const derivedSeqs = await findDerivedFacts(journal, entries, maybeYield)
  const derivedEntries: Entry[] = []
  for (const seq of isCascade ? derivedSeqs : []) derivedEntries.push(await readErasable(journal, seq))
  const erasedEntries = [...presentEntries, ...derivedEntries]
  const texts = erasedEntries.flatMap(({ event }) => textsOfFact(event))
  return {
    askedSeqs,
    made: derivedSeqs,
    head: journal.head,
    isInCatalog: [...entries, ...derivedEntries].some(({ event }) => inCatalog.has(event.type)),
    erasure: {
      seqs: new Set(erasedEntries.map(({ seq }) => seq)),
      parts: await findPartsToErase(journal, erasedEntries, texts, maybeYield),
      texts: texts.map((text) => Buffer.from(text)),
    },
    files: erasedEntries.flatMap(({ event }) =>
      'media' in event && event.media ? [event.media.filename] : [],
    ),
  }
}

/**
 * Returns the facts, ascending and without duplicates. Throws Refused (fact_unknown, fact_wordless) or
 * Damaged.
 */
export const wordedFacts = async (journal: Journal, seqs: readonly Seq[]): Promise<readonly Entry[]> => {
  const entries: Entry[] = []
  for (const seq of [...new Set(seqs)].sort((a, b) => a - b)) entries.push(await readErasable(journal, seq))
  return entries
}

const readErasable = async (journal: Journal, seq: Seq): Promise<Entry> => {
  const entry = await entryAt(journal, seq)
  if (!entry) throw new Refused({ code: 'fact_unknown' })
  if (!hasWords(entry.event)) throw new Refused({ code: 'fact_wordless', seq, type: entry.type })
  return entry
}

/**
 * Finds the parts of model calls to erase:
 * 1. parts that only erased calls use,
 * 2. parts that contain one of the texts,
 * 3. without those that a call before the first erased fact uses: such parts cannot contain the texts.
 */
const findPartsToErase = async (
  journal: Journal,
  erasedEntries: readonly Entry[],
  texts: readonly string[],
  maybeYield: MaybeYield,
): Promise<ReadonlySet<Sha256>> => {
  const pieces = texts.flatMap(distinctivePieces).map((text) => Buffer.from(text))
  const erasedSeqs = new Set(erasedEntries.map(({ seq }) => seq))
  const afterSeq = (erasedEntries[0]?.seq ?? journal.head.seq) - 1
  const keptHashes = new Set<Sha256>()
  const droppedHashes = new Set<Sha256>()
  for await (const { seq, event } of journal.read({ kind: 'calls', after: afterSeq })) {
    const target = erasedSeqs.has(seq) ? droppedHashes : keptHashes
    for (const part of personaVocabulary.partsIn(event.type, event)) target.add(part)
    await maybeYield()
  }
  const parts = new Set([...droppedHashes].filter((part) => !keptHashes.has(part)))
  for (const part of new Set([...keptHashes, ...droppedHashes])) {
    if (parts.has(part) || pieces.length === 0) continue
    const bytes = await journal.part(part)
    if (bytes && pieces.some((piece) => Buffer.from(bytes).includes(piece))) parts.add(part)
    await maybeYield()
  }
  // Last and only if needed, since this may read a whole life.
  if (parts.size > 0)
    for await (const { event } of journal.read({ kind: 'calls', upTo: afterSeq })) {
      for (const part of personaVocabulary.partsIn(event.type, event)) parts.delete(part)
      await maybeYield()
    }
  return parts
}

interface Deps {
  readonly journals: Journals
  readonly now: () => Instant
  /** Deletes the other copies of the words. Called right before the switch. */
  readonly eraseFiles: () => Promise<void>
}

/** The journal must be closed. Throws Damaged, Newer, Unavailable or InDoubt. */
export const eraseWords = (
  id: PersonaId,
  { erasure, files }: ErasePlan,
  { journals, now, eraseFiles }: Deps,
): Promise<Head> =>
  journals.erase(
    id,
    erasure,
    async (journal, erasedFacts) => {
      const { persona } = await foldWhole(id, journal)
      return buildDrafts(persona, journal, erasedFacts, now())
    },
    { files, beside: eraseFiles },
  )

/** Keeps a commit below the size limit. */
const maxFactsPerDraft = 4000

const buildDrafts = async (
  persona: Persona,
  journal: Journal,
  erasedFacts: readonly Erased[],
  { at, offset }: Instant,
): Promise<readonly Draft[]> => {
  const erasedSeqs = new Set(erasedFacts.map(({ seq }) => seq))
  const draft = (events: readonly PersonaEvent[]): Draft => ({ events, cause: { by: 'person' }, at, offset })
  const withdrawnInboxes = await findWithdrawn(persona, journal, erasedSeqs)
  const drafts: Draft[] = []
  for (let from = 0; from < erasedFacts.length; from += maxFactsPerDraft) {
    const facts = erasedFacts.slice(from, from + maxFactsPerDraft)
    drafts.push(draft([{ type: 'FactsErased', facts, withdrawn: from === 0 ? withdrawnInboxes : [] }]))
  }
  return [...drafts, draft(await revokeDependents(persona, journal, erasedSeqs))]
}

/** Revokes everything that depends on erased words. */
const revokeDependents = async (
  { knowledge, proposals, plans, deliveries, initiative, talk: { turn } }: Persona,
  journal: Journal,
  erasedSeqs: ReadonlySet<Seq>,
): Promise<readonly PersonaEvent[]> => {
  const isTurnEmpty =
    turn !== null &&
    turn.stimuli.due.length === 0 &&
    (await isEmptied(journal, turn.channel, turn.stimuli, erasedSeqs))
  return [
    ...[...listValues(knowledge.statements)]
      .filter(({ text }) => text === '')
      .map(({ id }) => ({ type: 'MemoryForgotten', id, why: null }) as const),
    ...[...listValues(knowledge.instructions)]
      .filter(({ intention, body }) => intention === '' || body === '')
      .map(({ id }) => ({ type: 'InstructionRemoved', id }) as const),
    ...listValues(proposals)
      .filter(({ text }) => text === '')
      .map(({ id }) => ({ type: 'ProposalSettled', id, accepted: false }) as const),
    ...[...listValues(plans.open), ...plans.due]
      .filter(({ content }) => content === '')
      .map(({ id }) => ({ type: 'EntryCancelled', id }) as const),
    ...initiative.open
      .filter(({ reason, sources }) => reason === '' || sources.some((seq) => erasedSeqs.has(seq)))
      .map(({ id }) => ({ type: 'InitiativeRemoved', id, cause: 'source' }) as const),
    ...deliveries.waiting
      .filter(({ message }) => erasedSeqs.has(message))
      .map(({ message }) => ({ type: 'DeliveryFailed', message, reason: 'Its words were erased.' }) as const),
    ...(isTurnEmpty ? [{ type: 'TurnEnded', turn: turn.id, outcome: 'hushed', reason: null } as const] : []),
  ]
}

/** Returns the channels whose waiting messages are all erased. */
const findWithdrawn = async ({ talk }: Persona, journal: Journal, erasedSeqs: ReadonlySet<Seq>) => {
  const withdrawnInboxes: { readonly channel: Channel; readonly upTo: Seq }[] = []
  for (const { channel, oldest, heard } of getWaitingInboxes(talk))
    if (
      channel &&
      oldest &&
      (await isEmptied(journal, channel, { after: oldest - 1, upTo: heard }, erasedSeqs))
    )
      withdrawnInboxes.push({ channel, upTo: heard })
  return withdrawnInboxes
}

/** Whether something in the span was erased and no message of the channel is left. */
const isEmptied = async (
  journal: Journal,
  channel: Channel | null,
  { after, upTo }: { readonly after: Seq | 0; readonly upTo: Seq | 0 },
  erasedSeqs: ReadonlySet<Seq>,
): Promise<boolean> => {
  if (![...erasedSeqs].some((seq) => after < seq && seq <= upTo)) return false
  for await (const { event } of journal.read({ kind: 'talk', after, upTo }))
    if (event.type === 'MessageHeard' && inboxKey(event.channel) === inboxKey(channel)) return false
  return true
}
