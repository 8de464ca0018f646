/**
 * A model behind two APIs of one server, chat completions and Responses. A refusal that names the other API
 * switches to it. The API is remembered after it answered. Refused requests cost no tokens and are not
 * counted as calls.
 */
import type { ChatWay, KnownWay } from './address.ts'
import { isPathMissing } from './base-addresses.ts'
import type { ChatModel } from './chat-model.ts'
import { refusalIn } from './failures.ts'

export interface ChatWays {
  readonly model: string
  readonly usual: ChatWay
  readonly known: KnownWay
  open(api: ChatWay): Promise<ChatModel>
}

export const withWays = ({ model, usual, known, open }: ChatWays): ChatModel => {
  const chatsByApi = new Map<ChatWay, Promise<ChatModel>>()
  const modelFor = (api: ChatWay): Promise<ChatModel> => {
    const chat = chatsByApi.get(api) ?? open(api)
    chatsByApi.set(api, chat)
    return chat
  }
  const send = async <T>(request: (chat: ChatModel) => PromiseLike<T>): Promise<T> => {
    const api = known.current ?? usual
    try {
      return await request(await modelFor(api))
    } catch (error) {
      const otherApi: ChatWay = api === 'chat' ? 'responses' : 'chat'
      if (!switchesFrom(api, error, model)) throw error
      try {
        const answer = await request(await modelFor(otherApi))
        known.current = otherApi
        return answer
      } catch (secondError) {
        // If the server has neither, report the first refusal.
        throw switchesFrom(otherApi, secondError, model) ? error : secondError
      }
    }
  }
  return {
    doStream: (call) => send((chat) => chat.doStream(call)),
    doGenerate: (call) => send((chat) => chat.doGenerate(call)),
  }
}

/** Returns true if a refusal of chat completions refers to the Responses API. */
export const wantsResponses = (refusal: string): boolean => responsesWanted.test(refusal)

/** The last alternative is OpenAI's message for models without a chat. It does not name the Responses API. */
const responsesWanted =
  /(?:use|supported in|available (?:in|on|via))[^\n]{0,40}v1\/responses|only (?:supported|available) (?:in|on|via|through|with) (?:the )?responses|use the responses api|not a chat model[^\n]{0,60}v1\/chat\/completions/i
const chatWanted =
  /(?:use|supported in|available (?:in|on|via))[^\n]{0,40}chat[/ ]completions|(?:not|n't)[^\n]{0,40}\bresponses (?:api|endpoint)|responses (?:api|endpoint) is(?: not|n't)|missing scopes:[^\n]{0,80}api\.responses/i

const refusals: readonly number[] = [400, 401, 403, 404, 405, 422, 501]

const switchesFrom = (api: ChatWay, error: unknown, model: string): boolean => {
  const refusal = error instanceof Error ? refusalIn(error) : undefined
  if (!refusal || !refusals.includes(refusal.status)) return false
  const { status, body } = refusal
  if (api === 'chat') return wantsResponses(body)
  return status === 501 || isPathMissing(status, body, model) || chatWanted.test(body)
}
