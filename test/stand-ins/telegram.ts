/**
 * A stand-in for Telegram's Bot API over a real socket (core.telegram.org/bots/api). It refuses the same
 * requests as the real one, with the messages of its public server (github.com/tdlib/telegram-bot-api). A
 * test can write to the bot, cause faults, and count calls.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Part, readHtml, readRequest } from './telegram-form.ts'

export interface SentMessage {
  readonly method: string
  readonly chat: string
  /** As a user sees it: the text, or the caption of a file. */
  readonly text: string
  /** Its formats, see `readHtml`. */
  readonly tags: readonly string[]
  readonly file: { readonly name: string; readonly bytes: Buffer } | null
  readonly params: Readonly<Record<string, string>>
}

export interface ShownMessage {
  readonly chat: string
  readonly text: string
  readonly buttons: readonly string[]
}

export interface Press {
  readonly message: number
  readonly data: string
  /** Another chat than that of the message. */
  readonly chat?: number
}

export interface Failure {
  readonly code: number
  readonly description: string
  readonly parameters?: { readonly retry_after?: number; readonly migrate_to_chat_id?: number }
}

interface Update {
  readonly update_id: number
  readonly [kind: string]: unknown
}

export interface TelegramStandIn {
  readonly url: string
  readonly token: string
  readonly bot: { readonly id: number; readonly username: string }
  /** A user writes: completes the given fields to a whole message. Returns the id of the update. */
  write(message?: Readonly<Record<string, unknown>>): number
  /** A user presses a button, or sends invented data. */
  press(press: Press): number
  /** The bot's messages in their current form, by id; `buttons`: the data of each. */
  readonly shownMessages: ReadonlyMap<number, ShownMessage>
  /** Answers to presses, in order; null for an answer without text. */
  readonly answers: readonly (string | null)[]
  /** Sends any update. */
  push(update: Readonly<Record<string, unknown>>): number
  /** Sets the number of the next update. */
  renumber(next: number): void
  /** A user sends a file; `size`: the size that Telegram reports. */
  file(
    bytes: Uint8Array,
    size?: number,
  ): { readonly file_id: string; readonly file_unique_id: string; readonly file_size: number }
  /** Ids of unconfirmed updates. */
  getPending(): readonly number[]
  readonly sentMessages: readonly SentMessage[]
  /** Called methods, with any token, and their parameters. */
  readonly log: readonly { readonly method: string; readonly params: Readonly<Record<string, string>> }[]
  calls(method: string): number
  /** Number of open long polls. */
  polling(): number
  /** The next calls of this method fail; `cut` and `babble` without a response of Telegram. */
  fail(method: string, failure: Failure | 'cut' | 'babble' | 'hang', times?: number): void
  /** `hasty`: long polls return immediately. `deaf`: updates are never confirmed. */
  readonly faults: { hasty: boolean; deaf: boolean }
  webhook(url: string): void
  /** The user blocks the bot, or leaves. */
  block(chat: number): void
  rekey(token: string): void
  leave(): Promise<void>
  restore(): Promise<void>
  close(): Promise<void>
}

const MiB = 1024 * 1024

class Refusal extends Error {
  readonly failure: Failure
  constructor(code: number, description: string, parameters: Failure['parameters'] = {}) {
    super(description)
    this.failure = { code, description, parameters }
  }
}
const badRequest = (description: string) => new Refusal(400, `Bad Request: ${description}`)

interface Poll {
  readonly response: ServerResponse
  readonly timer: NodeJS.Timeout
  readonly limit: number
}

interface ApiCall {
  readonly params: Readonly<Record<string, string>>
  readonly files: readonly Part[]
  readonly response: ServerResponse
}

