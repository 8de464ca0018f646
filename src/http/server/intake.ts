/** What files a form is asked for, on their way to the disk; other files in it are let pass. */
import type { Readable } from 'node:stream'
import type { Options } from 'multer'
import type { Staged } from '../../../journal/files/media.ts'
import { plainName } from '../../../packages/kit/files/file-name.ts'
import { HttpRefused } from '../schema/refused.ts'

/** A file as it came; it goes when the request has been answered, unless it was kept. */
export interface Upload {
  /** As the client called it: the last part of a path, never a path. */
  readonly name: string
  /** As the media type of the part names it. */
  readonly charset: string | null
  readonly staged: Staged
}

export const isUpload = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'staged' in value

export interface Intake extends Required<Pick<Options, 'storage' | 'fileFilter'>> {
  /** Once the form has been read, in the order they came in. */
  taken(): Promise<readonly Upload[]>
  /** No more of it is waited for. */
  cut(): void
  /** Removes what was not kept. Never rejects. */
  drop(): Promise<void>
}

interface Taking {
  /** Name of the part. */
  readonly part: string
  /** Of that name. */
  readonly mostFiles: number
  /** Bytes of each. */
  readonly most: number
  /** Of the part that has just begun. */
  readonly charset: () => string | null
  readonly stage: (chunks: AsyncIterable<Uint8Array>) => Promise<Staged>
  /** Told at once why it cannot be taken: the parser would wait for the rest of what is coming. */
  readonly fail: (error: Error) => void
}

export const createIntake = ({ part, mostFiles, most, charset, stage, fail }: Taking): Intake => {
  let wanted = 0
  let stream: Readable | undefined
  const staging: (Pick<Upload, 'name' | 'charset'> & { readonly staged: Promise<Staged> })[] = []
  return {
    storage: {
      _handleFile: (_request, file, done) => {
        stream = file.stream
        const staged = stage(within(stream, most))
        staging.push({ name: plainName(file.originalname), charset: charset(), staged })
        staged.then(
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
      const takes = fieldname === part && wanted < mostFiles
      if (takes) wanted += 1
      done(null, takes)
    },
    taken: () => Promise.all(staging.map(async ({ staged, ...one }) => ({ ...one, staged: await staged }))),
    // Once a request has been answered, nobody tells the parser that the rest will not come.
    cut: () => void stream?.destroy(),
    drop: async () => {
      for (const { staged } of staging) await (await staged.catch(() => undefined))?.drop()
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
