/**
 * Reads an exported chat history of any size, one conversation at a time, and the memories that other AIs
 * stored about a user. The form of a file is recognised by its content and its name. The forms are the rows
 * of `known-shapes.ts`, `known-files.ts` and `known-tables.ts`.
 */

import { createYielding, type MaybeYield } from '../kit/flow/yielding.ts'
import { isObject } from '../kit/is-object.ts'
import { fromCard, isCard } from './character-card.ts'
import { withHead } from './csv-rows.ts'
import { fromDiscordList, isDiscordList, onlyYoursNote } from './discord-package.ts'
import { findSources, type GivenFile, type Source } from './history-sources.ts'
import { type Conversation, type Found, toConversation } from './imported-conversation.ts'
import { parseGently } from './json-reader.ts'
import { createSplitter, type Piece } from './json-splitter.ts'
import { createGathering, detectForm, type Form } from './known-shapes.ts'
import { fromTable } from './known-tables.ts'
import type { OnLeftOut } from './left-out.ts'
import { fromNotes } from './notes.ts'
import { createParticipants } from './participants.ts'
import { fromLog } from './plain-log.ts'
import { isPng, textsInPng } from './png-text.ts'
import { fromTelegram, isTelegram } from './telegram.ts'
import { feedLimits, Unreadable } from './unreadable.ts'
import { fromWhatsApp } from './whatsapp.ts'

type LeftOut = (reason: 'too_large' | 'too_deep') => void

interface Options extends Omit<GivenFile, 'path'> {
  readonly signal: AbortSignal
}

/**
 * Yields memories first, then conversations in the order of the file, without empty ones. A known form
 * without conversations yields nothing. Throws `Unreadable` if the file is empty, in no known form, or
 * damaged, which may come after some conversations; also errors of the disk, and the reason of the signal.
 */
export const readHistory = async function* (
  path: string,
  { signal, onLeftOut = () => {}, onNote, ...givenFile }: Options,
): AsyncGenerator<Conversation> {
  const maybeYield = createYielding(signal)
  const formCounts: Record<Form, number> = { known: 0, unknown: 0, empty: 0 }
  let hasBegun = false
  const participants = createParticipants(givenFile.me)
  const notes = new Set<string>()
  const note = (sentence: string) => {
    if (!notes.has(sentence)) onNote?.(sentence)
    notes.add(sentence)
  }
  for await (const source of findSources({ path, onLeftOut, onNote: note, ...givenFile })) {
    hasBegun = true
    const leftOut: LeftOut = (reason) => {
      formCounts.known++
      onLeftOut(reason)
    }
    const onForm = (form: Form) => formCounts[form]++
    const { name: file, me } = givenFile
    const reading = { maybeYield, leftOut, onForm, file, me, onLeftOut, onNote: note }
    for await (const conversation of readers[source.as](source, reading)) {
      if (!conversation) continue
      participants.add(conversation)
      yield conversation
    }
  }
  for (const sentence of participants.notes()) note(sentence)
  givenFile.onPeople?.(participants.unknownNames())
  if (hasBegun && formCounts.known + formCounts.unknown + formCounts.empty === 0)
    throw new Unreadable('empty')
  if (formCounts.unknown > 0 && formCounts.known === 0) throw new Unreadable('unknown_form')
  if (formCounts.unknown > 0) onLeftOut('unknown', formCounts.unknown)
}

interface Reading {
  readonly maybeYield: MaybeYield
  readonly leftOut: LeftOut
  readonly onForm: (form: Form) => void
  /** Name of the file that was given, which may be a zip. */
  readonly file: string | undefined
  readonly me: string | undefined
  /** Called for messages, and for files without conversations. `leftOut` counts conversations. */
  readonly onLeftOut: OnLeftOut
  readonly onNote: (note: string) => void
}

type Reader = (source: Source, reading: Reading) => AsyncGenerator<Conversation | undefined>

