/** The steps of a request to a persona that chat completions and responses share. */
import type { Request, Response } from 'express'
import type { Exchange, ExchangeResult } from '../../agents/api-chat.ts'
import type { RouteDeps } from '../route.ts'
import { orCutShort } from '../server/client-abort.ts'
import { type CutUrls, withWholeUrls } from '../server/data-urls.ts'
import { getPictureBudget } from './sent-pictures.ts'

interface PassedRequest {
  readonly request: Request
  readonly response: Response
  /** The long URLs that were cut out of the body. */
  readonly cutUrls: CutUrls
}

/** Passes the request to the daemon that hosts the persona. Returns false if that is this one. */
export const passToHost = async (
  { elsewhere, passing }: Pick<RouteDeps, 'elsewhere' | 'passing'>,
  persona: string,
  { request, response, cutUrls }: PassedRequest,
): Promise<boolean> => {
  const place = await elsewhere?.find(persona)
  if (place?.at !== 'host' || !passing) return false
  const body = withWholeUrls(JSON.stringify({ ...request.body, model: persona }), cutUrls)
  await passing.send(place.host, request, response, body)
  return true
}

/**
 * Asks the persona, as soon as there is memory for the pictures. `pictureBytes`: size of the long ones.
 * Throws cut_short if the client disconnects or the server is closing.
 */
export const askPersona = async (
  { agents, closing }: Pick<RouteDeps, 'agents' | 'closing'>,
  persona: string,
  { pictureBytes, ...exchange }: Exchange & { readonly pictureBytes: number },
): Promise<ExchangeResult> => {
  const { disconnectSignal: signal } = exchange
  const hold = pictureBytes > 0 ? await getPictureBudget(closing).take(pictureBytes, signal) : null
  return orCutShort(signal, agents.converse(persona, exchange)).finally(() => hold?.release())
}
