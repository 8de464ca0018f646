/** Extracts the meaningful words of a text and counts the words that two texts share. */

const commonWords = new Set(
  `a an the and or but if of to in on at by for from with about into is are was were be been am do does did have has had i you he she it we they me him her us
  them my your his its our their this that these those what when where who whom which why how s t m re ve d ll not no yes so as than then there here can could would should
  will shall may might must please tell know remember said say told mention mentioned think talk talked anything something everything again ever just also too very`.split(
    /\s+/,
  ),
)

/** Returns lowercase words without accents and plural endings. */
export const significantWords = (text: string): readonly string[] =>
  allWords(text)
    .filter((word) => !commonWords.has(word))
    .map((word) =>
      word.length > 3 ? word.replace(/(?<=[^s])s$/, '').replace(/^(fav|col|neighb)or/, '$1our') : word,
    )

/** Most English text has no accents. Skipping their removal is much faster. */
const allWords = (text: string): readonly string[] =>
  (/^[ -~\s]*$/.test(text)
    ? text.toLowerCase().match(/[a-z0-9]+/g)
    : text
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)) ?? []

export const overlap = (text: string, otherText: string): number => {
  const otherWords = new Set(significantWords(otherText))
  return new Set(significantWords(text).filter((word) => otherWords.has(word))).size
}
