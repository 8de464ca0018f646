/**
 * Perceives the files of a turn's messages before the model is called: pictures by the Eye, recordings by the
 * Ear, documents by the Researcher. Without these organs, the model gets pictures that it accepts, and the
 * text of documents.
 */

import type { Media } from '../../facts/fact-values.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import type { Sensed } from '../../packages/documents/file-kind.ts'
import { getKind } from '../../packages/documents/formats.ts'
import type { Turn } from '../../projections/talk.ts'
import { listMedia, type Perceptions } from '../mind/prompt/heard-files.ts'
import { attribute, cutTo } from '../mind/prompt/marked-data.ts'
import { readPerceived } from '../mind/prompt/recent-talk.ts'
import type { RecordPerception } from '../persona/rules/turn.ts'
import type { TurnDeps } from './agent-deps.ts'
import {
  answerFromDocument,
  createRefusal,
  describePicture,
  type IncomingFile,
  listen,
  type Perception,
} from './perception.ts'
import { writeWithRetries } from './recording.ts'

/** Perceives each file once and records the result. A resumed turn continues with the next file. */
export const perceive = async (turn: Turn, messages: readonly Entry[], deps: TurnDeps): Promise<void> => {
  for (const entry of messages) {
    const media = listMedia(entry)
    if (!media) continue
    const { persona, known } = await deps.read(async ({ persona, journal }) => ({
      persona,
      known: (await readPerceived(journal, [entry])).has(entry.seq),
    }))
    if (known) continue
    const quotedName = `“${attribute(media.name)}”`
    const { files, documents, signal } = deps
    const perception = await perceiveFile(
      {
        media,
        quotedName,
        entry,
        means: {
          organs: deps.organs(persona, signal, null, turn.otherMind?.organ),
          files,
          documents,
          signal,
        },
      },
      deps,
    )
    signal.throwIfAborted()
    await writeWithRetries(deps, () => deps.execute(toCommand(turn, entry, media, perception, deps.life)))
  }
}

/**
 * Returns true if all messages are files without a caption that could not be perceived. Messages about that
 * were already sent, so no answer is needed.
 */
export const isFullyAnswered = (turn: Turn, messages: readonly Entry[], perceptions: Perceptions): boolean =>
  turn.stimuli.due.length === 0 &&
  messages.length > 0 &&
  messages.every(
    (entry) => listMedia(entry)?.caption.trim() === '' && perceptions.get(entry.seq)?.outcome === 'refused',
  )

/** Max UTF-16 units of a perception, so that it fits into one fact. */
const maxTextUnits = 60_000

/**
 * Refusals and notes are always shown to the user, who would otherwise assume that the file was perceived.
 */
const toCommand = (
  turn: Turn,
  entry: Entry,
  media: Media,
  perception: Perception,
  life: number,
): RecordPerception => {
  const { organ, outcome, calls } = perception
  const text = cutTo(perception.text, maxTextUnits)
  const record = { message: entry.seq, filename: media.filename, organ, outcome, text }
  return {
    type: 'RecordPerception',
    life,
    turn: turn.id,
    perceived: record,
    notice: outcome === 'refused' ? text : toNote(media, perception),
    calls,
  }
}

const toNote = ({ name }: Media, { note }: Perception): string | null =>
  note === undefined
    ? null
    : `“${attribute(name)}”: ${note} If letters in it are wrong, name the right encoding.`

/** Perceives a file according to its content, not its name. */
const perceiveFile = async (
  file: IncomingFile,
  deps: Pick<TurnDeps, 'documents' | 'files' | 'signal'>,
): Promise<Perception> => {
  const { media, quotedName } = file
  // The names of voice recordings are unreliable, so only their content counts.
  const content = await deps.files
    .path(media.filename)
    .then((path) => deps.documents.sense(path, media.voice ? '' : media.name, deps.signal))
    .catch(() => null)
  deps.signal.throwIfAborted()
  if (!content)
    return createRefusal(
      null,
      `${quotedName} cannot be opened: the disk failed to read it. It is kept: ask about it again later.`,
    )
  if (content.kind === 'absent')
    return createRefusal(
      null,
      `${quotedName} cannot be found: it is not in the media folder any more. Send it again.`,
    )
  if (!(await deps.files.isSound(media)))
    return createRefusal(
      null,
      `${quotedName} is damaged: the stored file differs from the file that came, so it was not opened. Send it again.`,
    )
  if (media.bytes === 0)
    return createRefusal(null, `There is nothing in ${quotedName}: the file is empty. Send it again.`)
  return media.voice ? listenToClip(file, content) : perceiveByKind(file, content)
}

type Present = Exclude<Sensed, { kind: 'absent' }>

const perceiveByKind = (file: IncomingFile, content: Present): Promise<Perception> | Perception => {
  const { quotedName } = file
  switch (content.kind) {
    case 'contradiction':
    case 'binary':
      return createRefusal(null, explainUnopened(quotedName, content))
    case 'image':
      return describePicture(file, content.mime)
    case 'audio':
      return listen(file, content.mime)
    case 'document':
      return answerFromDocument(file, content.format)
  }
}

/** Returns the reason why no organ opens the file. */
export const explainUnopened = (
  quotedName: string,
  content: Extract<Sensed, { kind: 'contradiction' | 'binary' }>,
): string =>
  content.kind === 'contradiction'
    ? `${quotedName} calls itself ${content.claims}, but its content is ${content.is}, so it was not opened. Give it the name that fits, and send it again.`
    : `${quotedName} is a binary file (${content.mime}), which no organ can open. ${binaryAdvice[content.mime] ?? 'Pictures, recordings and documents can be opened.'}`

/** How to send kinds of files that many users have. */
const binaryAdvice: Readonly<Record<string, string>> = {
  'application/msword': 'It comes from an old Word: save it as .docx, and send that.',
  'application/vnd.ms-excel': 'It comes from an old Excel: save it as .xlsx, and send that.',
  'application/vnd.ms-powerpoint': 'It comes from an old PowerPoint: save it as .pptx, and send that.',
  'image/heic-sequence': 'Export one of its pictures as a JPEG, and send that.',
  'image/heif-sequence': 'Export one of its pictures as a JPEG, and send that.',
}

/** A format that content sniffing does not know may still be a recording that the Ear can play. */
const listenToClip = (file: IncomingFile, content: Present): Promise<Perception> | Perception => {
  const { quotedName, media } = file
  if (content.kind === 'audio') return listen(file, content.mime)
  if (content.kind === 'binary' && /^(audio|video)\/|^application\/octet-stream$/.test(content.mime))
    return listen(file, media.mime)
  return createRefusal(
    null,
    `${quotedName} came as a recording, but its content is ${describeContent(content)}, so it was not played. Send it as a file instead.`,
  )
}

const describeContent = (content: Present): string => {
  if (content.kind === 'contradiction') return content.is
  return content.kind === 'binary' ? `a file of the kind ${content.mime}` : getKind(content.format).called
}
