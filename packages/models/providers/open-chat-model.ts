/** Opens a provider's chat with an interface common to all providers. */
import type { Address, ChatWay } from './address.ts'
import type { ChatModel } from './chat-model.ts'
import { withWays } from './chat-ways.ts'
import { type OpaqueForm, opaqueTag, withOpaque } from './opaque.ts'
import { opaqueBlocks } from './opaque-blocks.ts'
import { getAdapter } from './provider-table.ts'
import type { At } from './read-address.ts'

/** The most recently used chats, by provider, address, key and model. */
export type KeptChats = Map<string, ChatModel>

const mostKept = 64

/**
 * Measured: opening takes 2 ms, because the libraries rebuild their schemas for every model. Does not access
 * the network.
 */
export const keptChat = async (cache: KeptChats, target: At, address: Address): Promise<ChatModel> => {
  const name = JSON.stringify([target.provider, target.url, target.apiKey, target.model])
  const chat = cache.get(name) ?? (await openChatModel(address, target.model))
  // Deleted first, so that it becomes the most recent entry.
  cache.delete(name)
  cache.set(name, chat)
  const [oldestKey] = cache.keys()
  if (cache.size > mostKept && oldestKey !== undefined) cache.delete(oldestKey)
  return chat
}

/** Does not access the network. `only`: restricts the caller to one API. */
export const openChatModel = async (
  { service, base, key, fetch, way }: Address,
  model: string,
  onlyApi?: ChatWay,
): Promise<ChatModel> => {
  const { chat, opaque, responses } = await getAdapter(service)
  // Without a key, a library would use one of the environment. `fetch` removes the placeholder.
  const settings = { baseURL: base, apiKey: key ?? 'none', fetch }
  const addOpaque = (plainChat: ChatModel, form: OpaqueForm | undefined) =>
    form ? withOpaque(plainChat, form, opaqueTag(service, base, model, form.way)) : plainChat
  const openChat = async () => addOpaque(await chat(settings, model), opaque)
  if (!responses || onlyApi === 'chat') return openChat()
  const openResponses = async () => addOpaque(await responses.open(settings, model), responsesBlocks)
  return withWays({
    model,
    usual: responses.first ? 'responses' : 'chat',
    known: way ?? { current: undefined },
    open: (api) => (api === 'chat' ? openChat() : openResponses()),
  })
}

const responsesBlocks = opaqueBlocks('responses')
