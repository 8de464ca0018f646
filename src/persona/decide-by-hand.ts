/** The rules of what a person may change by hand: what she knows, and what she has planned. */
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import { oneLine, type Statement, written } from '../../projections/knowledge.ts'
import { isAt, valueAt } from '../../projections/persistent-map.ts'
import type { Persona } from '../../projections/persona.ts'
import { isPlanned } from '../../projections/plans.ts'
import type { AmendMemory, Command, Decision, WriteEntry, WriteMemory } from './commands.ts'
import { accept, refuse } from './decision.ts'

type ByHand = Extract<Command, { type: 'WriteMemory' | 'AmendMemory' | 'WriteEntry' | 'MoveEntry' | 'CancelEntry' }>

/** UTF-16 units of one statement, and of what one entry says. */
const longestStatement = 300
const longestEntry = 1000

export const decideByHand = (persona: Persona, command: ByHand): Decision => {
  switch (command.type) {
    case 'WriteMemory':
      return writeMemory(persona, command)
    case 'AmendMemory':
      return amendMemory(persona, command)
    case 'WriteEntry':
    case 'MoveEntry':
      return writeEntry(persona, command)
    case 'CancelEntry':
      return isPlanned(persona.plans, command.id)
        ? accept({ type: 'EntryCancelled', id: command.id })
        : refuse({ code: 'plan_unknown', id: command.id })
  }
}

/** What stands there in these very words is not written twice. */
const writeMemory = ({ knowledge }: Persona, { id, document, text: given }: WriteMemory): Decision => {
  const text = oneLine(given)
  const refused = unfit(text)
  if (refused) return refused
  return written(knowledge, document, text) ? accept() : accept({ type: 'MemoryKept', id, document, text, sources: [], origin: 'person' })
}

/** Put right by the person, a statement is theirs; forgotten or brought back, it stays whose it was. */
const amendMemory = ({ knowledge }: Persona, { id, text, forgotten }: AmendMemory): Decision => {
  const gone = valueAt(knowledge.forgotten, id)
  const statement = valueAt(knowledge.statements, id) ?? gone
  if (!statement) return refuse({ code: 'statement_unknown', id })
  const words = text === null ? statement.text : oneLine(text)
  const refused = text === null ? null : unfit(words)
  if (refused) return refused
  if (gone) {
    if (forgotten === false) return accept(restored(gone, words))
    return text === null ? accept() : refuse({ code: 'statement_forgotten' })
  }
  const events: PersonaEvent[] = []
  if (words !== statement.text) events.push({ type: 'MemoryRevised', id, text: words, sources: [...statement.sources], origin: 'person' })
  if (forgotten) events.push({ type: 'MemoryForgotten', id, why: null })
  return accept(...events)
}

const restored = ({ id, document, text, sources, origin }: Statement, words: string): PersonaEvent => ({
  ...{ type: 'MemoryRestored', id, document, text: words, sources: [...sources] },
  origin: words === text ? origin : 'person',
})

/** Letters, figures or a sign that says something. */
const saying = /[\p{L}\p{N}\p{S}]/u

const unfit = (text: string): Decision | null => {
  if (!saying.test(text)) return refuse({ code: 'statement_empty' })
  return text.length > longestStatement ? refuse({ code: 'too_long', what: 'memory', most: longestStatement }) : null
}

const writeEntry = ({ plans }: Persona, { type, entry }: WriteEntry): Decision => {
  if (entry.content.trim() === '') return refuse({ code: 'entry_empty' })
  if (entry.content.length > longestEntry) return refuse({ code: 'too_long', what: 'entry', most: longestEntry })
  if (type === 'WriteEntry') return accept({ type: 'EntryPlanned', ...entry })
  return isAt(plans.open, entry.id) ? accept({ type: 'EntryMoved', ...entry }) : refuse({ code: 'plan_unknown', id: entry.id })
}
