/** The errors of a chat history that cannot be read, and the limits of reading. */

const MiB = 1024 * 1024

export const feedLimits = {
  /** Bytes of one conversation in the file; a larger one is left out. */
  conversation: 64 * MiB,
  /** Values within each other; a conversation that is deeper is left out. */
  depth: 200,
  /** Values in one conversation; one of more is left out. ⏱ A MiB of short messages has 35 000. */
  values: 1_000_000,
  /** Messages of a list that is nothing but messages. */
  messages: 200_000,
  /** Characters of one message; the rest is cut off. */
  message: 1_000_000,
  /**
   * Characters of all messages of one conversation; one of more is left out: it would be asked about in
   * hundreds of parts.
   */
  characters: 16_000_000,
  /** Characters that are taken of a file which was given with a message. */
  attached: 20_000,
  title: 200,
  id: 200,
  /** Bytes of a picture that holds a card, of the card in it, and of a diary that has to be opened. */
  picture: 64 * MiB,
  card: 16 * MiB,
  diary: 128 * MiB,
  /** Characters of one note. */
  note: 1500,
  /** Entries of a zip: an export contains pictures too, so there may be many. */
  entries: 50_000,
  /** Bytes of the list of them. */
  directory: 16 * MiB,
  /** Bytes, unpacked. */
  unpacked: 8 * 1024 * MiB,
  /** Bytes of a zip within a zip, and how many of these one zip may have. */
  innerZip: 128 * MiB,
  innerZips: 50,
  /** How many times its packed size an entry may have. */
  ratio: 250,
} as const

/** Limits of the process that reads a history. */
export interface ReaderBounds {
  /** Bytes, its own 60 MB included. */
  readonly memory: number
  /** Milliseconds without a message from the process. */
  readonly silence: number
}

export const usualBounds: ReaderBounds = { memory: 768 * MiB, silence: 60_000 }

/** The end of a sentence that begins with the name of the file. */
const sentences = {
  not_json: 'it is not a chat history: it is neither JSON nor the zip of an export',
  damaged: 'it is damaged or not complete; download the export once more and send it again',
  empty: 'there is nothing in it',
  no_history: 'there is no chat history in this zip; send the one that came from the export',
  unknown_form: 'it is none of the forms that are read',
  web_page: 'it is the activity as a web page; choose JSON in place of HTML at takeout.google.com',
  locked: 'it is a diary of Eternego, which its recovery phrase alone opens',
  encrypted: 'it is protected; unpack it and send what is in it',
  too_large: 'it would unpack into more than can be read',
  too_many_entries: 'it is made of more parts than an export has; unpack it and send conversations.json',
  list_too_long:
    'the list of its parts is longer than that of an export; unpack it and send conversations.json',
  too_long: 'reading it took too long',
  lost: 'reading it ended before its time; send it again',
  ended_twice: 'the daemon ended twice while it was gone over, so it is not read a third time',
} as const

export type UnreadableReason = keyof typeof sentences

/** Thrown if a history cannot be read. It contains nothing of the file. */
export class Unreadable extends Error {
  readonly reason: UnreadableReason

  constructor(reason: UnreadableReason) {
    super(sentences[reason])
    this.name = 'Unreadable'
    this.reason = reason
  }
}
