/**
 * Sends the current request to a model on this machine before the user writes, with an answer of one token.
 * The cache of the runtime then holds the beginning of the next request. Leaves no fact: it costs nothing.
 */
import type { Sha256 } from '../../facts/fact-values.ts'
import { eitherAborts } from '../../packages/kit/flow/abort-signals.ts'
import type { Prompt } from '../../packages/models/mind.ts'
import type { Persona } from '../../projections/persona.ts'
import { tokensIn } from '../mind/prompt/prompt-part.ts'
import { sentHash } from '../mind/prompt/turn-prompt.ts'
import type { Tool } from '../mind/tools/tool.ts'
import type { AgentLife } from './agent-deps.ts'
import { hasWaitingWork } from './night.ts'
import type { Sleep } from './sleep.ts'
import { buildIdlePrompt } from './take-turn.ts'

export interface WarmUp {
  /** Starts a request, at most one for the same prompt. Returns immediately. */
  begin(): void
  /** Aborts the request, because a turn begins. */
  interrupt(): void
  /** Resolves when no request is running. Never rejects. */
  waitForEnd(): Promise<void>
}

interface Deps extends AgentLife {
  /** Returns the committed state. */
  readonly persona: () => Persona
  readonly tools: readonly Tool[]
  readonly sleep: () => Pick<Sleep, 'asleep'>
}

/** A shorter request is computed quickly, so a second call would only disturb. */
const minTokens = 3000

const countTokens = ({ system, tools, messages }: Prompt): number =>
  tokensIn(system) + tokensIn(JSON.stringify(tools)) + tokensIn(JSON.stringify(messages))

/** `ending` aborts when the persona stops or restarts. */
export const createWarmUp = (deps: Deps, ending: AbortSignal): WarmUp => {
  const { id, log, persona } = deps
  let current: { readonly controller: AbortController; readonly task: Promise<void> } | null = null
  let lastHash: Sha256 | null = null

  const isIdle = () =>
    persona().talk.turn === null && !hasWaitingWork(persona()) && !deps.sleep().asleep && !ending.aborted

  const send = async (signal: AbortSignal) => {
    const organs = deps.organs(persona(), signal, 'unkept')
    if (!(await organs.isOnThisMachine('thinking'))) return
    const prompt = await buildIdlePrompt({ ...deps, signal })
    const hash = sentHash(prompt)
    if (hash === lastHash || !isIdle() || countTokens(prompt) < minTokens) return
    lastHash = hash
    const { mind } = await organs.mind()
    for await (const _ of mind.think({ ...prompt, maxTokens: 1 }, signal, 1)) signal.throwIfAborted()
  }

  return {
    begin: () => {
      if (current || !isIdle() || persona().life.failed.thinking) return
      const controller = new AbortController()
      const task = eitherAborts([controller.signal, ending], send)
        .catch((err: unknown) => {
          if (!controller.signal.aborted && !ending.aborted)
            log.debug({ id, err }, 'failed to warm up a model')
        })
        .finally(() => {
          current = null
        })
      current = { controller, task }
    },
    interrupt: () => current?.controller.abort(),
    waitForEnd: async () => {
      await current?.task
    },
  }
}
