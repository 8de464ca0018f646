/** The encodings of RTF text: code pages (`\ansicpg`, `\cpg`) and character sets of fonts (`\fcharset`). */
import { encodingLabel } from './encodings.ts'

/** By the number of a Windows code page; those without a decoder are taken for Windows-1252. */
export const codePageLabel = (page: number | undefined): string =>
  encodingLabel(pages[page ?? 1252] ?? `windows-${page}`) ?? 'windows-1252'

const pages: Readonly<Record<number, string>> = {
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20866: 'koi8-r',
  21866: 'koi8-u',
  28592: 'iso-8859-2',
  28595: 'iso-8859-5',
  54936: 'gb18030',
  65001: 'utf-8',
}

/** Null: the encoding of the document. Source: RTF 1.9.1, Font Table. */
export const charsetLabel = (charset: number): string | null => {
  const page = charsets[charset]
  return page === undefined ? null : codePageLabel(page)
}

/** `\fcharset` of Symbol and Wingdings, whose bytes are no letters. */
export const symbolCharset = 2

const charsets: Readonly<Record<number, number>> = {
  0: 1252,
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
}
