/**
 * Forms: one file or several, streamed to the disk and counted and hashed on their way; texts within a limit;
 * whatever else comes is let pass.
 */
import type { Writable } from 'node:stream'
import type { Request, Response } from 'express'
import * as z from 'zod'
import type { Config } from '../../config.ts'
import type { Personas } from '../../persona/persona-store.ts'
import { Refused } from '../../persona/refusals.ts'
import { admit, check } from '../schema/bodies.ts'
import { HttpRefused, type Item } from '../schema/refused.ts'
import { brokenForm, tooManyFields } from '../schema/validation-errors.ts'
import { type BodyReading, holdBytes } from './body-reader.ts'
import { feedForm } from './form-feed.ts'
import { createIntake, fileTooLarge, isUpload, type Upload } from './intake.ts'
import type { Pace } from './pace.ts'

const noFile = "Expected UploadFile, received: <class 'str'>"

/** The one file of a form. */
export const FilePart = z
  .custom<Upload>(isUpload, { error: noFile })
  .meta({ type: 'string', format: 'binary' })

/** A form that has something else in its place, too. */
export const OptionalFilePart = FilePart.optional()

/** At least one; of more than `mostFiles` the rest is let pass. */
export const FileParts = z
  .custom<readonly Upload[]>((value) => Array.isArray(value) && value.every(isUpload), { error: noFile })
  .meta({ type: 'string', format: 'binary' })

const mostFiles = 32

export interface Form {
  /** By the names the form knows: texts, and the file as an `Upload`, or several. */
  readonly values: Readonly<Record<string, unknown>>
  /** Removes what nobody kept. Never rejects. */
  drop(): Promise<void>
}

interface ReaderDeps {
  readonly personas: Pick<Personas, 'stageMedia'>
  readonly config: Pick<Config, 'limits'>
  readonly pace: Pace
  readonly bodies: BodyReading
}

/** Bytes that a form may have beside its file and a text: more texts, and frames. */
const room = 1024 * 1024
const mostFields = 64

/**
 * `most`: bytes of the file. Refused: body_too_large, invalid, cut_short, request_slow; nothing is left of
 * the file then. JournalUnavailable.
 */
export const createFormReader = (
  form: z.ZodObject,
  most: number,
  { personas, config, pace, bodies }: ReaderDeps,
) => {
  const names = Object.keys(form.shape)
  const isPart = (name: string) => [FilePart, OptionalFilePart, FileParts].includes(form.shape[name])
  const part = names.find(isPart) ?? ''
  const many = form.shape[part] === FileParts
  const { message } = config.limits
  const all = most + message + room

  return async (request: Request, response: Response): Promise<Form> => {
    admit(request, response, all, () => fileTooLarge(most))
    if (!isForm(request)) return { values: {}, drop: async () => {} }
    const { default: multer } = await import('multer')
    if (request.destroyed) throw cutShort()

    const failure = createFailure()
    const intake = createIntake({
      ...{ part, most, mostFiles: many ? mostFiles : 1 },
      ...{ stage: personas.stageMedia, fail: failure.fail },
    })
    const broken = createBrokenLetters()
    const stopWatching = pace.watch(request, () => failure.fail(new HttpRefused({ code: 'request_slow' })))
    onBytes(request, broken.look, (came) => came > all && failure.fail(fileTooLarge(most)))
    const { storage, fileFilter } = intake
    const limits = { fieldSize: message, fields: mostFields }
    // A name that is a path is cut later, so that one that ends in a slash is no part without a file.
    const options = { storage, fileFilter, limits, defParamCharset: 'utf8', preservePath: true }
    const feed = (_: Request, parser: Writable) =>
      feedForm(request, parser, {
        maxTexts: message + room,
        hold: (bytes) => holdBytes(bytes, response, bodies),
        fail: failure.fail,
      })
    const read = multer({ ...options, ...{ streamHandler: feed } }).any()
    try {
      await failure.orDone((done) =>
        read(request, response, (error: unknown) => done(error instanceof Error ? error : undefined)),
      )
      const texts = textsOf(request.body, names, message, broken.mend)
      const uploads = await intake.taken()
      const [upload] = uploads
      return { values: upload ? { ...texts, [part]: many ? uploads : upload } : texts, drop: intake.drop }
    } catch (error) {
      intake.cut()
      void intake.drop()
      if (request.complete) throw refusalOf(error, names, message)
      // Nobody takes the rest of it.
      response.setHeader('Connection', 'close')
      throw request.destroyed ? cutShort() : refusalOf(error, names, message)
    } finally {
      stopWatching()
    }
  }
}