const readers: Readonly<Record<Source['as'], Reader>> = {
  json: async function* ({ bytes, chat }, reading) {
    const { maybeYield, leftOut, onForm, onNote } = reading
    const { head, all } = await withHead(bytes)
    if (isTelegram(head)) yield* convertAll(fromTelegram(all, reading), reading)
    else if (chat || isDiscordList(head)) {
      onNote(onlyYoursNote)
      yield* convertAll(fromDiscordList(all, chat, reading), reading)
    } else yield* conversationsIn(all, maybeYield, leftOut, onForm)
  },
  csv: async function* ({ bytes, chat }, reading) {
    const { head, all } = await withHead(bytes)
    yield* convertAll(fromTable(head, all, chat, reading), reading)
  },
  notes: async function* ({ name, bytes }, reading) {
    const text = await readWholeSource(bytes, feedLimits.conversation, reading)
    if (text) yield* convertAll([fromNotes(name, text.toString())], reading)
  },
  log: async function* ({ name, bytes }, reading) {
    const text = await readWholeSource(bytes, feedLimits.conversation, reading)
    if (!text) return
    const words = text.toString()
    const { me } = reading
    yield* convertAll(
      fromWhatsApp(words, { names: [name, reading.file ?? ''], me }) ?? fromLog(words, me),
      reading,
    )
  },
  card: async function* ({ bytes }, reading) {
    const png = await readWholeSource(bytes, feedLimits.picture, reading)
    if (png) yield* convertAll(await cardIn(png, reading), reading)
  },
}

/** Returns undefined if the file is too large. */
const readWholeSource = async (
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  { maybeYield, leftOut }: Reading,
): Promise<Buffer | undefined> => {
  const all: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    await maybeYield()
    size += chunk.length
    if (size > maxBytes) {
      leftOut('too_large')
      return undefined
    }
    all.push(chunk)
  }
  return Buffer.concat(all)
}

/** `found` is undefined if the file is in no known form. */
const convertAll = async function* (
  conversations: Iterable<Found> | AsyncIterable<Found> | undefined,
  { maybeYield, leftOut, onForm }: Reading,
): AsyncGenerator<Conversation | undefined> {
  onForm(conversations ? 'known' : 'unknown')
  for await (const source of conversations ?? []) {
    const conversation = await toConversation(source, maybeYield)
    if (conversation === 'too_large') leftOut(conversation)
    else yield conversation
  }
}

/** Returns the newer version if a picture has two cards, and undefined for a picture without a card. */
const cardIn = async (png: Buffer, { maybeYield }: Reading): Promise<readonly Found[] | undefined> => {
  if (!isPng(png)) return undefined
  const texts = textsInPng(png)
  const text = texts.get('ccv3') ?? texts.get('chara')
  if (text === undefined) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length > feedLimits.card) throw new Unreadable('damaged')
  const card = await parseGently(bytes, maybeYield)
  return isObject(card) && isCard(card) ? fromCard(card) : undefined
}

/** Reads one JSON text. Yields undefined for an empty conversation. */
export const conversationsIn = async function* (
  chunks: AsyncIterable<Buffer>,
  maybeYield: MaybeYield,
  leftOut: LeftOut,
  onForm: (form: Form) => void = () => {},
): AsyncGenerator<Conversation | undefined> {
  const { conversation: maxBytes, depth: maxDepth, values } = feedLimits
  const splitter = createSplitter({ maxBytes, deepest: maxDepth, values, objects: 'whole' })
  const gathering = createGathering(leftOut)
  const takePiece = async (piece: Piece): Promise<readonly Found[]> => {
    if (piece.kind === 'closed') {
      onForm('empty')
      return gathering.end()
    }
    if (piece.kind === 'value') {
      const value = await parseGently(piece.bytes, maybeYield)
      onForm(detectForm(value))
      return gathering.take(value, piece.bytes.length)
    }
    leftOut(piece.reason)
    return []
  }
  const convert = async (foundConversation: Found) => {
    const conversation = await toConversation(foundConversation, maybeYield)
    if (conversation !== 'too_large') return conversation
    leftOut(conversation)
    return undefined
  }
  const tell = async function* (pieces: readonly Piece[]) {
    for (const piece of pieces)
      for (const foundConversation of await takePiece(piece)) yield convert(foundConversation)
  }
  for await (const chunk of chunks) {
    await maybeYield()
    yield* tell(splitter.push(chunk))
  }
  yield* tell(splitter.end())
  for (const foundConversation of gathering.end()) yield convert(foundConversation)
}
