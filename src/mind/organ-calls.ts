/**
 * Calls the organs of a persona during a turn. Retries failed calls and returns the usage and the price of
 * each call.
 */
import type { Organ, PromptProfile, Recipe, Slot, Usage, Used } from '../../facts/fact-values.ts'
import type { Message, Mind, Prompt, Tokens } from '../../packages/models/mind.ts'
import type { Models, OrganAsk } from '../../packages/models/models.ts'
import type { Prices } from '../../packages/models/prices.ts'
import { chooseProfile, type ProfileSetting } from '../../packages/models/prompt-profile.ts'
import type { Takes } from '../../packages/models/sense-models.ts'
import { callWithRetries, type RetryDeps, think } from './model-retries.ts'
import { budgetIn, type PromptPart, sentParts, type TokenBudget } from './prompt/prompt-part.ts'

export interface OrganAnswer<T> {
  readonly value: T
  readonly used: Used
}

/** A request to an organ without tools. */
export interface Question {
  readonly system: string
  readonly content: string
  readonly files?: Extract<Message, { role: 'user' }>['files']
  readonly form?: Prompt['form']
  /** Defaults to a question with `content`. */
  readonly data?: Prompt['data']
}

/** A generated file and its MIME type. */
export interface MadeFile {
  readonly bytes: Uint8Array
  readonly mime: string
}

/** All throw `Unanswered`, or the signal's reason. Callers must check `has` before they use an organ. */
export interface Organs {
  has(slot: Slot): boolean
  /** Returns true if the organ is a model outside this machine. Those have a larger context window. */
  isRemote(slot: Slot): boolean
  isOnThisMachine(slot: Slot): Promise<boolean>
  takes(slot: Slot): Promise<Takes>
  /** Returns the token budget of a prompt to the Mind. */
  budget(): Promise<TokenBudget>
  /** Returns the profile of the Mind. It stays the same until the persona stops or gets another Mind. */
  profile(): Promise<PromptProfile>
  mind(): Promise<{ readonly organ: Organ; readonly mind: Mind }>
  ask(slot: Slot, question: Question, parts: readonly PromptPart[]): Promise<OrganAnswer<string>>
  transcribe(
    clip: NonNullable<Question['files']>[number],
    parts: readonly PromptPart[],
  ): Promise<OrganAnswer<string>>
  speak(text: string): Promise<OrganAnswer<MadeFile>>
  draw(wish: string): Promise<OrganAnswer<MadeFile>>
  /** Returns the price of a call, for the ledger. */
  getPrice(organ: Organ, usage: Usage): Promise<Used['price']>
}

export interface OrgansDeps extends RetryDeps {
  readonly organs: Readonly<Partial<Record<Slot, Organ>>>
  readonly models: Pick<
    Models,
    | 'mind'
    | 'isOnThisMachine'
    | 'getParameters'
    | 'getAcceptedFiles'
    | 'getContextWindow'
    | 'ear'
    | 'mouth'
    | 'imagination'
  >
  readonly prices: Pick<Prices, 'getPrice'>
  readonly profileSetting: ProfileSetting
  /** The profiles that were chosen, by model and address. */
  readonly profiles: Map<string, PromptProfile>
  /** Returns the organ as the models expect it, with its key in clear text. */
  readonly reach: (
    slot: Slot,
    organ: Organ,
  ) => Promise<{ readonly ask: OrganAsk; readonly wrapper: string | null }>
  /** Returns null if prompts are not recorded. */
  readonly keepRecipe: (parts: readonly PromptPart[], promptText: string) => Promise<Recipe | null>
}

