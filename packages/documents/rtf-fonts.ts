/** Tracks the fonts of an RTF document, which determine the encoding of its text. */
import { decodeBytes } from './encodings.ts'
import { charsetLabel, codePageLabel, symbolCharset } from './rtf-charsets.ts'

interface Font {
  /** Null means the encoding of the document. */
  label: string | null
  isSymbol: boolean
}

export interface RtfFonts {
  /** Sets the document's code page, for fonts without their own encoding. */
  setCodePage(page: number | undefined): void
  define(font: number): void
  setFontCharset(font: number | undefined, charset: number): void
  setFontCodePage(font: number | undefined, page: number | undefined): void
  decode(bytes: Buffer, font: number | undefined): string
}

export const createRtfFonts = (): RtfFonts => {
  const fonts = new Map<number, Font>()
  const findFont = (font: number | undefined) => fonts.get(font ?? -1)
  let page = codePageLabel(1252)
  return {
    setCodePage: (number) => {
      page = codePageLabel(number)
    },
    define: (font) => void fonts.set(font, { label: null, isSymbol: false }),
    setFontCharset: (number, charset) => {
      const font = findFont(number)
      if (!font) return
      font.isSymbol = charset === symbolCharset
      font.label = charsetLabel(charset)
    },
    setFontCodePage: (number, codePage) => {
      const font = findFont(number)
      if (font) font.label = codePageLabel(codePage)
    },
    decode: (bytes, number) => {
      const font = findFont(number)
      return font?.isSymbol ? decodeSymbols(bytes) : decodeBytes(bytes, font?.label ?? page)
    },
  }
}

/**
 * List items begin with a symbol of Symbol or Wingdings. Other symbols have no reliable Unicode equivalent.
 */
const decodeSymbols = (bytes: Buffer): string =>
  Array.from(bytes, (byte) => (byte > 0x20 && byte !== 0xa0 ? '•' : ' ')).join('')
