/** Words and files on their way to a chat of Discord. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { RESTPostAPIChannelMessageJSONBody } from '@discordjs/core'
import { SendError, type SentFile } from '../platform.ts'
import { type Api, DiscordError } from './api.ts'
import { voiceOf } from './voice-message.ts'

/** Discord takes 10 MiB, on a server that pays up to 100: beyond that nothing is read. */
const mostBytes = 100 * 1024 * 1024
const spoken = 1 << 13
/** No voice messages in this channel. */
const noVoice = 50173

export interface Sending {
  send(target: string, text: string, nonce: string, signal: AbortSignal): Promise<void>
  sendFile(target: string, file: SentFile, nonce: string, signal: AbortSignal): Promise<void>
  typing(target: string): Promise<void>
}

/** `refused` is called when the token is. */
export const createSending = ({
  api,
  refused,
}: {
  readonly api: Api
  refused(reason: string): void
}): Sending => {
  const post = async (
    target: string,
    nonce: string,
    body: Body,
    signal: AbortSignal,
    file?: { data: Buffer; sent: SentFile },
  ) => {
    const files = file && [{ name: file.sent.name, data: file.data, contentType: file.sent.mime }]
    await api.call({
      method: 'POST',
      route: `/channels/${channelOf(target)}/messages`,
      body: {
        ...body,
        nonce: shortNonce(nonce),
        enforce_nonce: true,
        allowed_mentions: { parse: [] },
      } satisfies Body,
      ...(files && { files }),
      signal,
    })
  }
  const sending = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof DiscordError)) throw error
      if (error.kind === 'token') refused(error.message)
      throw new SendError(error.message, { lasting: error.kind !== 'passing', wait: error.wait })
    }
  }

  return {
    send: (target, text, nonce, signal) => sending(() => post(target, nonce, { content: text }, signal)),
    sendFile: (target, sent, nonce, signal) =>
      sending(async () => {
        const data = await bytesOf(sent.path)
        // A voice message has no words beside it: what is said with it keeps it a file.
        const voice = sent.voice && sent.caption === '' ? voiceOf(data) : null
        const file = { data, sent }
        const attachment = { id: '0', filename: sent.name }
        const asFile = () =>
          post(target, nonce, { content: sent.caption, attachments: [attachment] }, signal, file)
        if (!voice) return asFile()
        const { seconds, waveform } = voice
        const asVoice: Body = {
          flags: spoken,
          attachments: [{ ...attachment, duration_secs: seconds, waveform }],
        }
        await post(target, nonce, asVoice, signal, file).catch((error) => {
          if (error instanceof DiscordError && error.code === noVoice) return asFile()
          throw error
        })
      }),
    typing: async (target) => {
      await api.call({ method: 'POST', route: `/channels/${channelOf(target)}/typing` })
    },
  }
}

type Body = RESTPostAPIChannelMessageJSONBody

/** Never a path into another part of the API. */
const channelOf = (target: string): string => {
  if (/^\d{1,20}$/.test(target)) return target
  throw new DiscordError('This is no Discord channel.', 'lasting')
}

/** Discord takes 25 characters. */
const shortNonce = (nonce: string): string =>
  nonce.length > 0 && nonce.length <= 25
    ? nonce
    : createHash('sha256').update(nonce).digest('base64url').slice(0, 24)

const bytesOf = async (path: string): Promise<Buffer> => {
  const handle = await open(path).catch(() => {
    throw new DiscordError('The file is not there any more.', 'lasting')
  })
  try {
    if ((await handle.stat()).size > mostBytes)
      throw new DiscordError('The file is too large for Discord.', 'lasting')
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}
