/** A talk that a program passes on: it answers it in memory, from what it knows. What it cost is written down, and its words only where that is asked for. */
import type { Answer, Call, PersonaId, Used } from '../../journal/facts/fact-values.ts'
import { unlessAborted } from '../flow/unless-aborted.ts'
import type { Log } from '../log.ts'
import { groundless } from '../mind/memory/own-words.ts'
import { fully, type Organs } from '../mind/organ-calls.ts'
import { tellCaller, type Uttered } from '../mind/prompt/caller-prompt.ts'
import { folded } from '../mind/prompt/instructions.ts'
import { cutTo } from '../mind/prompt/marked-data.ts'
import { cutMark, think, trying, Unanswered } from '../mind/think.ts'
import { readingTools } from '../mind/tools/all.ts'
import { runTool, unknownTool } from '../mind/tools/run.ts'
import type { ToolResult } from '../mind/tools/tool.ts'
import type { Message, Prompt } from '../models/mind.ts'
import { ModelError } from '../models/models.ts'
import type { Reading } from '../persona/personas.ts'
import { Refused } from '../persona/refusals.ts'
import type { Command } from '../persona/rules/decide.ts'
import type { OrganCall } from '../persona/rules/life.ts'
import type { RecordExchange } from '../persona/rules/turn.ts'
import type { Clock } from '../time/clock.ts'
import { endingOf, mostSteps } from './endings.ts'
import { look } from './pictures.ts'
import { createTeller } from './spoken-stream.ts'
import type { Equipment } from './wiring.ts'

/** What a program asks of it. */
export interface Exchange {
  /** Oldest first; at least one. */
  readonly talk: readonly Uttered[]
  /** Whether the newest message of a person and its answer are to be remembered. */
  readonly store: boolean
  /** Its words as they come. */
  readonly onWords: (delta: string) => void
  /** Nobody waits for them any more. */
  readonly gone: AbortSignal
}

/** `text`: all it said, paragraphs apart; `cut`: it ends at the limit of its Mind's model. Tokens of its Mind; what it does not tell counts as none. */
export interface Exchanged {
  readonly text: string
  readonly cut: boolean
  readonly tokens: { readonly input: number; readonly output: number; readonly cached: number }
}

export interface ConverseDeps extends Equipment {
  readonly id: PersonaId
  readonly life: number
  readonly read: <T>(look: (reading: Reading) => Promise<T>) => Promise<T>
  readonly execute: (command: Command) => Promise<unknown>
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  readonly newId: () => string
  /** Cuts whatever waits. */
  readonly signal: AbortSignal
}

/** Refused: `spent`, `life_over` · ModelError · JournalUnavailable, only where it is to be remembered · what cut it. The ledger has what it cost, whichever it was. */
export const converse = async (exchange: Exchange, deps: ConverseDeps): Promise<Exchanged> => {
  const calls: OrganCall[] = []
  const tally = (call: OrganCall) => void calls.push(call)
  const { text, cut } = await answer(exchange, deps, tally).catch(async (error: unknown) => {
    if (error instanceof Unanswered) tally({ failed: error.failed })
    await record(exchange, calls, null, deps).catch((err: unknown) => unwritten(err, deps))
    throw error instanceof Unanswered ? new ModelError(error.message) : error
  })
  const kept = exchange.store ? remembered(exchange, cut ? text + cutMark : text) : null
  await record(exchange, calls, kept, deps).catch((error: unknown) => {
    // What nobody asked to be remembered is given all the same.
    if (kept) throw error
    unwritten(error, deps)
  })
  return { text, cut, tokens: tokensOf(calls) }
}

/** Of its Mind alone, as the steps of one answer. */
const tokensOf = (calls: readonly OrganCall[]): Exchanged['tokens'] => {
  const used = calls.flatMap((call) => ('used' in call && call.used.organ === 'thinking' ? call.used.usage : []))
  const sum = (kind: 'input' | 'output' | 'cached') => used.reduce((tokens, usage) => tokens + (usage[kind] ?? 0), 0)
  return { input: sum('input'), output: sum('output'), cached: sum('cached') }
}

