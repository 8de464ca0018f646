/** The requests of the channels section. */
import type { Answer } from '../shared/answer.ts'
import type { Kind } from '../shared/channel-kinds.ts'
import { answerTo, client } from '../shared/client.ts'
import type { Shape } from '../shared/shapes.ts'

export type Channel = Shape<'Diagnosis'>['channels'][number]

export type Credentials = Shape<'ChannelCreateRequest'>['credentials']

export const add = (id: string, kind: Kind, credentials: Credentials): Promise<Answer<unknown>> =>
  answerTo<unknown>(
    client.POST('/api/persona/{persona_id}/channels', {
      params: { path: { persona_id: id } },
      body: { kind, credentials },
    }),
  )

/** The response body is ignored, because it contains more than the page should hold. */
export const pair = (id: string, code: string): Promise<Answer<unknown>> =>
  answerTo<unknown>(
    client.POST('/api/persona/{persona_id}/pair', { params: { path: { persona_id: id } }, body: { code } }),
  )

export const remove = (id: string, name: string): Promise<Answer<unknown>> =>
  answerTo<unknown>(
    client.DELETE('/api/persona/{persona_id}/channels/{channel_name}', {
      params: { path: { persona_id: id, channel_name: name } },
    }),
  )
