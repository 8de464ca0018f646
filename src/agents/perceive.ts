/**
 * What came with the messages of a turn, perceived before it thinks: pictures by the Eye, clips by the Ear,
 * documents by the Researcher, or by its Mind where that can.
 */
import type { Media } from '../../journal/facts/fact-values.ts'
import type { Entry } from '../../journal/log/journal.ts'
import { kindOf } from '../../packages/documents/formats.ts'
import type { Sensed } from '../../packages/documents/sense.ts'
import type { Turn } from '../../projections/talk.ts'
import { mediaOf, type Perceived } from '../mind/prompt/heard-files.ts'
import { attribute, cutTo } from '../mind/prompt/marked-data.ts'
import { readPerceived } from '../mind/prompt/recent-talk.ts'
import type { RecordPerception } from '../persona/rules/turn.ts'
import { untilKept } from './recording.ts'
import { type Arrived, listen, look, type Perception, read, refused } from './senses.ts'
import type { TurnDeps } from './turn-deps.ts'

/**
 * Every file is perceived once, and what of it is on record: a turn that was cut off goes on with the next.
 */
export const perceive = async (turn: Turn, heard: readonly Entry[], deps: TurnDeps): Promise<void> => {
  for (const entry of heard) {
    const media = mediaOf(entry)
    if (!media) continue
    const { persona, known } = await deps.read(async ({ persona, journal }) => ({
      persona,
      known: (await readPerceived(journal, [entry])).has(entry.seq),
    }))
    if (known) continue
    const called = `“${attribute(media.name)}”`
    const { files, documents, signal } = deps
    const perception = await open(
      { media, called, entry, means: { organs: deps.organs(persona, signal), files, documents, signal } },
      deps,
    )
    signal.throwIfAborted()
    await untilKept(deps, () => deps.execute(commandOf(turn, entry, media, perception, deps.life)))
  }
}

/** Nothing that came is perceived, and nothing was said with it: what there is to say has been said. */
export const nothingLeft = (turn: Turn, heard: readonly Entry[], perceived: Perceived): boolean =>
  turn.stimuli.due.length === 0 &&
  heard.length > 0 &&
  heard.every(
    (entry) => mediaOf(entry)?.caption.trim() === '' && perceived.get(entry.seq)?.outcome === 'refused',
  )

/** UTF-16 units: what is perceived of one file fits into one fact. */
const mostPerceived = 60_000

/** A refusal is always said to the user, so that no one takes the file for perceived; a note, too. */
const commandOf = (
  turn: Turn,
  entry: Entry,
  media: Media,
  perception: Perception,
  life: number,
): RecordPerception => {
  const { organ, outcome, calls } = perception
  const text = cutTo(perception.text, mostPerceived)
  const perceived = { message: entry.seq, filename: media.filename, organ, outcome, text }
  return {
    type: 'RecordPerception',
    life,
    turn: turn.id,
    perceived,
    words: outcome === 'refused' ? text : noteFor(media, perception),
    calls,
  }
}

const noteFor = ({ name }: Media, { note }: Perception): string | null =>
  note === undefined
    ? null
    : `“${attribute(name)}”: ${note} If letters in it are wrong, tell me the right encoding.`

/** By what its bytes are, whatever its name says. */
const open = async (
  arrived: Arrived,
  deps: Pick<TurnDeps, 'documents' | 'files' | 'signal'>,
): Promise<Perception> => {
  const { media, called } = arrived
  // Recorders call a clip what they like, or nothing: its bytes alone decide.
  const sensed = await deps.files
    .path(media.filename)
    .then((path) => deps.documents.sense(path, media.voice ? '' : media.name, deps.signal))
    .catch(() => null)
  deps.signal.throwIfAborted()
  if (!sensed)
    return refused(
      null,
      `I cannot open ${called}: the disk does not give it to me. It is kept: ask me about it again in a while.`,
    )
  if (sensed.kind === 'absent')
    return refused(
      null,
      `I cannot find ${called} any more: its file is gone from my media folder. Please send it again.`,
    )
  if (!(await deps.files.isSound(media)))
    return refused(
      null,
      `${called} is damaged: what lies on the disk is not what came, so I did not open it. Please send it again.`,
    )
  if (media.bytes === 0)
    return refused(null, `There is nothing in ${called}: the file is empty. Please send it again.`)
  return media.voice ? listenToClip(arrived, sensed) : bySense(arrived, sensed)
}

type Present = Exclude<Sensed, { kind: 'absent' }>

const bySense = (arrived: Arrived, sensed: Present): Promise<Perception> | Perception => {
  const { called } = arrived
  switch (sensed.kind) {
    case 'contradiction':
      return refused(
        null,
        `${called} calls itself ${sensed.claims}, but what is in it is ${sensed.is}, so I did not open it. Give it the name that fits, and send it again.`,
      )
    case 'binary':
      return refused(
        null,
        `${called} is a binary file (${sensed.mime}), and I have no sense for that kind, so I did not open it. ${binaryAdvice[sensed.mime] ?? 'I can look at pictures, listen to recordings and read documents.'}`,
      )
    case 'image':
      return look(arrived, sensed.mime)
    case 'audio':
      return listen(arrived, sensed.mime)
    case 'document':
      return read(arrived, sensed.format)
  }
}

/** Tells how to send kinds of files that many users have. */
const binaryAdvice: Readonly<Record<string, string>> = {
  'application/msword': 'It comes from an old Word: save it as .docx, and send that.',
  'application/vnd.ms-excel': 'It comes from an old Excel: save it as .xlsx, and send that.',
  'application/vnd.ms-powerpoint': 'It comes from an old PowerPoint: save it as .pptx, and send that.',
  'image/heic-sequence': 'Export one of its pictures as a JPEG, and send that.',
  'image/heif-sequence': 'Export one of its pictures as a JPEG, and send that.',
}

/** What no sense knows may still be sound in a form that its Ear knows. */
const listenToClip = (arrived: Arrived, sensed: Present): Promise<Perception> | Perception => {
  const { called, media } = arrived
  if (sensed.kind === 'audio') return listen(arrived, sensed.mime)
  if (sensed.kind === 'binary' && /^(audio|video)\/|^application\/octet-stream$/.test(sensed.mime))
    return listen(arrived, media.mime)
  return refused(
    null,
    `${called} came as a recording, but what is in it is ${calledOf(sensed)}, so I did not listen to it. Send it as a file instead.`,
  )
}

const calledOf = (sensed: Present): string => {
  if (sensed.kind === 'contradiction') return sensed.is
  return sensed.kind === 'binary' ? `a file of the kind ${sensed.mime}` : kindOf(sensed.format).called
}
