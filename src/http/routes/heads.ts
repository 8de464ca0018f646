/** Routes that sign the head of a journal, and list signed heads with their proofs. */
import * as z from 'zod'
import type { ProvenHead } from '../../../journal/heads/head-log.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'

const Head = z.object({
  index: z.int().describe('Place in the log, from 0.'),
  seq: z.int().describe('Position in the journal.'),
  hash: z.string().describe('Chain hash at this position, hex.'),
  time: z.string(),
  proof: z
    .array(z.string())
    .describe('Inclusion proof of RFC 6962 in the checkpoint, base64, from the leaf up.'),
})

const toView = ({ index, seq, hash, time, proof }: ProvenHead) => ({
  index,
  seq,
  hash,
  time,
  proof: proof.map(toBase64),
})
const toBase64 = (bytes: Buffer): string => bytes.toString('base64')

const SignedHeadView = z
  .object({
    signed: z.boolean().describe('False if this head was signed before.'),
    head: Head,
    witness: z.string().describe('The text of a witness file (c2sp.org/tlog-proof).'),
  })
  .meta({ id: 'SignedHead' })

const path = '/api/persona/{persona_id}/heads'

export const signHeadRoute = route({
  method: 'post',
  path,
  summary: 'Sign the head of the journal',
  description:
    'Appends it to the log of signed heads, and returns a witness file. Give the file to someone else: it proves that history was not rewritten.',
  tag: 'Journal',
  reply: SignedHeadView,
  refuses: ['persona_unknown', 'heads_damaged', 'journal_damaged', 'journal_unavailable'],
  handle:
    ({ personas, signedHeads }) =>
    async ({ params: { persona_id: id } }) => {
      requireListed(personas, id)
      const { isNew, head, witness } = await signedHeads.sign(id)
      return { signed: isNew, head: toView(head), witness }
    },
})

const SignedHeads = z
  .object({
    origin: z.string().describe('Name of the log.'),
    size: z.int().describe('Number of signed heads.'),
    checkpoint: z.string().describe('The signed root of the log (c2sp.org/tlog-checkpoint).'),
    keys: z
      .array(z.object({ key: z.string(), from: z.int(), time: z.string(), before: z.string().nullable() }))
      .describe('Public keys, the newest last. `before`: the last checkpoint of the previous key.'),
    heads: z.array(Head).describe('The last heads, the oldest first.'),
    consistency: z.array(z.string()).describe('Consistency proof of RFC 6962 from the size `since`, base64.'),
  })
  .nullable()

export const listHeadsRoute = route({
  method: 'get',
  path,
  summary: 'The signed heads of the journal, with proofs',
  description: 'Null if none was signed.',
  tag: 'Journal',
  query: z.object({
    last: z.int().min(1).max(1000).default(100).describe('Number of heads.'),
    since: z.int().min(1).optional().describe('An older size of the log, for a consistency proof.'),
  }),
  reply: SignedHeads,
  refuses: ['persona_unknown', 'heads_damaged', 'journal_unavailable'],
  handle:
    ({ personas, signedHeads }) =>
    async ({ params: { persona_id: id }, query: { last, since } }) => {
      requireListed(personas, id)
      const log = await signedHeads.view(id, { last, ...(since !== undefined && { since }) })
      return (
        log && {
          ...log,
          keys: log.keys.map((key) => ({ ...key })),
          heads: log.heads.map(toView),
          consistency: log.consistency.map(toBase64),
        }
      )
    },
})