/** The parsed form, or items that are told together with others. */
export const checkForm = <F extends z.ZodObject>(
  form: F,
  { values }: Form,
): { readonly value: z.output<F> } | { readonly items: readonly Item[] } => {
  const checked = check(form, values, 'body')
  if ('value' in checked) return checked
  // The form itself is no value that could be told back.
  return { items: checked.items.map((item) => (item.type === 'missing' ? { ...item, input: null } : item)) }
}

/** Whatever else the body is, no part of a form is in it. */
const isForm = ({ headers }: Request): boolean => {
  const sent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return sent && /^\s*multipart\//i.test(headers['content-type'] ?? '')
}

const onBytes = (request: Request, look: (chunk: Buffer) => void, count: (came: number) => void): void => {
  let came = 0
  request.on('data', (chunk: Buffer) => {
    look(chunk)
    came += chunk.length
    count(came)
  })
}

/** The first failure is told, and nobody waits for what comes after it. */
const createFailure = () => {
  let tell: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    tell = reject
  })
  failed.catch(() => undefined)
  return {
    fail: (error: Error) => tell(error),
    orDone: (work: (done: (error?: Error) => void) => void): Promise<void> =>
      Promise.race([
        failed,
        new Promise<void>((resolve, reject) => work((error) => (error ? reject(error) : resolve()))),
      ]),
  }
}

/**
 * Of a name that came several times, or as a list, the last counts; what the form does not know is let pass.
 */
const textsOf = (
  body: unknown,
  names: readonly string[],
  most: number,
  mend: (text: string) => string,
): Record<string, string> => {
  const given: Readonly<Record<string, unknown>> =
    typeof body === 'object' && body !== null ? { ...body } : {}
  const texts: Record<string, string> = {}
  for (const name of names) {
    const text = lastText(given[name])
    if (text === undefined) continue
    if (Buffer.byteLength(text) > most) throw new HttpRefused({ code: 'body_too_large', what: name, most })
    texts[name] = mend(text)
  }
  return texts
}

const lastText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return lastText(value.at(-1))
  // `name` and `name[more]` in one form: the first of them is under no name.
  return typeof value === 'object' && value !== null ? lastText(Reflect.get(value, '')) : undefined
}

const replacement = Buffer.from('\ufffd')

/**
 * Where bytes are no UTF-8, the parser has put U+FFFD. Where nobody sent one, a text that holds it is broken:
 * it becomes half a letter, which is no text.
 */
const createBrokenLetters = () => {
  let [sent, tail]: [boolean, Buffer] = [false, Buffer.alloc(0)]
  return {
    look: (chunk: Buffer): void => {
      sent ||=
        chunk.includes(replacement) || Buffer.concat([tail, chunk.subarray(0, 2)]).includes(replacement)
      tail = Buffer.concat([tail, chunk.subarray(-2)]).subarray(-2)
    },
    mend: (text: string): string => (sent ? text : text.replaceAll('\ufffd', '\ud800')),
  }
}

const cutShort = () => new Refused({ code: 'cut_short' })
const invalid = (item: Item) => new HttpRefused({ code: 'invalid', items: [item] })

/**
 * multer's errors by their code, its parser's by their words, which quote nothing. Both are told; what else
 * failed is passed on.
 */
const refusalOf = (error: unknown, names: readonly string[], most: number): unknown => {
  if (!(error instanceof Error)) return error
  // Who has sent everything may leave, too, before it was read.
  if (/^Request (?:aborted|closed)$/.test(error.message)) return cutShort()
  const { code, field } = error as { code?: unknown; field?: unknown }
  if (code === 'LIMIT_FIELD_VALUE') {
    const what = names.find((name) => name === field) ?? 'field'
    return new HttpRefused({ code: 'body_too_large', what, most })
  }
  if (code === 'LIMIT_FIELD_COUNT') return invalid(tooManyFields(mostFields))
  // Not by its name, which the bundler changes.
  if (typeof code === 'string' && /^(?:LIMIT|MISSING|INVALID)_/.test(code))
    return invalid(brokenForm('A part has no name that can be read'))
  const words = parserWords.find((words) => error.message.includes(words))
  return words === undefined ? error : invalid(brokenForm(words))
}

const parserWords = [
  'Malformed part header',
  'Unexpected end of form',
  'Unexpected end of file',
  'Boundary not found',
  'Malformed content type',
  'Unsupported content type',
]
