/** Conversion of errors to responses. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Conflict, Damaged, Held, InDoubt, Unavailable } from '../../journal/log/errors.ts'
import { emptyHead } from '../../journal/log/head.ts'
import { calendarFailureKinds } from '../../packages/calendars/calendar-failed.ts'
import { mailFailureKinds } from '../../packages/mail/mail-failed.ts'
import { ModelError } from '../../packages/models/models.ts'
import { getProblem, getStatus, type ProblemCode, toProblemBody } from '../../src/http/problems.ts'
import { type HttpRefusal, HttpRefused } from '../../src/http/refused.ts'
import { JournalReplaced, JournalUnavailable, type Refusal, Refused } from '../../src/persona/refusals.ts'
import { text as germanProblems } from '../../web/strings/problems-de.ts'
import { text as englishProblems } from '../../web/strings/problems-en.ts'

const toProblem = (error: unknown) => {
  const { status, detail } = getProblem(error)
  return [status, detail]
}
const ruleProblem = (refusal: Refusal) => toProblem(new Refused(refusal))
const httpProblem = (refusal: HttpRefusal) => toProblem(new HttpRefused(refusal))

test('translates only codes that exist', () => {
  for (const key of Object.keys({ ...germanProblems, ...englishProblems })) {
    const [code = '', kind] = key.split('.')
    assert.ok(getStatus(code as ProblemCode) >= 400, key)
    if (kind !== undefined) assert.ok(Object.hasOwn(kindsByCode, code), key)
  }
})

/** The kinds of reasons, which a client gets in a header. */
const kindsByCode: Readonly<Record<string, readonly string[]>> = {
  calendar_unreadable: [...calendarFailureKinds, 'daemon'],
  mailbox_unreadable: [...mailFailureKinds, 'daemon'],
}

test('has a German reason for each kind of a failed calendar or mailbox, and no other', () => {
  for (const [code, kinds] of Object.entries(kindsByCode)) {
    const translatedKinds = Object.keys(germanProblems)
      .filter((key) => key.startsWith(`${code}.`))
      .map((key) => key.slice(code.length + 1))
    assert.equal(translatedKinds.sort(), kinds.toSorted())
  }
})

test('uses the exact sentences of the contract', () => {
  assert.equal(ruleProblem({ code: 'persona_unknown' }), [404, 'Persona not found.'])
  assert.equal(ruleProblem({ code: 'not_running' }), [404, 'Persona is not running.'])
  assert.equal(ruleProblem({ code: 'not_active' }), [409, 'Persona is not active.'])
  assert.equal(ruleProblem({ code: 'web_closed' }), [400, 'Web channel not connected'])
  assert.equal(ruleProblem({ code: 'status_invalid' }), [
    400,
    'Status must be one of: active, hibernate, sick.',
  ])
  assert.equal(ruleProblem({ code: 'model_missing', remote: true }), [
    400,
    'A model name is required when using a remote provider.',
  ])
  assert.equal(httpProblem({ code: 'path_unknown' }), [404, 'Not Found'])
  assert.equal(httpProblem({ code: 'method_unknown', allow: 'GET' }), [405, 'Method Not Allowed'])
  assert.equal(httpProblem({ code: 'file_unknown' }), [404, 'File not found.'])
})

test('reports which part was saved before a step failed', () => {
  assert.equal(ruleProblem({ code: 'created_not_started', reason: 'no runtime' }), [
    500,
    'Persona created but failed to start: no runtime. Ask for a new recovery phrase.',
  ])
  assert.equal(
    ruleProblem({ code: 'created_not_started', reason: 'No runtime.' })[1],
    'Persona created but failed to start: No runtime. Ask for a new recovery phrase.',
  )
  assert.equal(ruleProblem({ code: 'updated_not_settled', reason: 'no runtime' }), [
    500,
    'Updated but lifecycle change failed: no runtime',
  ])
  assert.equal(ruleProblem({ code: 'not_started', reason: 'no runtime' }), [400, 'no runtime'])
})

test('returns the reason of a model error', () => {
  assert.equal(toProblem(new ModelError('No runtime answers.')), [400, 'No runtime answers.'])
  assert.equal(getProblem(new ModelError('No runtime answers.')).headers, {})
})

test('returns the cause of a model error and its organ in headers', () => {
  const error = new ModelError('No.', false, { fault: 'key_refused', slot: 'eye' })
  assert.equal(getProblem(error).headers, { 'Daimon-Fault': 'key_refused', 'Daimon-Organ': 'eye' })
})

test('returns 409 for a request that is aborted because its journal is deleted or replaced', () => {
  assert.equal(toProblem(new JournalReplaced('the diary was cut off')), [
    409,
    'The journal is being removed or replaced, and the request was aborted. Try again in a moment.',
  ])
})

test('names the kind of a journal error', () => {
  assert.equal(toProblem(new Damaged(7, 'does not match')), [500, 'JournalDamaged: record 7: does not match'])
  for (const error of [
    new Unavailable('no space'),
    new InDoubt('no space'),
    new Held('no space'),
    new JournalUnavailable('no space'),
  ])
    assert.equal(toProblem(error), [500, 'JournalUnavailable: no space'])
  assert.equal(toProblem(new Conflict(emptyHead)), [500, 'JournalUnavailable: the head of the journal is 0'])
})

test('returns an unexpected error with its type', () => {
  assert.equal(toProblem(new TypeError('x is not a function')), [500, 'TypeError: x is not a function'])
  assert.equal(toProblem('a string'), [500, 'Error: a value that is not an Error was thrown'])
})

test('lists the allowed methods in a 405', () => {
  assert.equal(getProblem(new HttpRefused({ code: 'method_unknown', allow: 'GET, HEAD' })).headers, {
    Allow: 'GET, HEAD',
  })
})

test('adds an error object for client libraries under /v1', () => {
  const unknownProblem = getProblem(new HttpRefused({ code: 'path_unknown' }))
  assert.equal(toProblemBody(unknownProblem, '/api/x'), { detail: 'Not Found' })
  assert.equal(toProblemBody(unknownProblem, '/v10/x'), { detail: 'Not Found' })
  assert.equal(toProblemBody(unknownProblem, '/v1/x'), {
    detail: 'Not Found',
    error: { message: 'Not Found', type: 'invalid_request_error', param: null, code: 'path_unknown' },
  })

  const items = [{ type: 'missing', loc: ['body', 'model'], msg: 'Field required', input: {} }]
  assert.equal(toProblemBody(getProblem(new HttpRefused({ code: 'invalid', items })), '/v1?x'), {
    detail: items,
    error: {
      message: 'body.model: Field required',
      type: 'invalid_request_error',
      param: 'model',
      code: 'invalid',
    },
  })
})

test.run()
