/**
 * Rebuilds a model call as it was sent, from its recipe. Texts of the daemon come from the stored parts,
 * texts of the persona from its facts. The hash of the recipe verifies the result.
 */
import type { Recipe, Seq, Sha256 } from '../../facts/fact-values.ts'
import type { EventOf } from '../../facts/facts.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import { entryAt, findCommitEnd } from '../../journal/log/keys.ts'
import { yielding, yieldNow } from '../../packages/kit/flow/yielding.ts'
import type { Prompt, ToolSpec } from '../../packages/models/mind.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import { type Files, listFiles } from '../mind/prompt/heard-files.ts'
import { budgetIn, joinParts, sentParts, type TokenBudget } from '../mind/prompt/prompt-part.ts'
import { readPerceived } from '../mind/prompt/recent-talk.ts'
import { listMessages, readTalk } from '../mind/prompt/talk-window.ts'
import { createTurnPrompt, sentHash, type TurnPrompt } from '../mind/prompt/turn-prompt.ts'
import { fold } from '../persona/fold.ts'
import { endingAt } from '../persona/past.ts'

type ModelAnswered = EventOf<'ModelAnswered'>

/** `text` is null if it was deleted, or if it is unknown which text of the fact was sent. */
export interface SentPart {
  /** The fact that the text comes from. Null for texts of the daemon. */
  readonly from: Seq | null
  readonly sha256: Sha256 | null
  readonly text: string | null
  /** True if the text was deleted or lost. */
  readonly gone: boolean
}

/** `prompt` is null if it cannot be rebuilt. `whole`: all sent parts still exist. */
export interface SentCall {
  readonly parts: readonly SentPart[]
  readonly prompt: Prompt | null
  readonly whole: boolean
  /** True if the hash matches: the text is exactly the text that was sent. */
  readonly verified: boolean
}

interface Deps {
  readonly journal: Journal
  readonly files: Files
  readonly zone: string
  /** Cache: whether a fact is lost. */
  readonly lost: Map<Seq, boolean>
  /** Returns the model's context size in tokens, or null if unknown. The prompt may have been cut to it. */
  readonly holds: () => Promise<number | null>
  readonly signal: AbortSignal
}

/** Replaces deleted text. */
const deletedMark = '[no longer kept]'

/** Returns null if no recipe of the call was stored. Rejects with the signal's reason. */
export const sentCall = async (
  entry: Entry & { readonly event: ModelAnswered },
  deps: Deps,
): Promise<SentCall | null> => {
  const { recipe, turn, cause, step } = entry.event
  if (!recipe) return null
  const storedParts = await loadParts(recipe, deps)
  if (cause !== 'turn' || turn === null || step === null) return toToollessCall(recipe, storedParts)
  return (
    (await rebuildTurnCall({ entry, turn, recipe, kept: storedParts }, deps)) ?? {
      ...toToollessCall(recipe, storedParts),
      verified: false,
    }
  )
}

/** Loads the texts of the daemon. Texts of facts are only checked for loss here. */
const loadParts = async ({ parts }: Recipe, { journal, lost }: Deps): Promise<readonly SentPart[]> => {
  const storedParts: SentPart[] = []
  for (const part of parts) {
    if (typeof part === 'string') {
      const bytes = await journal.part(part)
      const text = bytes ? Buffer.from(bytes).toString() : null
      storedParts.push({ from: null, sha256: part, text, gone: text === null })
      continue
    }
    const isPartLost = lost.get(part) ?? (await isLost(journal, part))
    lost.set(part, isPartLost)
    storedParts.push({ from: part, sha256: null, text: null, gone: isPartLost })
  }
  return storedParts
}

const isLost = async (journal: Journal, seq: Seq): Promise<boolean> => {
  const entry = await entryAt(journal, seq)
  return !entry || entry.erased === true || entry.type === 'Lost'
}

/**
 * Rebuilds a call without tools: texts and files. A fact among the parts represents its file, so it has no
 * text.
 */
const toToollessCall = ({ sent: prompt }: Recipe, storedParts: readonly SentPart[]): SentCall => {
  const parts = storedParts.map((part) => (part.from !== null && !part.gone ? { ...part, text: '' } : part))
  const isWhole = parts.every(({ gone: isPartLost }) => !isPartLost)
  const rebuiltParts = parts.map(({ from, text }) => ({ text: text ?? '', from }))
  return { parts, prompt: null, whole: isWhole, verified: isWhole && sentParts(rebuiltParts) === prompt }
}

interface Step {
  readonly entry: Entry
  readonly turn: Seq
  readonly recipe: Recipe
  readonly kept: readonly SentPart[]
}

