/** Older spellings of facts, read as today's. */
import { hash } from 'node:crypto'
import { type EventType, PersonaEvent } from './facts.ts'

type Payload = Readonly<Record<string, unknown>>
type Upcast = (payload: Payload) => Payload

/** A file of before has its own name for the one it came with, and nothing that vouches for it. */
function withFile(older: Payload): Payload {
  const media = older.media as Payload | null
  return { ...older, media: media && { ...media, name: media.filename, voice: false, bytes: null, sha256: null } }
}

/** Whose words they were was not told apart: the person's, or those of a program where there is no channel. Marks in them stay words. */
function withParts({ content, ...older }: Payload): Payload {
  const media = older.media as Payload | null
  const from = older.channel === null ? 'program' : 'person'
  const parts = content === '' ? [] : [{ from, by: null, text: content }]
  return { ...older, parts, media: media && { ...media, from: 'person', by: null } }
}

/** One step per version: the first reads version 1 as 2, and so on. Today's version is what the last one makes. */
const upcasts: { readonly [T in EventType]?: readonly Upcast[] } = {
  PersonaRestored: [(older) => older],
  PersonaDeleted: [(older) => ({ ...older, purge: false })],
  MessageHeard: [withFile, withParts],
  ModelAnswered: [
    ({ usage, ...older }) => ({ ...older, usage: { ...(usage as Payload), cached: null, made: null }, calls: 1, price: null }),
    (older) => older,
    (older) => older,
  ],
  ModelFailed: [(older) => older, (older) => older],
  MessageSpoken: [withFile],
  MemoryKept: [(older) => older, (older) => older],
  MemoryRevised: [(older) => ({ ...older, origin: 'persona' }), (older) => older],
  MemoryRestored: [(older) => older],
}

const types: ReadonlySet<string> = new Set(PersonaEvent.options.map((option) => option.shape.type.value))

export const versionOf = (type: EventType): number => (upcasts[type]?.length ?? 0) + 1

export const isKnown = (type: string, version: number): type is EventType => types.has(type) && version <= versionOf(type as EventType)

export const upcast = (type: EventType, version: number, payload: Payload): Payload =>
  (upcasts[type] ?? []).slice(version - 1).reduce((older, step) => step(older), payload)

/** Names every fact this build knows; another build's differs. */
export const vocabulary: string = hash(
  'sha256',
  [...types]
    .map((type) => `${type}@${versionOf(type as EventType)}`)
    .sort()
    .join(),
)
