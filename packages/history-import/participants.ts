/** Collects the names in chats between people, and the names of the user. */
import { type Conversation, cutText } from './imported-conversation.ts'
import { isSameName } from './people-chats.ts'

/** Names that are held, and names in a sentence. */
const maxNames = 200
const maxNamesInNote = 20

interface Participants {
  add(conversation: Conversation): void
  /** Sentences for the user. */
  notes(): readonly string[]
  /** Names in chats whose user is unknown. */
  unknownNames(): readonly string[]
}

/** `me`: the name that the user gave. */
export const createParticipants = (ownName: string | undefined): Participants => {
  const users = new Set<string>()
  const names = new Set<string>()
  let hasUnknown = false

  const add = ({ kind, person, names: writers = [] }: Conversation) => {
    if (kind !== 'people') return
    if (person !== undefined && person !== null) {
      if (users.size < maxNames) users.add(person)
      return
    }
    hasUnknown = true
    for (const name of writers) if (names.size < maxNames) names.add(name)
  }

  /** A long chat is several conversations, and the user may have written in some of them only. */
  const unknownNames = () => [...names].filter((name) => !users.has(name))

  const notes = () => {
    const sentences = [...users].map((name) => `Chats between people: ${quoteName(name)} was taken for you.`)
    if (!hasUnknown) return sentences
    const isMissing = ownName !== undefined && ![...users].some((name) => isSameName(name, ownName))
    const missingNote = isMissing ? ` No one in them is called ${quoteName(ownName)}.` : ''
    const missingNames = unknownNames()
    const nameList = missingNames.slice(0, maxNamesInNote).map(quoteName).join(', ')
    const moreNote = missingNames.length > maxNamesInNote ? ' and others' : ''
    const question =
      users.size > 0 || nameList === ''
        ? ''
        : ` Which of them is you: ${nameList}${moreNote}? Send the name as “me”.`
    const subject = users.size > 0 ? 'in some of them it' : 'it'
    return [
      ...sentences,
      `Chats between people: ${subject} is not known who you are, so nothing of such a chat becomes memory.${missingNote}${question}`,
    ]
  }
  return { add, notes, unknownNames }
}

const quoteName = (name: string): string => `“${cutText(name, 80)}”`
