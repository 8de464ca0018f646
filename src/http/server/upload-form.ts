/**
 * Reads multipart forms. Files are streamed to disk, counted and hashed. Texts have a limit. Unknown parts
 * are ignored.
 */
import type { Writable } from 'node:stream'
import type { Request, Response } from 'express'
import * as z from 'zod'
import type { Config } from '../../config.ts'
import type { PersonaStore } from '../../persona/persona-store.ts'
import { Refused } from '../../persona/refusals.ts'
import { HttpRefused, type Item } from '../refused.ts'
import { type BodyReading, holdBytes } from './body-reader.ts'
import { feedForm } from './form-feed.ts'
import { admit } from './json-body.ts'
import { createIntake, fileTooLarge, isUpload, type Upload } from './multipart-files.ts'
import { watchPartCharset } from './part-charset.ts'
import type { SlowUploadGuard } from './slow-upload.ts'
import { brokenForm, tooManyFields, validate } from './validation.ts'

const noFile = "Expected UploadFile, received: <class 'str'>"

/** The one required file of a form. */
export const FilePart = z
  .custom<Upload>(isUpload, { error: noFile })
  .meta({ type: 'string', format: 'binary' })

/** The file of a form that may contain something else instead. */
export const OptionalFilePart = FilePart.optional()

/** At least one file. Files beyond `mostFiles` are ignored. */
export const FileParts = z
  .custom<readonly Upload[]>((value) => Array.isArray(value) && value.every(isUpload), { error: noFile })
  .meta({ type: 'string', format: 'binary' })

const mostFiles = 32

export interface Form {
  /** Values by the field names of the form: texts, and the file as one `Upload` or a list. */
  readonly values: Readonly<Record<string, unknown>>
  /** Removes the files that were not kept. Never rejects. */
  drop(): Promise<void>
}

interface ReaderDeps {
  readonly personas: Pick<PersonaStore, 'stageMedia'>
  readonly config: Pick<Config, 'limits'>
  readonly pace: SlowUploadGuard
  readonly bodies: BodyReading
}

/** Bytes that a form may have besides its file and one text: more texts, and part headers. */
const room = 1024 * 1024
const mostFields = 64

/**
 * Creates a reader of forms. `maxFileBytes` limits the file. Throws body_too_large, invalid,
 * cut_short or request_slow, after which no file is left. Throws JournalUnavailable if the file cannot be
 * stored.
 */
export const createFormReader = (
  form: z.ZodObject,
  maxFileBytes: number,
  { personas, config, pace, bodies }: ReaderDeps,
) => {
  const names = Object.keys(form.shape)
  const isPart = (name: string) => [FilePart, OptionalFilePart, FileParts].includes(form.shape[name])
  const part = names.find(isPart) ?? ''
  const takesMany = form.shape[part] === FileParts
  const { message } = config.limits
  const all = maxFileBytes + message + room

  return async (request: Request, response: Response): Promise<Form> => {
    admit(request, response, all, () => fileTooLarge(maxFileBytes))
    if (!isForm(request)) return { values: {}, drop: async () => {} }
    const { default: multer } = await import('multer')
    if (request.destroyed) throw cutShort()

    const failure = createFailure()
    let readCharset = (): string | null => null
    const intake = createIntake({
      part,
      most: maxFileBytes,
      mostFiles: takesMany ? mostFiles : 1,
      charset: () => readCharset(),
      stage: personas.stageMedia,
      fail: failure.fail,
    })
    const brokenText = createBrokenLetters()
    const stopWatching = pace.watch(request, () => failure.fail(new HttpRefused({ code: 'request_slow' })))
    onBytes(
      request,
      brokenText.look,
      (receivedBytes) => receivedBytes > all && failure.fail(fileTooLarge(maxFileBytes)),
    )
    const { storage, fileFilter } = intake
    const limits = { fieldSize: message, fields: mostFields }
    // Paths in file names are cut later. Otherwise a name that ends in a slash would count as a part without
    // a file.
    const options = { storage, fileFilter, limits, defParamCharset: 'utf8', preservePath: true }
    const feed = (_: Request, parser: Writable) => {
      readCharset = watchPartCharset(parser)
      feedForm(request, parser, {
        maxTexts: message + room,
        hold: (bytes) => holdBytes(bytes, response, bodies),
        fail: failure.fail,
      })
    }
    // `streamHandler` is missing in multer's types.
    const read = multer(Object.assign({ streamHandler: feed }, options)).any()
    try {
      await failure.orDone((callback) =>
        read(request, response, (error: unknown) => callback(error instanceof Error ? error : undefined)),
      )
      const texts = readTexts(request.body, names, message, brokenText.mend)
      const uploads = await intake.taken()
      const [upload] = uploads
      return {
        values: upload ? { ...texts, [part]: takesMany ? uploads : upload } : texts,
        drop: intake.drop,
      }
    } catch (error) {
      intake.cut()
      void intake.drop()
      if (request.complete) throw toRefusal(error, names, message)
      // The rest of the body is not read.
      response.setHeader('Connection', 'close')
      throw request.destroyed ? cutShort() : toRefusal(error, names, message)
    } finally {
      stopWatching()
    }
  }
}

