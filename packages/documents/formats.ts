/** Lists the supported file formats with their organ, media type and extensions. */

export type Sense = 'image' | 'audio' | 'document'

const kinds = {
  png: { sense: 'image', mime: 'image/png', called: 'a PNG picture', extensions: ['png', 'apng'] },
  jpeg: {
    sense: 'image',
    mime: 'image/jpeg',
    called: 'a JPEG picture',
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif'],
  },
  gif: { sense: 'image', mime: 'image/gif', called: 'a GIF picture', extensions: ['gif'] },
  webp: { sense: 'image', mime: 'image/webp', called: 'a WebP picture', extensions: ['webp'] },
  heic: { sense: 'image', mime: 'image/heic', called: 'a HEIC picture', extensions: ['heic'] },
  heif: { sense: 'image', mime: 'image/heif', called: 'a HEIF picture', extensions: ['heif', 'hif'] },
  avif: { sense: 'image', mime: 'image/avif', called: 'an AVIF picture', extensions: ['avif'] },

  wav: { sense: 'audio', mime: 'audio/wav', called: 'a WAV recording', extensions: ['wav'] },
  mp3: { sense: 'audio', mime: 'audio/mpeg', called: 'an MP3 recording', extensions: ['mp3'] },
  m4a: { sense: 'audio', mime: 'audio/mp4', called: 'an M4A recording', extensions: ['m4a'] },
  ogg: { sense: 'audio', mime: 'audio/ogg', called: 'an Ogg recording', extensions: ['ogg', 'oga', 'opus'] },
  webm: { sense: 'audio', mime: 'audio/webm', called: 'a WebM recording', extensions: ['webm', 'weba'] },
  flac: { sense: 'audio', mime: 'audio/flac', called: 'a FLAC recording', extensions: ['flac'] },
  aac: { sense: 'audio', mime: 'audio/aac', called: 'an AAC recording', extensions: ['aac'] },

  pdf: { sense: 'document', mime: 'application/pdf', called: 'a PDF document', extensions: ['pdf'] },
  docx: {
    sense: 'document',
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    called: 'a Word document',
    extensions: ['docx', 'docm', 'dotx', 'dotm'],
  },
  xlsx: {
    sense: 'document',
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    called: 'an Excel workbook',
    extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  },
  pptx: {
    sense: 'document',
    mime: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    called: 'a PowerPoint presentation',
    extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
  },
  odt: {
    sense: 'document',
    mime: 'application/vnd.oasis.opendocument.text',
    called: 'an OpenDocument text',
    extensions: ['odt', 'ott'],
  },
  ods: {
    sense: 'document',
    mime: 'application/vnd.oasis.opendocument.spreadsheet',
    called: 'an OpenDocument spreadsheet',
    extensions: ['ods', 'ots'],
  },
  odp: {
    sense: 'document',
    mime: 'application/vnd.oasis.opendocument.presentation',
    called: 'an OpenDocument presentation',
    extensions: ['odp', 'otp'],
  },
  epub: { sense: 'document', mime: 'application/epub+zip', called: 'an EPUB book', extensions: ['epub'] },
  mail: {
    sense: 'document',
    mime: 'message/rfc822',
    called: 'a mail',
    extensions: ['eml', 'mht', 'mhtml'],
  },
  outlook: {
    sense: 'document',
    mime: 'application/vnd.ms-outlook',
    called: 'an Outlook mail',
    extensions: ['msg'],
  },
  rtf: { sense: 'document', mime: 'application/rtf', called: 'an RTF document', extensions: ['rtf'] },
  text: {
    sense: 'document',
    mime: 'text/plain',
    called: 'plain text',
    extensions: [
      ...[
        'txt',
        'text',
        'md',
        'markdown',
        'rst',
        'adoc',
        'tex',
        'org',
        'log',
        'csv',
        'tsv',
        'srt',
        'vtt',
        'ics',
        'vcf',
      ],
      ...[
        'json',
        'jsonl',
        'ndjson',
        'geojson',
        'xml',
        'svg',
        'html',
        'htm',
        'xhtml',
        'fodt',
        'fods',
        'yaml',
        'yml',
        'toml',
        'ini',
      ],
      ...[
        'conf',
        'cfg',
        'env',
        'properties',
        'diff',
        'patch',
        'sql',
        'sh',
        'bash',
        'zsh',
        'bat',
        'ps1',
        'js',
        'mjs',
        'cjs',
        'jsx',
        'tsx',
      ],
      ...[
        'css',
        'scss',
        'less',
        'svelte',
        'vue',
        'py',
        'ipynb',
        'rb',
        'php',
        'pl',
        'lua',
        'r',
        'java',
        'kt',
        'scala',
        'swift',
        'go',
        'rs',
      ],
      ...['c', 'h', 'cc', 'cpp', 'hpp', 'cs', 'gradle', 'cmake', 'asm', 'bib', 'po', 'gpx', 'kml'],
    ],
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly sense: Sense
      readonly mime: string
      readonly called: string
      readonly extensions: readonly string[]
    }
  >
>

export type Format = keyof typeof kinds
export type FormatOf<S extends Sense> = {
  [F in Format]: (typeof kinds)[F]['sense'] extends S ? F : never
}[Format]
export type DocumentFormat = FormatOf<'document'>

export interface Kind {
  readonly sense: Sense
  readonly mime: string
  /** Name for users, with its article. */
  readonly called: string
}

export const getKind = (format: Format): Kind => kinds[format]

const byExtension = new Map<string, Format>()
for (const format of Object.keys(kinds) as Format[])
  for (const extension of kinds[format].extensions) byExtension.set(extension, format)

/** Returns the format of an extension (lower case, without the dot), or undefined if it is unknown. */
export const formatOfExtension = (extension: string): Format | undefined => byExtension.get(extension)

export const officeFormats: readonly Format[] = ['docx', 'xlsx', 'pptx']
export const zipFormats: readonly Format[] = [...officeFormats, 'odt', 'ods', 'odp', 'epub']
