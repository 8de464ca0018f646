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
export const keptChat = async (cache: KeptChats, at: At, address: Address): Promise<ChatModel> => {
  const name = JSON.stringify([at.provider, at.url, at.apiKey, at.model])
  const chat = cache.get(name) ?? (await openChatModel(address, at.model))
  // Deleted first, so that it becomes the most recent entry.
  cache.delete(name)
  cache.set(name, chat)
  const [oldest] = cache.keys()
  if (cache.size > mostKept && oldest !== undefined) cache.delete(oldest)
  return chat
}

/** Does not access the network. `only`: restricts the caller to one API. */
export const openChatModel = async (
  { service, base, key, fetch, way }: Address,
  model: string,
  only?: ChatWay,
): Promise<ChatModel> => {
  const { chat, opaque, responses } = await getAdapter(service)
  // Without a key, a library would use one of the environment. `fetch` removes the placeholder.
  const settings = { baseURL: base, apiKey: key ?? 'none', fetch }
  const addOpaque = (opened: ChatModel, form: OpaqueForm | undefined) =>
    form ? withOpaque(opened, form, opaqueTag(service, base, model, form.way)) : opened
  const openChat = async () => addOpaque(await chat(settings, model), opaque)
  if (!responses || only === 'chat') return openChat()
  const openResponses = async () => addOpaque(await responses.open(settings, model), responsesBlocks)
  return withWays({
    model,
    usual: responses.first ? 'responses' : 'chat',
    known: way ?? { current: undefined },
    open: (api) => (api === 'chat' ? openChat() : openResponses()),
  })
}

const responsesBlocks = opaqueBlocks('responses')
