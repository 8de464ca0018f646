/** Makes invisible and bidirectional control characters of third-party text visible. */

/** The same characters as in messages to chat platforms. Line breaks and tabs stay. */
const hiddenSigns = /(?![\n\t])[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu

export const visible = (text: string): string =>
  text.replace(hiddenSigns, (sign) =>
    sign === '\r' ? '' : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
