/**
 * Tells by the id of a model which organs it can serve, how fast it is, and which model of a provider to
 * suggest. The first matching row counts. An id without a row can serve every organ.
 */
import type { Provider, Slot } from '../../../facts/fact-values.ts'

/** `chat` serves the Mind, Eye, Teacher and Researcher. */
type Kind = 'chat' | 'ear' | 'mouth' | 'imagination'

interface KindRow {
  readonly ids: RegExp
  /** Empty: no organ, such as embeddings. */
  readonly serves: readonly Kind[]
}

export type Speed = 'fast' | 'slow'

interface ProviderKinds {
  readonly rows: readonly KindRow[]
  /** In the words of the provider's documentation. */
  readonly speeds: Readonly<Partial<Record<Speed, RegExp>>>
  /**
   * The models to suggest, best first. The groups of a pattern are the version: of several matches the
   * highest is suggested.
   */
  readonly suggested: Readonly<Partial<Record<Kind, readonly RegExp[]>>>
}

const noOrgan: readonly Kind[] = []

/** Sources: https://platform.claude.com/docs/en/about-claude/models/overview (2026-11). */
const anthropic: ProviderKinds = {
  rows: [{ ids: /^claude-/, serves: ['chat'] }],
  speeds: { fast: /haiku|sonnet/, slow: /fable/ },
  suggested: { chat: [/^claude-sonnet-(\d+)(?:-(\d{1,2}))?(?:-\d{8})?$/] },
}

/** Sources: https://developers.openai.com/api/docs/models and /models/all (2026-11). */
const openai: ProviderKinds = {
  rows: [
    { ids: /realtime|(^|-)live(-|$)/, serves: noOrgan },
    { ids: /transcribe|^whisper/, serves: ['ear'] },
    { ids: /(^|-)tts(-|$)/, serves: ['mouth'] },
    { ids: /^(dall-e|gpt-image|chatgpt-image)/, serves: ['imagination'] },
    { ids: /^gpt-(\d\w*-(mini-)?)?audio/, serves: ['ear'] },
    {
      ids: /embedding|moderation|^sora|^babbage|^davinci|instruct|computer-use|deep-research|-search-/,
      serves: noOrgan,
    },
    { ids: /^(gpt-|chatgpt-|chat-latest|o\d)/, serves: ['chat'] },
  ],
  speeds: { fast: /-(luna|terra|mini|nano)\b/, slow: /-pro\b/ },
  suggested: {
    chat: [/^gpt-(\d+)(?:\.(\d+))?-sol$/, /^gpt-(\d+)(?:\.(\d+))?-terra$/, /^gpt-(\d+)(?:\.(\d+))?$/],
    ear: [/^gpt-transcribe$/, /^gpt-4o-transcribe$/, /^whisper-1$/],
    mouth: [/^gpt-4o-mini-tts$/, /^tts-1$/],
    imagination: [/^gpt-image-(\d+)(?:\.(\d+))?$/],
  },
}

/** Source: https://ai.google.dev/gemini-api/docs/models (2026-11). Its chat models also accept sound. */
const gemini: ProviderKinds = {
  rows: [
    { ids: /-live\b|native-audio|translate|embedding|^aqa$|^veo|^lyria|-omni-/, serves: noOrgan },
    { ids: /computer-use|robotics|deep-research/, serves: noOrgan },
    { ids: /-tts\b/, serves: ['mouth'] },
    { ids: /^imagen|-image\b|^nano-banana/, serves: ['imagination'] },
    { ids: /-transcribe\b/, serves: ['ear'] },
    { ids: /^gemini-/, serves: ['chat', 'ear'] },
    { ids: /^gemma-/, serves: ['chat'] },
  ],
  speeds: { fast: /flash/ },
  suggested: {
    chat: [/^gemini-(\d+)(?:\.(\d+))?-flash$/],
    ear: [/^gemini-(\d+)(?:\.(\d+))?-flash$/],
    mouth: [/^gemini-(\d+)(?:\.(\d+))?-flash(?:-preview)?-tts(?:-preview)?$/],
    imagination: [/^gemini-(\d+)(?:\.(\d+))?-flash-image(?:-preview)?$/],
  },
}

