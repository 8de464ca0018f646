/** Handles button presses on Discord and answers them. */
import * as z from 'zod'
import { pauseAfter } from '../../../packages/kit/flow/backoff.ts'
import type { Log } from '../../../packages/kit/log.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import type { Listener, PressResult } from '../platform.ts'
import { type Api, DiscordError } from './api.ts'
import { Snowflake } from './message.ts'
import { editMessage, withoutEmbeds } from './sending.ts'

/** A component interaction. Its token is valid for 15 minutes and must not be logged. */
const Interaction = z.object({
  id: Snowflake,
  type: z.literal(3),
  application_id: Snowflake,
  token: z.string().min(1).max(1000),
  channel_id: Snowflake,
  data: z.object({ custom_id: z.string() }),
  message: z.object({ id: Snowflake, content: z.string().catch('') }),
})
type Interaction = z.infer<typeof Interaction>

interface Deps {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  readonly onPress: Listener['onPress']
}

/** Response type that acknowledges the press; the message is updated later. */
const deferredUpdate = 6
const ephemeralFlag = 1 << 6
const maxLength = 2000
/** Discord sends a press only once, and the user does not wait longer than this. */
const maxTries = 10

/** The returned function must not throw. */
export const createPressHandler = (deps: Deps) => {
  const { api, clock, log, signal, onPress } = deps

  /** Discord requires this within 3 seconds, even if storing the decision takes longer. */
  const acknowledge = ({ id, token }: Interaction) =>
    api.call({
      method: 'POST',
      route: `/interactions/${id}/${encodeURIComponent(token)}/callback`,
      body: { type: deferredUpdate },
      auth: false,
      signal,
    })

  const answerPress = async ({ channel_id: target, data }: Interaction): Promise<PressResult | null> => {
    for (let times = 1; !signal.aborted && times <= maxTries; times++) {
      try {
        return await onPress({ target, data: data.custom_id })
      } catch (err) {
        log.warn({ err, count: times }, 'failed to store a button press on Discord; it is tried again')
      }
      await clock.wait(pauseAfter(times), signal)
    }
    return null
  }

  /** Sends a reply that only the person who pressed can see. */
  const whisper = ({ application_id: application, token }: Interaction, content: string) =>
    api.call({
      method: 'POST',
      route: `/webhooks/${application}/${encodeURIComponent(token)}`,
      body: { content, flags: ephemeralFlag | withoutEmbeds },
      auth: false,
      signal,
    })

  const takeInteraction = async (interaction: Interaction) => {
    const sign = acknowledge(interaction).catch(logUntold)
    const result = await answerPress(interaction)
    await sign
    if (!result || signal.aborted) return
    const { channel_id: target, message } = interaction
    const content = `${message.content}\n\n${result.words}`
    const change = result.decided && content.length <= maxLength ? { content } : {}
    await editMessage(api, target, message.id, change, signal).catch(logUntold)
    if (!result.decided) await whisper(interaction, result.words).catch(logUntold)
  }
  const logUntold = (error: unknown) => {
    const reason = error instanceof DiscordError ? error.message : ''
    if (!signal.aborted) log.info({ reason }, 'failed to answer a button press on Discord')
  }

  return (data: unknown): void => {
    const parsedInteraction = Interaction.safeParse(data)
    if (parsedInteraction.success) void takeInteraction(parsedInteraction.data).catch(logUntold)
  }
}