export const createOrgans = (deps: OrgansDeps): Organs => {
  const { organs, models, prices, signal } = deps

  const getOrgan = (slot: Slot): Organ => {
    const organ = organs[slot]
    if (!organ) throw new Error(`it has no ${slot}`)
    return organ
  }
  const getPrice: Organs['getPrice'] = ({ provider, model, url }, usage) =>
    prices.getPrice({ provider, model, url, usage })

  const use = async <T extends { readonly usage: Usage; readonly calls?: number }>(
    slot: Slot,
    parts: readonly PromptPart[],
    call: (endpoint: Awaited<ReturnType<OrgansDeps['reach']>>, triesLeft: number) => Promise<T>,
  ): Promise<OrganAnswer<T>> => {
    const organ = getOrgan(slot)
    const { provider, model } = organ
    const endpoint = await deps.reach(slot, organ)
    const { value, calls, ms } = await callWithRetries({ organ: slot, provider, model }, deps, (triesLeft) =>
      call(endpoint, triesLeft),
    )
    const { usage } = value
    const recipe = await deps.keepRecipe(parts, sentParts(parts))
    const price = await getPrice(organ, usage)
    return { value, used: { organ: slot, provider, model, usage, ms, calls, price, recipe } }
  }

  return {
    has: (slot) => organs[slot] !== undefined,
    isRemote: (slot) => organs[slot]?.provider != null,
    isOnThisMachine: async (slot) => models.isOnThisMachine((await deps.reach(slot, getOrgan(slot))).ask),
    takes: async (slot) => {
      const { ask, wrapper } = await deps.reach(slot, getOrgan(slot))
      return models.getAcceptedFiles(ask, wrapper, signal)
    },
    budget: async () => {
      const { ask, wrapper } = await deps.reach('thinking', getOrgan('thinking'))
      return budgetIn(await models.getContextWindow(ask, wrapper, signal))
    },
    profile: async () => {
      const organ = getOrgan('thinking')
      const { model, url } = organ
      // The stand-in understands only the full profile.
      if (model.startsWith('embedded/')) return 'full'
      const setting = organ.profile ?? deps.profileSetting
      if (setting !== 'auto') return setting
      const { ask, wrapper } = await deps.reach('thinking', organ)
      const key = `${url} ${model}`
      const [parameters, context] = await Promise.all([
        models.getParameters(ask, wrapper, signal),
        models.getContextWindow(ask, wrapper, signal),
      ])
      const chosen = deps.profiles.get(key) ?? chooseProfile({ model, parameters, context })
      deps.profiles.set(key, chosen)
      return chosen
    },
    mind: async () => {
      const organ = getOrgan('thinking')
      const { ask, wrapper } = await deps.reach('thinking', organ)
      return { organ, mind: models.mind(ask, wrapper) }
    },
    ask: async (
      slot,
      { system, content, files = [], form, data = () => ({ kind: 'question', words: content }) },
      parts,
    ) => {
      const { value, used } = await use(slot, parts, async ({ ask, wrapper }, triesLeft) => {
        const messages: readonly Message[] = [
          { role: 'user', content, ...(files.length > 0 ? { files } : {}) },
        ]
        const { answer, usage, calls, cut } = await think(
          models.mind(ask, wrapper),
          { system, messages, tools: [], data, ...(form && { form }) },
          signal,
          triesLeft,
        )
        const text = answer.text.trim()
        return {
          text: cut && text && !form ? `${text} … [cut off at the model’s limit]` : text,
          usage: toFullUsage(usage),
          calls,
        }
      })
      return { value: value.text, used }
    },
    transcribe: async (clip, parts) => {
      const { value, used } = await use('ear', parts, ({ ask }) => models.ear(ask).hear(clip, signal))
      return { value: value.text.trim(), used }
    },
    speak: (text) => use('mouth', [{ text, from: null }], ({ ask }) => models.mouth(ask).speak(text, signal)),
    draw: (wish) =>
      use('imagination', [{ text: wish, from: null }], ({ ask }) =>
        models.imagination(ask).draw(wish, signal),
      ),
    getPrice,
  }
}

export const toFullUsage = ({ input, output, cached = null, written }: Tokens): Usage => ({
  input,
  output,
  cached,
  ...(written && { written }),
  made: null,
})
