/**
 * Files in an API chat. The text of documents is marked as data. Pictures are passed to the model if it
 * accepts images, or else described by the Eye, or else marked as not seen.
 */

import type { Shown } from '../../packages/models/mind.ts'
import type { Organs } from '../mind/organ-calls.ts'
import {
  type CallerMessage,
  type FileText,
  type PassedMessage,
  toContextMessages,
  toPassedMessage,
} from '../mind/prompt/caller-prompt.ts'
import { cutTo, encloseInTag } from '../mind/prompt/marked-data.ts'
import { toUnits } from '../mind/prompt/prompt-part.ts'
import type { OrganCall } from '../persona/rules/organ-health.ts'
import { lookThroughEye } from './perception.ts'

/** `words`: a message about pictures that could not be perceived. `done`: nothing else is left to answer. */
export interface SeenPictures {
  readonly talk: readonly PassedMessage[]
  readonly words: string | null
  readonly done: boolean
}

type UserMessage = Extract<CallerMessage, { role: 'user' }>

/** Share of the talk's budget for the text of all documents. */
const shareOfFiles = 0.75
/** Max pictures that the Eye describes per answer. */
const maxPictures = 8
/** Max UTF-16 units of a description. */
const maxDescriptionUnits = 16_000

/**
 * Lets the Eye describe the pictures of the newest user message only. The chat already contains the answers
 * to earlier ones. Calls `tally` for each model call.
 */
export const lookAtPictures = async (
  messages: readonly CallerMessage[],
  organs: Organs,
  tally: (call: OrganCall) => void,
): Promise<SeenPictures> => {
  const fileCount = messages.reduce((sum, message) => sum + getFiles(message).length, 0)
  const maxUnits =
    fileCount > 0 ? Math.floor(toUnits((await organs.budget()).talk * shareOfFiles) / fileCount) : 0
  const toFileNotes = (message: CallerMessage) => getFiles(message).map((file) => toFileNote(file, maxUnits))
  const hasPictures = messages.some((message) => message.role === 'user' && message.pictures.length > 0)
  if (!hasPictures || (await organs.takes('thinking')).images)
    return {
      talk: messages.flatMap((message) =>
        message.role === 'user'
          ? toPassedMessage(message.content, toFileNotes(message), message.pictures)
          : toContextMessages(message),
      ),
      words: null,
      done: false,
    }
  const newestMessage = messages.findLast((message) => message.role === 'user')
  const { notes, words, pictureCount } = newestMessage
    ? await describe(newestMessage, organs, tally)
    : noPictures
  const talk = messages.flatMap((message) => {
    if (message.role !== 'user') return toContextMessages(message)
    return toPassedMessage(message.content, [
      ...toFileNotes(message),
      ...(message === newestMessage ? notes : message.pictures.map(toGoneNote)),
    ])
  })
  const isEmpty = newestMessage?.content.trim() === '' && newestMessage.files.length === 0
  return { talk, words, done: words !== null && pictureCount === 0 && isEmpty }
}

const getFiles = (message: CallerMessage): readonly FileText[] =>
  message.role === 'user' ? message.files : []

const toFileNote = ({ name, text }: FileText, maxUnits: number): string =>
  encloseInTag('file', { name, 'perceived-by': 'yourself' }, cutTo(text, maxUnits))

interface DescribedMessages {
  readonly notes: readonly string[]
  readonly words: string | null
  readonly pictureCount: number
}

const noPictures: DescribedMessages = { notes: [], words: null, pictureCount: 0 }

const describe = async (
  { content, pictures }: UserMessage,
  organs: Organs,
  tally: (call: OrganCall) => void,
): Promise<DescribedMessages> => {
  if (pictures.length === 0) return noPictures
  if (!organs.has('eye'))
    return {
      notes: pictures.map((picture) => toUnseenNote(picture, noEyeMessage)),
      words: noEyeMessage,
      pictureCount: 0,
    }
  const question = content.trim()
    ? `Describe this picture. It came with these words: ${content}`
    : 'Describe this picture.'
  const notes: string[] = []
  const skipRest = (n: number, words: string) => ({
    notes: [...notes, ...pictures.slice(n).map((picture) => toUnseenNote(picture, words))],
    words,
    pictureCount: n,
  })
  for (const [n, picture] of pictures.entries()) {
    if (n === maxPictures) return skipRest(n, tooManyMessage)
    const { outcome, text, calls } = await lookThroughEye(
      { picture, quotedName: picture.name, question },
      organs,
    )
    calls.forEach(tally)
    if (outcome === 'refused') return skipRest(n, text)
    notes.push(
      encloseInTag('file', { name: picture.name, 'perceived-by': 'eye' }, cutTo(text, maxDescriptionUnits)),
    )
  }
  return { notes, words: null, pictureCount: pictures.length }
}

const noEyeMessage =
  'There is no Eye, the organ that looks at pictures, and the Mind accepts none, so the pictures were not looked at. Add an Eye under settings, and send them again.'

const tooManyMessage = `At most ${maxPictures} pictures are looked at together, so the others were left out. Send the rest by itself.`

const toUnseenNote = ({ name }: Shown, words: string): string =>
  encloseInTag('file', { name }, `It was not looked at. They have been told so: ${words}`)

const toGoneNote = ({ name }: Shown): string =>
  encloseInTag(
    'file',
    { name },
    'It came with an earlier message and is not before you any more. They can send it again.',
  )
