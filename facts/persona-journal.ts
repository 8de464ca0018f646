/** The journal of a persona: the journal's types with the facts of a persona. */
import type * as log from '../journal/log/journal.ts'
import { openJournals } from '../journal/log/journals.ts'
import { type PersonaTypes, personaVocabulary } from './facts.ts'

export type Draft = log.Draft<PersonaTypes>
export type Entry = log.Entry<PersonaTypes>
export type AuditEntry = log.AuditEntry<PersonaTypes>
export type Commit = log.Commit<PersonaTypes>
export type Range = log.Range<PersonaTypes>
export type Journal = log.Journal<PersonaTypes>
export type Staged = log.Staged<PersonaTypes>
export type First = log.First<PersonaTypes>
export type Journals = log.Journals<PersonaTypes>

type Deps = Omit<Parameters<typeof openJournals<PersonaTypes>>[0], 'vocabulary'>

export const openPersonaJournals = (deps: Deps): Journals =>
  openJournals({ ...deps, vocabulary: personaVocabulary })