/** Source: https://docs.x.ai/developers/models (2026-11). `grok-4.20` is older than `grok-4.3`. */
const xai: ProviderKinds = {
  rows: [
    { ids: /image/, serves: ['imagination'] },
    { ids: /video|voice|(^|-)(tts|stt)(-|$)|embedding/, serves: noOrgan },
    { ids: /^grok-/, serves: ['chat'] },
  ],
  speeds: { fast: /-fast\b|-mini\b/ },
  suggested: {
    chat: [/^grok-(\d+)(?:\.(\d))?(?:-\d{4})?$/],
    imagination: [/^grok-imagine-image(?:-(\d+)\.(\d+))?$/],
  },
}

/** Local runtimes and servers with OpenAI's protocol, by the names of open models. */
const otherServers: ProviderKinds = {
  rows: [
    { ids: /embed|rerank|(^|[/-])(bge|minilm|e5)-|moderation/i, serves: noOrgan },
    { ids: /whisper|transcribe|parakeet/i, serves: ['ear'] },
    { ids: /(^|[/-])tts([-:]|$)|kokoro|piper/i, serves: ['mouth'] },
    { ids: /dall-e|gpt-image|stable-diffusion|sdxl|(^|[/-])flux/i, serves: ['imagination'] },
  ],
  speeds: {},
  suggested: {},
}

const kindTable: Readonly<Record<Provider, ProviderKinds>> = { anthropic, openai, gemini, xai }

const slotKinds: Readonly<Record<Slot, Kind>> = {
  thinking: 'chat',
  eye: 'chat',
  teacher: 'chat',
  researcher: 'chat',
  ear: 'ear',
  mouth: 'mouth',
  imagination: 'imagination',
}

export interface ModelOffer {
  /** The suggested one first, then known ones, then unknown ones. */
  readonly models: readonly string[]
  readonly suggested: string | null
}

/** `provider` is null for local runtimes and for an address that is not the provider's. */
export const offerFor = (slot: Slot, provider: Provider | null, ids: readonly string[]): ModelOffer => {
  const { rows, suggested } = provider === null ? otherServers : kindTable[provider]
  const kind = slotKinds[slot]
  const getRow = (id: string) => rows.find((row) => row.ids.test(id))
  const knownIds = ids.filter((id) => getRow(id)?.serves.includes(kind))
  const unknownIds = ids.filter((id) => getRow(id) === undefined)
  const choice = findLatest(knownIds, suggested[kind] ?? [])
  const others = [...knownIds, ...unknownIds].filter((id) => id !== choice)
  return { models: choice === null ? others : [choice, ...others], suggested: choice }
}

/** Returns null if the documentation does not describe its speed. */
export const getSpeed = (provider: Provider | null, id: string): Speed | null => {
  const { speeds } = provider === null ? otherServers : kindTable[provider]
  if (speeds.fast?.test(id)) return 'fast'
  return speeds.slow?.test(id) ? 'slow' : null
}

const findLatest = (ids: readonly string[], patterns: readonly RegExp[]): string | null => {
  for (const pattern of patterns) {
    const matches = ids.flatMap((id) => {
      const groups = pattern.exec(id)?.slice(1)
      return groups ? [{ id, version: groups.map((part) => Number(part ?? 0)) }] : []
    })
    const [match] = matches.toSorted((a, b) => compareVersions(b.version, a.version))
    if (match) return match.id
  }
  return null
}

const compareVersions = (a: readonly number[], b: readonly number[]): number => {
  const index = a.findIndex((part, i) => part !== b[i])
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0)
}