/**
 * Rebuilds the prompt of a turn from the persona's state at that time. Facts that arrived during the model
 * call precede the answer in the journal. The hash shows which of them the prompt contained, and which
 * context size it was cut to.
 */
const rebuildTurnCall = async (step: Step, deps: Deps): Promise<SentCall | null> => {
  const { entry, turn, kept } = step
  let firstCandidate: SentCall | null = null
  for (const pastState of await readStatesBefore(entry, turn, deps)) {
    // The last part of the system prompt. The tools follow it.
    const baseIndex = kept.findLastIndex(({ from }) => from === pastState.persona.base.seq)
    const tools = parseTools(kept[baseIndex + 1])
    for (const getHolds of [async () => null, deps.holds]) {
      await yieldNow(deps.signal)
      const rebuiltPrompt = await rebuildPrompt(
        pastState,
        { ...step, tools: tools ?? [] },
        budgetIn(await getHolds()),
        deps,
      )
      const call = rebuiltPrompt && toCallIfSameParts(rebuiltPrompt, { ...step, began: baseIndex, tools })
      if (call?.verified) return call
      firstCandidate ??= call
      // The hash can only be compared if all parts exist.
      if (firstCandidate && !firstCandidate.whole) return firstCandidate
    }
  }
  return firstCandidate
}

interface PastState {
  readonly seq: Seq
  readonly persona: Persona
}

/** Max number of states that are tried. */
const maxStates = 32

/**
 * Returns the state after the last fact of the turn before the answer, then the state after each later fact.
 */
const readStatesBefore = async (
  { seq }: Entry,
  turn: Seq,
  { journal, signal }: Deps,
): Promise<readonly PastState[]> => {
  let last: Seq = turn
  for await (const entry of yielding(journal.read({ after: turn, upTo: seq - 1 }))) {
    signal.throwIfAborted()
    if (entry.cause.turn === turn) last = entry.seq
  }
  // All facts of a commit take effect together.
  const upTo = await findCommitEnd(journal, last, seq - 1)
  const { persona, damage } = await fold(journal, upTo)
  if (damage) throw damage
  const states: PastState[] = persona ? [{ seq: upTo, persona }] : []
  for await (const entry of journal.read({ after: upTo, upTo: seq - 1 })) {
    const lastState = states.at(-1)
    if (!lastState || states.length >= maxStates) break
    states.push({ seq: entry.seq, persona: evolve(lastState.persona, entry) })
  }
  return states
}

const rebuildPrompt = async (
  { seq, persona }: PastState,
  { turn: id, tools }: Step & { readonly tools: readonly ToolSpec[] },
  budget: TokenBudget,
  { journal, files, zone }: Deps,
): Promise<TurnPrompt | null> => {
  const { turn } = persona.talk
  if (turn?.id !== id) return null
  const pastJournal = endingAt(journal, { ...journal.head, seq })
  const talk = await readTalk(pastJournal, persona, turn)
  const perceptions = await readPerceived(pastJournal, listMessages(talk.items))
  return createTurnPrompt({
    ...talk,
    persona,
    budget,
    perceptions,
    zone,
    turn: id,
    tools,
    now: turn.at,
    files: listFiles(talk.items, { turn: id, since: persona.base.seq }, perceptions, files),
  })
}

/** The tool specifications are the part after the system prompt. Null if there are none at that place. */
const parseTools = (part: SentPart | undefined): readonly ToolSpec[] | null =>
  part?.text?.startsWith('[') ? (JSON.parse(part.text) as readonly ToolSpec[]) : null

/** Returns null if the rebuilt parts do not match the recipe. */
const toCallIfSameParts = (
  { prompt, parts: promptParts }: TurnPrompt,
  {
    recipe,
    kept,
    began,
    tools,
  }: Step & { readonly began: number; readonly tools: readonly ToolSpec[] | null },
): SentCall | null => {
  const rebuiltParts = joinParts(promptParts)
  const isSame =
    rebuiltParts.length === kept.length && rebuiltParts.every(({ from }, n) => from === kept[n]?.from)
  if (!isSame) return null
  const parts = kept.map(
    (part, n): SentPart =>
      part.from !== null && !part.gone ? { ...part, text: rebuiltParts[n]?.text ?? null } : part,
  )
  const system = parts
    .slice(0, began + 1)
    .map(({ text, gone: isPartLost }) => (isPartLost ? deletedMark : (text ?? '')))
    .join('')
  const { messages, data } = prompt
  const isWhole = tools !== null && parts.every(({ gone: isPartLost }) => !isPartLost)
  // The key order is the order that was hashed.
  const sentPrompt: Prompt = { system, messages, tools: tools ?? [], data }
  return {
    parts,
    prompt: sentPrompt,
    whole: isWhole,
    verified: isWhole && sentHash(sentPrompt) === recipe.sent,
  }
}
