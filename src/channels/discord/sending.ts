/** Sends text and files to a Discord chat. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { RESTPostAPIChannelMessageJSONBody } from '@discordjs/core'
import * as z from 'zod'
import { type Button, type Gateway, SendError, type SentFile } from '../platform.ts'
import { createVoiceMessage } from '../voice-message.ts'
import { type Api, DiscordError } from './api.ts'
import { Snowflake } from './message.ts'

/** Discord accepts files up to 10 MiB, and up to 100 MiB on boosted servers. Larger files are not read. */
const maxBytes = 100 * 1024 * 1024
const voiceFlag = 1 << 13
/** Message flag that suppresses link previews. Without it Discord would fetch every URL in a message. */
export const withoutEmbeds = 1 << 2
/** Error code: voice messages are not allowed in this channel. */
const noVoice = 50173

export interface Sending {
  send: Gateway['send']
  unbutton: Gateway['unbutton']
  sendFile(target: string, file: SentFile, nonce: string, signal: AbortSignal): Promise<void>
  typing(target: string): Promise<void>
}

/** `refused` is called if Discord rejects the token. */
export const createSending = ({
  api,
  onRefusal: onRefused,
  closeSignal,
}: {
  readonly api: Api
  onRefusal(reason: string): void
  readonly closeSignal: AbortSignal
}): Sending => {
  const post = async (
    target: string,
    nonce: string,
    body: Body,
    signal: AbortSignal,
    file?: { data: Buffer; sent: SentFile },
  ) => {
    const files = file && [{ name: file.sent.name, data: file.data, contentType: file.sent.mime }]
    const message = await api.call({
      method: 'POST',
      route: `/channels/${toChannelId(target)}/messages`,
      body: {
        ...body,
        flags: (body.flags ?? 0) | withoutEmbeds,
        nonce: shortNonce(nonce),
        enforce_nonce: true,
        allowed_mentions: { parse: [] },
      } satisfies Body,
      ...(files && { files }),
      signal,
    })
    return Posted.safeParse(message).data?.id ?? null
  }
  const send = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DiscordError)) throw error
      if (error.kind === 'token') onRefused(error.message)
      throw new SendError(error.message, { lasting: error.kind !== 'passing', wait: error.wait })
    }
  }

  return {
    send: (target, text, nonce, signal, buttons = []) =>
      send(() => post(target, nonce, { content: text, ...toComponents(buttons) }, signal)),
    unbutton: (target, message) => editMessage(api, target, message, {}, closeSignal).catch(() => {}),
    sendFile: (target, sentFile, nonce, signal) =>
      send(async () => {
        const data = await readBytes(sentFile.path)
        // A voice message cannot have a text, so audio with a caption is sent as a file.
        const voice = sentFile.voice && sentFile.caption === '' ? createVoiceMessage(data) : null
        const file = { data, sent: sentFile }
        const attachment = { id: '0', filename: sentFile.name }
        const asFile = () =>
          post(target, nonce, { content: sentFile.caption, attachments: [attachment] }, signal, file)
        if (!voice) return void (await asFile())
        const { seconds, waveform } = voice
        const asVoice: Body = {
          flags: voiceFlag,
          attachments: [{ ...attachment, duration_secs: seconds, waveform }],
        }
        await post(target, nonce, asVoice, signal, file).catch((error) => {
          if (error instanceof DiscordError && error.code === noVoice) return asFile()
          throw error
        })
      }),
    typing: async (target) => {
      await api.call({ method: 'POST', route: `/channels/${toChannelId(target)}/typing` })
    },
  }
}

type Body = RESTPostAPIChannelMessageJSONBody

const Posted = z.object({ id: Snowflake })

/** Returns one row of buttons. */
const toComponents = (buttons: readonly Button[]): Pick<Body, 'components'> =>
  buttons.length === 0
    ? {}
    : {
        components: [
          {
            type: 1,
            components: buttons.map(({ label, data }) => ({ type: 2, style: 2, label, custom_id: data })),
          },
        ],
      }

/** Edits a message and removes its buttons. */
export const editMessage = async (
  api: Api,
  target: string,
  message: string,
  change: { readonly content?: string },
  signal: AbortSignal,
): Promise<void> => {
  if (!Snowflake.safeParse(message).success) return
  await api.call({
    method: 'PATCH',
    route: `/channels/${toChannelId(target)}/messages/${message}`,
    body: {
      ...change,
      components: [],
      flags: withoutEmbeds,
      allowed_mentions: { parse: [] },
    } satisfies Body,
    signal,
  })
}

/** Only digits are accepted, so that the target cannot address another part of the API. */
const toChannelId = (target: string): string => {
  if (/^\d{1,20}$/.test(target)) return target
  throw new DiscordError('This is not a Discord channel.', 'lasting')
}

/** Shortened, because Discord accepts at most 25 characters. */
const shortNonce = (nonce: string): string =>
  nonce.length > 0 && nonce.length <= 25
    ? nonce
    : createHash('sha256').update(nonce).digest('base64url').slice(0, 24)

const readBytes = async (path: string): Promise<Buffer> => {
  const handle = await open(path).catch(() => {
    throw new DiscordError('The file is not there any more.', 'lasting')
  })
  try {
    if ((await handle.stat()).size > maxBytes)
      throw new DiscordError('The file is too large for Discord.', 'lasting')
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}
