/**
 * Undo in random histories: an undo restores the previous state, a second undo restores the change, and the
 * chain is valid. Fails if `changedSince` finds nothing (the state is refused or wrong), and with a row of
 * the wrong thing.
 */
import { test } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import type { Seq } from '../../facts/fact-values.ts'
import { type Entry, type Journal, openPersonaJournals } from '../../facts/persona-journal.ts'
import { emptyHead } from '../../journal/log/head.ts'
import { memoryStores } from '../../journal/log/memory-store.ts'
import { listValues } from '../../projections/persistent-map.ts'
import type { Persona } from '../../projections/persona.ts'
import type { CommandDeps } from '../../src/commands/command-deps.ts'
import { undoFact } from '../../src/commands/undo.ts'
import { createGate } from '../../src/persona/gate.ts'
import { Refused } from '../../src/persona/refusals.ts'
import { type Command, decide } from '../../src/persona/rules/decide.ts'
import { createFakeClock } from '../clock.ts'
import { type Chance, createChance } from '../random.ts'
import { born, entryPlanned, minded, opus } from './given.ts'

const openLife = async () => {
  const clock = createFakeClock('2026-11-20T10:00:00+01:00')
  const journals = openPersonaJournals({ stores: memoryStores(), witness: async () => undefined })
  const firstCommit = {
    cause: { by: 'person' },
    at: clock.now(),
    offset: 60,
    events: [born, minded],
  } as const
  const journal = await journals.create('p', firstCommit)
  const gate = createGate({
    journal,
    persona: undefined,
    head: emptyHead,
    stopwatch: clock,
    now: () => ({ at: clock.now(), offset: 60 }),
    publish: () => {},
    onDamage: () => {},
    doubtful: () => {},
  })
  await gate.readOn()
  const state = () => gate.persona as Persona
  const personas = {
    getRow: () => ({ self: state().self, trouble: null }),
    read: async <T>(_: string, look: (reading: { persona: Persona; journal: Journal }) => Promise<T>) =>
      look({ persona: state(), journal }),
    would: async (_: string, command: Command) => {
      const decision = decide(state(), command)
      if ('refused' in decision) throw new Refused(decision.refused)
    },
    execute: (_: string, command: Command) => gate.execute(command, 'person'),
    secret: async () => null,
  }
  const deps = {
    personas,
    clock,
    config: { urls: { local: 'http://localhost' } },
    agents: { waitUntilSettled: async () => ({ running: false, failed: null }) },
    models: { prepare: async () => {}, wrap: async () => {}, unwrap: async () => {} },
    inTurn: (_: string, work: () => Promise<unknown>) => work(),
    bus: { sign: () => {} },
  } as unknown as CommandDeps
  const undo = async (seq: Seq) => {
    try {
      return (await undoFact(deps, 'p', seq, new AbortController().signal)).by
    } catch (error) {
      if (error instanceof Refused) return error.refusal
      throw error
    }
  }
  const entries = async () => {
    const all: Entry[] = []
    for await (const entry of journal.read({})) all.push(entry)
    return all
  }
  const execute = async (command: Command) => {
    const { entries } = await gate.execute(command, 'person')
    return entries.map(({ seq }) => seq)
  }
  return { state, undo, execute, entries, journal }
}

/** All that can be undone, without positions. */
const getUndoable = ({ self, knowledge, plans }: Persona) => ({
  name: self.name,
  idle: self.idleTimeout,
  status: self.status,
  organs: self.organs,
  channels: self.channels.map(({ id, token }) => [id, token]),
  memories: listValues(knowledge.statements)
    .map(({ id, document, text, sources, origin }) => [id, document, text, sources, origin])
    .sort(),
  instructions: listValues(knowledge.instructions)
    .map(({ id, intention, body }) => [id, intention, body])
    .sort(),
  plans: listValues(plans.open)
    .map(({ seq: _, ...plan }) => plan)
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
})
/** The same with forgotten statements. */
const getWhole = (persona: Persona) => ({
  ...getUndoable(persona),
  forgotten: listValues(persona.knowledge.forgotten)
    .map(({ id, text }) => [id, text])
    .sort(),
})

