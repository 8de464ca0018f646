/**
 * Memories of another AI about a user as Markdown: Eternego's `person.md`, OpenClaw's and Hermes'
 * `MEMORY.md`, `USER.md`, `SOUL.md`, and the days of `memory/`. Hermes separates entries by a line with `§`.
 */
import type { Found } from './imported-conversation.ts'
import { feedLimits } from './unreadable.ts'

/** Returns the notes as messages of the assistant, who wrote them. */
export const fromNotes = (name: string, text: string): Found => {
  const title = name.split('/').at(-1) ?? name
  const time = /^\d{4}-\d\d-\d\d/.exec(title)?.[0] ?? null
  return {
    id: null,
    title,
    updated: [],
    said: () => notesIn(text).map((content) => ({ role: 'assistant', content, time })),
  }
}

/** Cuts the text into notes that are short enough for one message. A heading or a `§` starts a note. */
export const notesIn = (text: string): readonly string[] => {
  const notes: string[] = []
  let note = ''
  const end = () => {
    if (note.trim() !== '') notes.push(note)
    note = ''
  }
  for (const line of text.split(/\r?\n/)) {
    const isBeginning = line.startsWith('#') || line.trim() === '§'
    if (isBeginning || note.length + line.length > feedLimits.note) end()
    if (line.trim() === '§') continue
    for (let position = 0; position === 0 || position < line.length; position += feedLimits.note) {
      if (position > 0) end()
      note += `${line.slice(position, position + feedLimits.note).toWellFormed()}\n`
    }
  }
  end()
  return notes
}