const answer = async (
  exchange: Exchange,
  deps: ConverseDeps,
  tally: (call: OrganCall) => void,
): Promise<Pick<Exchanged, 'text' | 'cut'>> => {
  const { signal } = deps
  const { persona, spent } = await deps.read(async (reading) => ({ persona: reading.persona, spent: await deps.ceiling(reading) }))
  if (spent !== null) throw new Refused({ code: 'spent', reason: spent })
  const organs = deps.organs(persona, signal, 'unkept')
  const said: string[] = []
  const teller = createTeller(exchange.onWords)
  const say = (words: string) => {
    said.push(words)
    teller.say(words)
  }

  const looked = await unlessAborted(look(exchange.talk, organs, tally), signal)
  if (looked.words !== null) say(looked.words)
  if (looked.done) return { text: said.join('\n\n'), cut: false }

  const told = {
    persona,
    room: await organs.room(),
    now: deps.clock.now(),
    zone: deps.clock.zone,
    kept: exchange.store,
    tools: readingTools.map(({ spec }) => spec),
  }
  const prompt = tellCaller({ ...told, talk: looked.talk })
  const steps: Message[] = []
  const answers: Answer[] = []
  let silent = false
  let cutOff = false
  for (let step = 1; ; step++) {
    teller.step()
    const { answer, cut, used } = await thought({ ...prompt, messages: [...prompt.messages, ...steps] }, organs, deps, teller.words)
    tally({ used })
    answers.push(answer)
    cutOff = cut && answer.text.trim() !== '' && answer.calls.length === 0
    if (answer.text.trim()) said.push(answer.text.trim())
    if (step === mostSteps) break
    if (answer.calls.length > 0) steps.push(...(await act(answer, deps, tally)))
    else if (said.length > 0 || silent) break
    else silent = true
  }
  const ending = endingOf(answers, said.length > 0)
  if (ending) say(ending.words)
  return { text: said.join('\n\n'), cut: cutOff }
}

/** One step of its Mind, with what it cost. Throws as `trying`. */
const thought = async (
  prompt: Prompt,
  organs: Organs,
  deps: ConverseDeps,
  onWords: (delta: string, offset: number) => void,
): Promise<{ readonly answer: Answer; readonly cut: boolean; readonly used: Used }> => {
  const { organ, mind } = await organs.mind()
  const { provider, model } = organ
  const speak = (left: number) => unlessAborted(think(mind, prompt, deps.signal, left, onWords), deps.signal)
  const { value, calls, ms } = await trying({ organ: 'thinking', provider, model }, deps, speak)
  const usage = fully(value.usage)
  const price = await organs.costOf(organ, usage)
  return { answer: value.answer, cut: value.cut, used: { organ: 'thinking', provider, model, usage, ms, calls, price, recipe: null } }
}

/** The answer and what its tools gave back, as its mind is told of them in the next step. */
const act = async ({ text, calls }: Answer, deps: ConverseDeps, tally: (call: OrganCall) => void): Promise<readonly Message[]> => {
  const results: Message[] = []
  for (const call of calls) {
    const { output, calls: asked = [] } = await useTool(call, deps)
    asked.forEach(tally)
    results.push({ role: 'tool', call: call.id, name: call.name, content: JSON.stringify(output) })
  }
  return [{ role: 'assistant', content: text, calls }, ...results]
}

const useTool = async (
  call: Call,
  { read, organs, clock, newId, files, documents, search, vitals, signal, id, log }: ConverseDeps,
): Promise<ToolResult> => {
  const tool = readingTools.find(({ spec }) => spec.name === call.name)
  if (!tool) return unknownTool(call)
  return read(({ persona, journal }) => {
    const place = { persona, journal, turn: journal.head.seq, channel: null, grounds: groundless }
    const means = { organs: organs(persona, signal, 'unkept'), files, documents, search, vitals, newId, signal }
    return runTool(tool, call, { ...place, ...means, now: clock.now(), zone: clock.zone }, { id, log })
  })
}

const record = async ({ talk }: Exchange, calls: readonly OrganCall[], said: RecordExchange['said'], { execute, life }: ConverseDeps) => {
  if (calls.length === 0 && said === null) return
  await execute({ type: 'RecordExchange', life, calls: calls.map((call) => discreet(call, talk)), said })
}

/** Nobody waits for it, and whoever's life is over has no ledger to write in. */
const unwritten = (err: unknown, { id, log }: ConverseDeps): void => {
  if (!(err instanceof Refused)) log.warn({ id, err }, 'what an answer to a program cost could not be written')
}

/** UTF-16 units of what is remembered of an answer: with what was heard it fits into one commit. */
const mostSpoken = 60_000

const remembered = ({ talk }: Exchange, text: string): RecordExchange['said'] => {
  const newest = talk.findLast((one) => one.role === 'user')
  if (!newest) return null
  const heard = [newest.content, ...newest.pictures.map(() => '[a picture, which is not kept]')].filter(Boolean).join('\n')
  return { heard, spoken: cutTo(text, mostSpoken) }
}

/** A model may quote what it was sent: a reason that does is not kept. */
const discreet = (call: OrganCall, talk: readonly Uttered[]): OrganCall => {
  if ('used' in call || (call.failed.kind !== 'refused' && !quotes(call.failed.reason, talk))) return call
  return { failed: { ...call.failed, reason: 'It did not answer a program; the program was told why.' } }
}

/** Three words in a row. */
const quotes = (reason: string, talk: readonly Uttered[]): boolean => {
  const said = ` ${folded(talk.map(({ content }) => content).join(' '))} `
  const words = folded(reason).split(' ')
  return words.some((_, n) => n + 3 <= words.length && said.includes(` ${words.slice(n, n + 3).join(' ')} `))
}
