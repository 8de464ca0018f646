/** The rules of what a person may change by hand: what she knows, and what she has planned. */
import type { PersonaEvent } from '../../journal/events.ts'
import type { Statement } from '../../projections/knowledge.ts'
import type { Persona } from '../../projections/persona.ts'
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
      return isPlanned(persona, command.id)
        ? accept({ type: 'EntryCancelled', id: command.id })
        : refuse({ code: 'plan_unknown', id: command.id })
  }
}

const writeMemory = (_: Persona, { id, document, text }: WriteMemory): Decision => {
  const refused = unfit(text)
  return refused ?? accept({ type: 'MemoryKept', id, document, text: text.trim(), sources: [], origin: 'person' })
}

/** Put right by the person, a statement is theirs; forgotten or brought back, it stays whose it was. */
const amendMemory = ({ knowledge }: Persona, { id, text, forgotten }: AmendMemory): Decision => {
  const known = knowledge.statements[id]
  const gone = knowledge.forgotten[id]
  const statement = known ?? gone
  if (!statement) return refuse({ code: 'statement_unknown', id })
  const refused = text === null ? null : unfit(text)
  if (refused) return refused
  const words = text?.trim() ?? statement.text
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

const unfit = (text: string): Decision | null => {
  if (text.trim() === '') return refuse({ code: 'statement_empty' })
  return text.trim().length > longestStatement ? refuse({ code: 'too_long', what: 'memory', most: longestStatement }) : null
}

const writeEntry = ({ plans }: Persona, { type, entry }: WriteEntry): Decision => {
  if (entry.content.length > longestEntry) return refuse({ code: 'too_long', what: 'entry', most: longestEntry })
  if (type === 'WriteEntry') return accept({ type: 'EntryPlanned', ...entry })
  return plans.open[entry.id] ? accept({ type: 'EntryMoved', ...entry }) : refuse({ code: 'plan_unknown', id: entry.id })
}

const isPlanned = ({ plans }: Persona, id: string): boolean => plans.open[id] !== undefined || plans.due.some((plan) => plan.id === id)
