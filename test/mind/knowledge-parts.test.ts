/** The statements in prompts: pinned ones first, with their dates, as far as they fit. */
import { test } from 'uvu'
import { equal, match, not, ok } from 'uvu/assert'
import type { EventOf, PersonaEvent } from '../../facts/facts.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import { knowledgeParts, selfParts } from '../../src/mind/prompt/persona-prompt.ts'
import { budgetIn, type TokenBudget } from '../../src/mind/prompt/prompt-part.ts'
import { awake } from '../persona/given.ts'

const moment = { now: Date.parse('2026-11-28T12:00:00Z'), zone: 'Europe/Berlin' }
const createMemoryKept = (
  id: string,
  text: string,
  fields: Partial<EventOf<'MemoryKept'>> = {},
): PersonaEvent => ({
  type: 'MemoryKept',
  id,
  document: 'person',
  text,
  sources: [2],
  origin: 'consolidation',
  ...fields,
})
const pinned = (id: string): PersonaEvent => ({
  type: 'MemoryPinned',
  id,
  pinned: true,
  origin: 'consolidation',
})

const fold = (...facts: readonly PersonaEvent[]): Persona =>
  [...awake, ...facts].reduce<Persona | undefined>(
    (persona, event, n) => evolve(persona, { seq: n + 1, at: Date.parse('2025-11-28T12:00:00Z'), event }),
    undefined,
  ) as Persona
const render = (persona: Persona, budget: TokenBudget = budgetIn(null)): string =>
  knowledgeParts(persona, budget, moment)
    .map(({ text }) => text)
    .join('')

const core: readonly PersonaEvent[] = [
  createMemoryKept('name', 'Their name is Mia.'),
  createMemoryKept('allergy', 'They are allergic to peanuts.'),
  createMemoryKept('family', 'They have a daughter named Lena.'),
]
const small = (count: number): readonly PersonaEvent[] =>
  Array.from({ length: count }, (_, n) =>
    createMemoryKept(
      `s${n}`,
      `They once spoke about a small thing with the name thing-${n}, which they liked a little.`,
    ),
  )

test('shows name, allergy and family after 150 further statements, and how many more there are', () => {
  const budget = { ...budgetIn(null), knowledge: 2000 }
  const unpinned = render(fold(...core, ...small(150)), budget)
  not.match(unpinned, /Mia/)
  const text = render(
    fold(...core, pinned('name'), pinned('allergy'), pinned('family'), ...small(150)),
    budget,
  )
  for (const message of ['named Lena', 'name is Mia', 'allergic to peanuts'])
    ok(text.includes(message), message)
  match(text, /\[name\].*\[allergy\].*\[family\].*\[s149\]/s)
  match(text, /You know \d+ more statements/)
})

test('gives pinned statements at most a third of the room, the oldest ones first', () => {
  const facts = small(30).flatMap((fact, n) => [fact, pinned(`s${n}`)])
  const permission = createMemoryKept('p', 'You may wake me at six.', {
    document: 'permissions',
    origin: 'persona',
  })
  const text = render(fold(permission, ...facts, ...small(0)), { ...budgetIn(null), knowledge: 300 })
  match(text, /\[s0\].*\[s1\]/s)
  match(text, /\[p\] You may wake me at six/)
  not.match(text, /\[s10\]/)
})

test('shows when a statement began, ends and ended, and keeps one that is over', () => {
  const text = render(
    fold(
      createMemoryKept('a', 'They live in Porto.', { from: '2024' }),
      createMemoryKept('b', 'They study in Rome.', { until: '2027-03' }),
      createMemoryKept('c', 'They worked for a bank.', { from: '2019-05', until: '2026-11-27' }),
      createMemoryKept('d', 'They will work in Oslo.', { from: '2027-01-15' }),
      createMemoryKept('e', 'They are on leave.', { until: '2026-11' }),
      createMemoryKept('f', 'They have an interview.', { from: '2026-11-27', until: '2026-11-27' }),
    ),
  )
  equal(
    text.split('\n').slice(1, 7),
    [
      '- [f] They have an interview. (past: 27 November 2026)',
      '- [e] They are on leave. (until November 2026)',
      '- [d] They will work in Oslo. (from 15 January 2027)',
      '- [c] They worked for a bank. (past: since May 2019, until 27 November 2026)',
      '- [b] They study in Rome. (until March 2027)',
      '- [a] They live in Porto. (since 2024)',
    ].reverse(),
  )
})

test('shows the date of a statement with a number that ages or a day that depends on it, and of no other', () => {
  const text = render(
    fold(
      createMemoryKept('a', 'Lena is 7.'),
      createMemoryKept('b', 'They were born on 5 May 1990.'),
      createMemoryKept('c', 'They get up at 6:30.'),
      createMemoryKept('d', 'Their birthday is 5 May.'),
      createMemoryKept('e', 'Sie haben 2 Katzen.'),
      createMemoryKept('f', 'They have a cat.'),
      createMemoryKept('g', 'Sie bewerben sich morgen beim Staatsarchiv.'),
      createMemoryKept('h', 'They start next week.'),
      createMemoryKept('i', 'They moved today, on 3 May 2026.'),
    ),
  )
  equal(
    [...text.matchAll(/\[(.)\][^(\n]*\(as of 28 November 2025\)/g)].map(([, id]) => id),
    ['a', 'e', 'g', 'h'],
  )
})

test('shows each note of the persona about itself on its own line', () => {
  const persona = fold(
    createMemoryKept('a', 'You like dogs.', { document: 'self' }),
    createMemoryKept('b', 'You like rainy days.', { document: 'self' }),
  )
  const text = selfParts(persona, moment)
    .map((part) => part.text)
    .join('')
  match(text, /\n- \[a\] You like dogs\.\n- \[b\] You like rainy days\.\n$/)
})

test.run()