const drawCommand = (chance: Chance, n: number): Command => {
  const anyId = `${chance.pickBetween(1, 4)}`
  const entry = { ...entryPlanned, id: `p${anyId}`, wall: `2026-12-0${chance.pickBetween(1, 9)}T09:00:00` }
  const update = { type: 'UpdatePersona', organs: {}, clear: [] } as const
  return chance.pick<() => Command>([
    () => ({ ...update, name: `Ada ${chance.pickBetween(1, 3)}` }),
    () => ({ ...update, idleTimeout: chance.pickBetween(1, 3) }),
    () => ({ ...update, status: chance.pick(['active', 'hibernate', 'sick']) }),
    () => ({ ...update, organs: { eye: { ...opus, model: `m${anyId}` } } }),
    () => ({ ...update, organs: { thinking: { ...opus, model: `m${anyId}` } } }),
    () => ({ ...update, clear: ['eye'] }),
    () => ({
      type: 'KeepMemory',
      id: `m${anyId}`,
      document: 'person',
      text: `likes ${n}`,
      sources: [],
      origin: 'person',
    }),
    () => ({ type: 'AmendMemory', id: `m${anyId}`, text: `likes ${n} more`, forgotten: null }),
    () => ({ type: 'AmendMemory', id: `m${anyId}`, text: null, forgotten: true }),
    () => ({ type: 'AmendMemory', id: `m${anyId}`, text: `again ${n}`, forgotten: false }),
    () => ({ type: 'LearnInstruction', id: `i${anyId}`, intention: `when ${n}`, body: 'ask' }),
    () => ({ type: 'ReviseInstruction', id: `i${anyId}`, body: `ask ${n}` }),
    () => ({ type: 'RemoveInstruction', id: `i${anyId}` }),
    () => ({ type: 'WriteEntry', entry }),
    () => ({ type: 'MoveEntry', entry }),
    () => ({ type: 'CancelEntry', id: `p${anyId}` }),
    () => ({
      type: 'AddChannel',
      channel: { id: `c${anyId}`, kind: 'telegram', bot: { id: `b${n}`, name: `bot ${n}` }, token: `t${n}` },
    }),
    () => ({ type: 'RemoveChannels', name: `bot ${n - 1}` }),
  ])()
}

const histories = Number(process.env.UNDO_HISTORIES) || 60

test('an undo restores the state before, and a second undo the state after, in any history', async () => {
  const chance = createChance(`${histories} histories taken back`)
  let undoneCount = 0
  for (let n = 0; n < histories; n++) {
    const { state, undo, execute, entries, journal } = await openLife()
    for (let step = 0; step < 30; step++) {
      const stateBefore = getWhole(state())
      const undoableBefore = getUndoable(state())
      if (chance.next() < 0.4) {
        const seq = chance.pickBetween(1, journal.head.seq)
        const undoResult = await undo(seq)
        if (!('length' in undoResult)) {
          equal(getWhole(state()), stateBefore)
          continue
        }
        undoneCount++
        const all = await entries()
        for (const undoSeq of undoResult) is(all[undoSeq - 1]?.cause.undoes, seq)
        if (all[(undoResult[0] as number) - 1]?.type === 'ChannelRemoved') continue
        const secondUndo = await undo(undoResult[0] as Seq)
        ok('length' in secondUndo, JSON.stringify([all[seq - 1]?.event, secondUndo]))
        equal(getUndoable(state()), undoableBefore)
        continue
      }
      const storedSeqs = await execute(drawCommand(chance, step)).catch((error: unknown) => {
        if (error instanceof Refused) return []
        throw error
      })
      // The undo of a single fact, immediately: the state is as if it had not happened.
      if (storedSeqs.length !== 1 || chance.next() < 0.5) continue
      const undoResult = await undo(storedSeqs[0] as Seq)
      if ('length' in undoResult) equal(getUndoable(state()), undoableBefore)
    }
    is((await journal.verify()).intact, true)
  }
  ok(undoneCount > histories)
})

test('a change between the check and the decision is not overwritten', async () => {
  const { state, execute } = await openLife()
  const rename = (name: string) => execute({ type: 'UpdatePersona', name, organs: {}, clear: [] } as const)
  const stateBefore = state()
  const [seq = 0] = await rename('Bea')
  const stateAfter = state()
  await rename('Cleo')
  const undo = {
    type: 'Undo',
    seq,
    thing: { of: 'name', id: '' },
    before: stateBefore,
    after: stateAfter,
  } as const
  const refusal = await execute(undo).catch((error: unknown) => error)
  equal(refusal instanceof Refused && refusal.refusal, { code: 'changed_since', at: null })
  is(state().self.name, 'Cleo')
})

test('refuses to undo an overwritten change with the position to undo first', async () => {
  const { state, undo, execute } = await openLife()
  const rename = (name: string) => execute({ type: 'UpdatePersona', name, organs: {}, clear: [] } as const)
  const [first = 0] = await rename('Bea')
  const [second = 0] = await rename('Cleo')
  equal(await undo(first), { code: 'changed_since', at: second })
  equal(await undo(second), [5])
  is(state().self.name, 'Bea')
  equal(await undo(second), { code: 'undone_already', at: 5 })
  equal(await undo(first), [6])
  is(state().self.name, 'Ada')
  // Restores Cleo, again from the end.
  equal(await undo(5), { code: 'changed_since', at: 6 })
  equal(await undo(6), [7])
  equal(await undo(5), [8])
  is(state().self.name, 'Cleo')
})

test.run()