/** Returns the parsed form, or the validation errors. */
export const checkForm = <F extends z.ZodObject>(
  form: F,
  { values }: Form,
): { readonly value: z.output<F> } | { readonly items: readonly Item[] } => {
  const result = validate(form, values, 'body')
  if ('value' in result) return result
  // The form itself cannot be echoed.
  return { items: result.items.map((item) => (item.type === 'missing' ? { ...item, input: null } : item)) }
}

/** Other bodies contain no part of a form. */
const isForm = ({ headers }: Request): boolean => {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return hasBody && /^\s*multipart\//i.test(headers['content-type'] ?? '')
}

const onBytes = (
  request: Request,
  look: (chunk: Buffer) => void,
  count: (receivedBytes: number) => void,
): void => {
  let receivedBytes = 0
  request.on('data', (chunk: Buffer) => {
    look(chunk)
    receivedBytes += chunk.length
    count(receivedBytes)
  })
}

/** Rejects with the first failure and ignores later ones. */
const createFailure = () => {
  let rejectFailure: (error: unknown) => void = () => {}
  const whenFailed = new Promise<never>((_, reject) => {
    rejectFailure = reject
  })
  whenFailed.catch(() => undefined)
  return {
    fail: (error: Error) => rejectFailure(error),
    orDone: (work: (callback: (error?: Error) => void) => void): Promise<void> =>
      Promise.race([
        whenFailed,
        new Promise<void>((resolve, reject) => work((error) => (error ? reject(error) : resolve()))),
      ]),
  }
}

/** Returns the texts of known fields. If a field is repeated or is a list, the last value counts. */
const readTexts = (
  body: unknown,
  names: readonly string[],
  maxBytes: number,
  mend: (text: string) => string,
): Record<string, string> => {
  const fields: Readonly<Record<string, unknown>> =
    typeof body === 'object' && body !== null ? { ...body } : {}
  const texts: Record<string, string> = {}
  for (const name of names) {
    const text = lastText(fields[name])
    if (text === undefined) continue
    if (Buffer.byteLength(text) > maxBytes)
      throw new HttpRefused({ code: 'body_too_large', what: name, most: maxBytes })
    texts[name] = mend(text)
  }
  return texts
}

const lastText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return lastText(value.at(-1))
  // For `name` and `name[more]` in one form, the parser puts the first under the empty name.
  return typeof value === 'object' && value !== null ? lastText(Reflect.get(value, '')) : undefined
}

const replacement = Buffer.from('\ufffd')

/**
 * The parser replaces invalid UTF-8 by U+FFFD. If the request contains no U+FFFD itself, a text with one is
 * invalid. It is then replaced by a lone surrogate, which the schema check refuses.
 */
const createBrokenLetters = () => {
  let hasReplacement = false
  let tail: Buffer = Buffer.alloc(0)
  return {
    look: (chunk: Buffer): void => {
      hasReplacement ||=
        chunk.includes(replacement) || Buffer.concat([tail, chunk.subarray(0, 2)]).includes(replacement)
      tail = Buffer.concat([tail, chunk.subarray(-2)]).subarray(-2)
    },
    mend: (text: string): string => (hasReplacement ? text : text.replaceAll('\ufffd', '\ud800')),
  }
}

const cutShort = () => new Refused({ code: 'cut_short' })
const invalid = (item: Item) => new HttpRefused({ code: 'invalid', items: [item] })

/**
 * Recognizes multer's errors by their code and those of its parser by their message, which quotes nothing of
 * the body. Returns other errors unchanged.
 */
const toRefusal = (error: unknown, names: readonly string[], maxBytes: number): unknown => {
  if (!(error instanceof Error)) return error
  // A client can also disconnect after it sent everything and before the body was read.
  if (/^Request (?:aborted|closed)$/.test(error.message)) return cutShort()
  const { code, field } = error as { code?: unknown; field?: unknown }
  if (code === 'LIMIT_FIELD_VALUE') {
    const fieldName = names.find((name) => name === field) ?? 'field'
    return new HttpRefused({ code: 'body_too_large', what: fieldName, most: maxBytes })
  }
  if (code === 'LIMIT_FIELD_COUNT') return invalid(tooManyFields(mostFields))
  // By the code, because the bundler changes the class name.
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
