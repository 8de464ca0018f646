/** The one file that a form is asked for, on its way to the disk; other files in it are let pass. */
import type { Readable } from 'node:stream'
import type { Options } from 'multer'
import type { Staged } from '../../../journal/files/media.ts'
import { plainName } from '../../files/file-name.ts'
import { HttpRefused } from '../schema/refused.ts'

/** A file as it came; it goes when the request has been answered, unless it was kept. */
export interface Upload {
  /** As the client called it: the last part of a path, never a path. */
  readonly name: string
  readonly staged: Staged
}

export const isUpload = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'staged' in value

export interface Intake extends Required<Pick<Options, 'storage' | 'fileFilter'>> {
  /** Once the form has been read. */
  taken(): Promise<Upload | undefined>
  /** No more of it is waited for. */
  cut(): void
  /** Removes it unless it was kept. Never rejects. */
  drop(): Promise<void>
}

interface Taking {
  /** Name of the part. */
  readonly part: string
  /** Bytes. */
  readonly most: number
  readonly stage: (chunks: AsyncIterable<Uint8Array>) => Promise<Staged>
  /** Told at once why it cannot be taken: the parser would wait for the rest of what is coming. */
  readonly fail: (error: Error) => void
}

export const createIntake = ({ part, most, stage, fail }: Taking): Intake => {
  let [wanted, name]: [boolean, string] = [false, '']
  let stream: Readable | undefined
  let staging: Promise<Staged> | undefined
  return {
    storage: {
      _handleFile: (_request, file, done) => {
        name = plainName(file.originalname)
        stream = file.stream
        staging = stage(within(stream, most))
        staging.then(
          () => done(null),
          (error: Error) => {
            fail(error)
            done(error)
          },
        )
      },
      _removeFile: (_request, _file, done) => done(null),
    },
    fileFilter: (_request, { fieldname }, done) => {
      const first = fieldname === part && !wanted
      wanted ||= first
      done(null, first)
    },
    taken: async () => {
      const staged = await staging
      return staged && { name, staged }
    },
    // Once a request has been answered, nobody tells the parser that the rest will not come.
    cut: () => void stream?.destroy(),
    drop: async () => {
      const staged = await staging?.catch(() => undefined)
      await staged?.drop()
    },
  }
}

export const fileTooLarge = (most: number): HttpRefused =>
  new HttpRefused({ code: 'body_too_large', what: 'file', most })

async function* within(chunks: Readable, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > most) throw fileTooLarge(most)
    yield chunk
  }
}
