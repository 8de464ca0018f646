/** Maps RTF code pages (`\ansicpg`, `\cpg`) and character sets of fonts (`\fcharset`) to encodings. */
import { encodingLabel } from './encodings.ts'

/** Returns the label of a Windows code page. Code pages without a decoder give Windows-1252. */
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

/**
 * Returns the label for a Windows language id (MS-LCID). Only the lower ten bits are used: the others are the
 * country.
 */
export const languageLabel = (language: number): string =>
  codePageLabel(language === 0x0404 || language === 0x0c04 ? 950 : languagePages[language & 0x3ff])

const languagePages: Readonly<Record<number, number>> = {
  1: 1256,
  2: 1251,
  4: 936,
  5: 1250,
  8: 1253,
  13: 1255,
  14: 1250,
  17: 932,
  18: 949,
  21: 1250,
  24: 1250,
  25: 1251,
  26: 1250,
  27: 1250,
  30: 874,
  31: 1254,
  34: 1251,
  35: 1251,
  36: 1250,
  37: 1257,
  38: 1257,
  39: 1257,
  41: 1256,
  42: 1258,
}

/** Returns null if the encoding of the document applies. Source: RTF 1.9.1, Font Table. */
export const charsetLabel = (charset: number): string | null => {
  const page = charsets[charset]
  return page === undefined ? null : codePageLabel(page)
}

/** `\fcharset` of Symbol and Wingdings, whose bytes are symbols instead of letters. */
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
