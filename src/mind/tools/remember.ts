/** remember: stores, corrects or forgets one statement. */
import * as z from 'zod'
import { Document, type Seq, type Via } from '../../../facts/fact-values.ts'
import { getVia, oneLine } from '../../../projections/knowledge.ts'
import { listValues, valueAt } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Decision } from '../../persona/rules/decision.ts'
import { type KeepMemory, keepMemory, type ReviseMemory, reviseMemory } from '../../persona/rules/memory.ts'
import { getMaxLength, knownAs, maxSelfLines, maxStatementLength } from '../../persona/rules/statements.ts'
import type { Effect } from '../../persona/rules/tools.ts'
import { grantAuthority, revises, wantsForgetting, withdraw } from '../memory/authority.ts'
import { type Provenance, wordsIn } from '../memory/provenance.ts'
import { findClosest } from '../memory/similar-statements.ts'
import { isSaidIn } from '../memory/word-match.ts'
import { withoutLeadingIds } from '../prompt/answer-marks.ts'
import { isPerhapsCut } from '../prompt/coerce-input.ts'
import { createFailure, createRefusal, defineTool, type ToolResult } from './tool.ts'
import { describeUnknownId } from './unknown-id.ts'

const Text = z
  .string()
  .overwrite((text) => withoutLeadingIds(oneLine(text)))
  .min(1)
  .max(maxStatementLength)

const Input = z.object({
  op: z.enum(['keep', 'revise', 'forget']).default('keep'),
  document: Document.default('person'),
  text: Text.optional().describe('third person, in the user’s language; a permission in their own words'),
  id: z.string().optional(),
})

export const remember = defineTool({
  name: 'remember',
  lasting: true,
  description: `Keep, revise or forget one short statement.
person: facts about them. traits: how they are. persona-trait: how you should be. permissions: what they allow you. self: your tastes.`,
  input: Input,
  run: ({ op, document, text, id }, context) => {
    const { persona, provenance, newId } = context
    const statement = valueAt(persona.knowledge.statements, id ?? '')
    // With a known id, a model means to revise that statement.
    if (op === 'keep' && !statement) {
      if (!text) return createFailure('text is missing, such as {"text": "They live in Porto."}.')
      if (isTooLong(document, text)) return createFailure(formatTooLong(document))
      const grantDecision = grantAuthority(document, text, provenance)
      if ('refused' in grantDecision) return createRefusal(grantDecision.refused)
      const command: KeepMemory = {
        type: 'KeepMemory',
        id: `m${newId()}`,
        document,
        text,
        origin: 'persona',
        ...sourceFields(text, grantDecision, provenance),
      }
      const existingStatement = knownAs(persona.knowledge, command)
      const close = existingStatement
        ? undefined
        : findClosest(listValues(persona.knowledge.statements), text)
      return toResult(keepMemory(persona, command), command, {
        kept: existingStatement?.id ?? command.id,
        ...(close && { note: `close to [${close.id}]: revise?` }),
      })
    }
    if (!statement) return createFailure(describeUnknownStatement(id ?? '', persona))
    if (op === 'forget') {
      const refusal = withdraw(statement.document, statement.text, provenance)
      if (refusal !== null) return createRefusal(refusal)
      const command = {
        type: 'ForgetMemory',
        id: statement.id,
        why: null,
        unasked: !wantsForgetting(provenance),
        origin: 'persona',
      } as const
      return { ok: true, output: { forgotten: statement.id }, effect: [command] }
    }
    if (!text) return createFailure('To revise a statement, give id and text.')
    if (isTooLong(statement.document, text)) return createFailure(formatTooLong(statement.document))
    const revision = revises(statement, text, provenance)
    if ('refused' in revision) return createRefusal(revision.refused)
    const command: ReviseMemory = {
      type: 'ReviseMemory',
      id: statement.id,
      text,
      origin: 'persona',
      ...sourceFields(text, revision, provenance),
    }
    return toResult(reviseMemory(persona, command), command, { revised: statement.id })
  },
})

const describeUnknownStatement = (id: string, { knowledge }: Persona): string =>
  describeUnknownId(
    'statement',
    id,
    listValues(knowledge.statements).map((statement) => ({
      id: statement.id,
      text: statement.text,
      isOfOthers: getVia(statement) !== null,
    })),
  )

/** The end of a permission can limit it, so a cut one is refused. */
const isTooLong = (document: Document, text: string): boolean =>
  text.length > getMaxLength(document) ||
  ((document === 'permissions' || document === 'persona-trait') && isPerhapsCut(text, maxStatementLength))
const formatTooLong = (document: Document): string =>
  `text is too long: say it in fewer than ${getMaxLength(document)} characters.`

/** `saidIn` allows a forgotten statement to be stored again, but only if the user mentions it. */
const sourceFields = (
  text: string,
  { sources, via }: { readonly sources: readonly Seq[]; readonly via: Via | null },
  { said }: Provenance,
) => ({
  sources,
  via,
  saidIn: isSaidIn(text, wordsIn(said)) ? sources : [],
})

/** Decides on the current state first, so that the model learns of a refusal. */
const toResult = (decision: Decision, command: Effect, output: unknown): ToolResult => {
  if (!('refused' in decision)) return { ok: true, output, effect: [command] }
  if (decision.refused.code === 'self_full')
    return createFailure(`You keep ${maxSelfLines} lines about yourself at most. Revise or forget one.`)
  return createFailure(
    decision.refused.code === 'statement_forgotten'
      ? 'You were to forget this, and the person has not said it again. Leave it forgotten.'
      : 'A statement says something, in words.',
  )
}