export const createTelegramStandIn = async (): Promise<TelegramStandIn> => {
  const bot = { id: 4242, is_bot: true, first_name: 'Fern', username: 'fern_bot' }
  let token = '4242:AAH-right_token_of_this_bot_0123456789'
  const firstToken = token
  const faults = { hasty: false, deaf: false }
  let hook = ''
  let number = 700_001
  let allowed: readonly string[] = []
  let pendingPoll: Poll | null = null
  let updates: Update[] = []
  const chats = new Set<string>()
  const blockedChats = new Set<string>()
  const files = new Map<
    string,
    { readonly bytes: Uint8Array; readonly size: number; readonly path: string }
  >()
  const failuresByMethod = new Map<string, (Failure | 'cut' | 'babble' | 'hang')[]>()
  const sentMessages: SentMessage[] = []
  const log: { method: string; params: Readonly<Record<string, string>> }[] = []
  const shownMessages = new Map<number, ShownMessage>()
  const queries = new Set<string>()
  const pressAnswers: (string | null)[] = []

  const answer = (response: ServerResponse, result: unknown) => json(response, 200, { ok: true, result })
  const refuse = (response: ServerResponse, { code, description, parameters }: Failure) =>
    json(response, code, {
      ok: false,
      error_code: code,
      description,
      ...(parameters && Object.keys(parameters).length > 0 ? { parameters } : {}),
    })

  const endPoll = (finish: (response: ServerResponse) => void) => {
    if (!pendingPoll) return
    clearTimeout(pendingPoll.timer)
    const { response } = pendingPoll
    pendingPoll = null
    finish(response)
  }
  const hand = (response: ServerResponse, limit: number) => answer(response, updates.slice(0, limit))

  const push = (update: Readonly<Record<string, unknown>>) => {
    const update_id = number++
    const [kind = ''] = Object.keys(update)
    if (allowed.length > 0 && !allowed.includes(kind)) return update_id
    updates.push({ update_id, ...update })
    const limit = pendingPoll?.limit ?? 100
    endPoll((response) => hand(response, limit))
    return update_id
  }

  const getUpdates = ({ params, response }: ApiCall) => {
    if (hook)
      throw new Refusal(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      )
    const offset = faults.deaf ? 0 : Number(params.offset ?? 0)
    const limit = Math.min(Math.max(Number(params.limit ?? 100), 1), 100)
    const timeout = Math.min(Math.max(Number(params.timeout ?? 0), 0), 50)
    if (params.allowed_updates !== undefined) allowed = JSON.parse(params.allowed_updates)
    if (offset < 0) updates = updates.slice(offset)
    // A number far beyond the next one is ignored: the response begins at the head of the queue.
    else if (offset <= number + 10) updates = updates.filter(({ update_id }) => update_id >= offset)
    if (updates.length > 0 || timeout === 0 || faults.hasty) return hand(response, limit)
    endPoll((otherPoll) =>
      refuse(otherPoll, {
        code: 409,
        description:
          'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
      }),
    )
    const poll = {
      response,
      limit,
      timer: setTimeout(() => endPoll((open) => answer(open, [])), timeout * 1000),
    }
    pendingPoll = poll
    response.on('close', () => {
      clearTimeout(poll.timer)
      if (pendingPoll === poll) pendingPoll = null
    })
  }

  const content = (
    params: ApiCall['params'],
    key: 'text' | 'caption',
  ): { text: string; tags: readonly string[] } => {
    const value = params[key] ?? ''
    const mode = (params.parse_mode ?? '').toLowerCase()
    if (mode && mode !== 'html') throw badRequest('unsupported parse_mode')
    const formattedText = mode === 'html' ? readHtml(value) : { text: value, tags: [] }
    if (typeof formattedText === 'string') throw badRequest(`can't parse entities: ${formattedText}`)
    const text = formattedText.text.trim()
    if (key === 'text' && !text) throw badRequest('message text is empty')
    if (key === 'text' && text.length > 4096) throw badRequest('message is too long')
    if (key === 'caption' && text.length > 1024) throw badRequest('message caption is too long')
    return { text, tags: formattedText.tags }
  }

  const getChat = ({ chat_id: chat }: ApiCall['params']): string => {
    if (!chat) throw badRequest('chat_id is empty')
    if (!/^(-?\d+|@\w+)$/.test(chat) || !chats.has(chat)) throw badRequest('chat not found')
    if (blockedChats.has(chat)) throw new Refusal(403, 'Forbidden: bot was blocked by the user')
    return chat
  }

  const deliver = (method: string, request: ApiCall, key: 'text' | 'caption', file: SentMessage['file']) => {
    const chat = getChat(request.params)
    const { text, tags } = content(request.params, key)
    const buttons = buttonsIn(request.params)
    sentMessages.push({ method, chat, text: text, tags, file, params: request.params })
    shownMessages.set(sentMessages.length, { chat, text, buttons })
    answer(request.response, {
      message_id: sentMessages.length,
      date: 1_795_000_000,
      chat: { id: Number(chat), type: 'private' },
      from: bot,
    })
  }

  const sendFile = (method: string, field: string) => (request: ApiCall) => {
    const fileParam = request.params[field]
    if (fileParam === undefined && !request.files.some(({ name }) => name === field))
      throw badRequest(`there is no ${field} in the request`)
    const part = request.files.find(({ name }) => name === (fileParam?.replace('attach://', '') ?? field))
    if (!part) throw badRequest('wrong remote file identifier specified: Wrong string length')
    if (part.bytes.length === 0) throw badRequest('file must be non-empty')
    if (part.bytes.length > 50 * MiB) throw new Refusal(413, 'Request Entity Too Large')
    const picture = /^(\x89PNG|\xff\xd8\xff|RIFF....WEBP)/s.test(
      part.bytes.subarray(0, 12).toString('latin1'),
    )
    if (field === 'photo' && part.bytes.length > 10 * MiB) throw badRequest('file is too big')
    if (field === 'photo' && !picture) throw badRequest('IMAGE_PROCESS_FAILED')
    deliver(method, request, 'caption', { name: part.filename ?? '', bytes: part.bytes })
  }

  const edit = ({ params, response }: ApiCall, changes: { text?: string }) => {
    const chat = getChat(params)
    const messageBefore = shownMessages.get(Number(params.message_id))
    if (messageBefore?.chat !== chat) throw badRequest('message to edit not found')
    const messageAfter = { ...messageBefore, ...changes, buttons: buttonsIn(params) }
    if (JSON.stringify(messageAfter) === JSON.stringify(messageBefore))
      throw badRequest(
        'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      )
    shownMessages.set(Number(params.message_id), messageAfter)
    answer(response, { message_id: Number(params.message_id), date: 1_795_000_000, text: messageAfter.text })
  }
  const answerCallbackQuery = ({ params, response }: ApiCall) => {
    const { callback_query_id: id = '', text = '' } = params
    if (!queries.delete(id))
      throw badRequest('query is too old and response timeout expired or query ID is invalid')
    if (text.length > 200) throw badRequest('MESSAGE_TOO_LONG')
    pressAnswers.push(text || null)
    answer(response, true)
  }

  const methods: Record<string, (request: ApiCall) => void> = {
    getMe: ({ response }) =>
      answer(response, { ...bot, can_join_groups: true, can_read_all_group_messages: false }),
    getUpdates,
    sendMessage: (request) => deliver('sendMessage', request, 'text', null),
    editMessageText: (request) => edit(request, { text: content(request.params, 'text').text }),
    editMessageReplyMarkup: (request) => edit(request, {}),
    answerCallbackQuery,
    sendPhoto: sendFile('sendPhoto', 'photo'),
    sendVoice: sendFile('sendVoice', 'voice'),
    sendAudio: sendFile('sendAudio', 'audio'),
    sendDocument: sendFile('sendDocument', 'document'),
    sendChatAction: ({ params, response }) => {
      getChat(params)
      if (!/^(typing|upload_\w+|record_\w+|choose_sticker|find_location)$/.test(params.action ?? ''))
        throw badRequest('wrong parameter action in request')
      answer(response, true)
    },
    getFile: ({ params, response }) => {
      const { file_id = '' } = params
      const file = files.get(file_id)
      if (!file) throw badRequest('invalid file_id')
      if (file.size > 20 * MiB) throw badRequest('file is too big')
      answer(response, { file_id, file_unique_id: file_id, file_size: file.size, file_path: file.path })
    },
    getWebhookInfo: ({ response }) =>
      answer(response, { url: hook, has_custom_certificate: false, pending_update_count: updates.length }),
    deleteWebhook: ({ params, response }) => {
      hook = ''
      if (params.drop_pending_updates === 'true') updates = []
      answer(response, true)
    },
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = new URL(request.url ?? '/', 'http://telegram')
    const body = await readAll(request)
    const [, filePrefix, key = '', rest = ''] = /^\/(file\/)?bot([^/]+)\/(.+)$/.exec(target.pathname) ?? []
    const method = filePrefix
      ? 'file'
      : (Object.keys(methods).find((name) => name.toLowerCase() === rest.toLowerCase()) ?? rest)
    const parsedRequest = readRequest(request.headers['content-type'] ?? '', target.searchParams, body)
    log.push({ method, params: parsedRequest?.params ?? {} })
    if (!/^\d+:[\w-]{20,}$/.test(key)) return refuse(response, { code: 404, description: 'Not Found' })
    if (key !== token) return refuse(response, { code: 401, description: 'Unauthorized' })

    const failure = failuresByMethod.get(method)?.shift()
    if (failure === 'hang') return
    if (failure === 'cut') return void response.destroy()
    if (failure === 'babble')
      return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>')
    if (failure) return refuse(response, failure)
    if (filePrefix) {
      const file = [...files.values()].find(({ path }) => path === decodeURIComponent(rest))
      return file
        ? void response.writeHead(200, { 'content-length': file.bytes.length }).end(file.bytes)
        : refuse(response, { code: 404, description: 'Not Found' })
    }
    const callMethod = methods[method]
    if (!callMethod) return refuse(response, { code: 404, description: 'Not Found: method not found' })
    if (!parsedRequest)
      return refuse(response, { code: 400, description: 'Bad Request: strings must be encoded in UTF-8' })
    try {
      callMethod({ ...parsedRequest, response })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refuse(response, error.failure)
    }
  }

  // A request that is aborted while it is read needs no response.
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void serve(request, response).catch((error) => response.destroy(error))
  let server = await listen(listener, 0)
  const { port } = server.address() as AddressInfo
  const leave = async () => {
    const whenClosed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await whenClosed
  }

  let messages = 0
  return {
    url: `http://127.0.0.1:${port}`,
    token: firstToken,
    bot,
    write: (message = {}) => {
      const person = { id: 99, is_bot: false, first_name: 'Anna', language_code: 'de' }
      const fullMessage = {
        message_id: ++messages,
        date: 1_795_000_000,
        chat: { id: 99, type: 'private', first_name: 'Anna' },
        from: person,
        ...message,
      }
      chats.add(String(fullMessage.chat.id))
      return push({ message: fullMessage })
    },
    press: ({ message, data, chat }) => {
      const shownMessage = shownMessages.get(message)
      const id = `4382bfdwdsb323b2d${log.length}${queries.size}`
      queries.add(id)
      const chatId = chat ?? Number(shownMessage?.chat)
      chats.add(String(chatId))
      return push({
        callback_query: {
          id,
          data,
          chat_instance: '1',
          from: { id: chatId, is_bot: false, first_name: 'Anna' },
          message: {
            message_id: message,
            date: 1_795_000_000,
            from: bot,
            chat: { id: chatId, type: 'private', first_name: 'Anna' },
            text: shownMessage?.text,
          },
        },
      })
    },
    shownMessages: shownMessages,
    answers: pressAnswers,
    push,
    renumber: (next) => {
      number = next
    },
    file: (bytes, size = bytes.length) => {
      const file_id = `BQACAgIAAxkB${files.size}`
      files.set(file_id, { bytes, size, path: `documents/file ${files.size}.bin` })
      return { file_id, file_unique_id: file_id, file_size: size }
    },
    getPending: () => updates.map(({ update_id }) => update_id),
    sentMessages: sentMessages,
    log,
    calls: (method) => log.filter((call) => call.method === method).length,
    polling: () => (pendingPoll ? 1 : 0),
    fail: (method, failure, times = 1) => {
      failuresByMethod.set(method, [
        ...(failuresByMethod.get(method) ?? []),
        ...Array.from({ length: times }, () => failure),
      ])
    },
    faults,
    webhook: (url) => {
      hook = url
      if (!url) return
      endPoll((response) =>
        refuse(response, { code: 409, description: 'Conflict: terminated by setWebhook request' }),
      )
    },
    block: (chat) => void blockedChats.add(String(chat)),
    rekey: (otherId) => {
      token = otherId
    },
    leave,
    restore: async () => {
      server = await listen(listener, port)
    },
    close: leave,
  }
}

/** Returns the data of the buttons below a message. */
const buttonsIn = ({ reply_markup: markup }: ApiCall['params']): readonly string[] => {
  if (markup === undefined) return []
  const { inline_keyboard: rows } = JSON.parse(markup)
  if (!Array.isArray(rows)) throw badRequest("can't parse inline keyboard button")
  return rows.flat().map(({ text, callback_data: data }: { text?: unknown; callback_data?: unknown }) => {
    if (typeof text !== 'string' || text === '' || typeof data !== 'string')
      throw badRequest(
        "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
      )
    if (Buffer.byteLength(data) > 64 || data === '') throw badRequest('BUTTON_DATA_INVALID')
    return data
  })
}

const listen = (
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  port: number,
): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer(serve)
    server.on('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const json = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
