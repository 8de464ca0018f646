/** Extracts the meaningful words of a text and counts the words that two texts share. */

const commonWords = new Set(
  `a an the and or but if of to in on at by for from with about into is are was were be been am do does did have has had i you he she it we they me him her us
  them my your his its our their this that these those what when where who whom which why how s t m re ve d ll not no yes so as than then there here can could would should
  will shall may might must please tell know remember said say told mention mentioned think talk talked anything something everything again ever just also too very`.split(
    /\s+/,
  ),
)

const commonGermanWords = new Set(
  `der die das den dem des ein eine einen einem einer eines und oder aber wenn von in im am an auf bei mit zu zum zur nach aus um uber ist sind war waren bin bist hat hast habe haben hatte hatten
  ich mich mir du dich dir er sie es wir uns ihr ihnen man mein meine meinen meinem meiner meines dein deine deinen deinem deiner ihre ihren ihrem ihrer ihres unser unsere was wann wo wer wen wem wie
  warum welche welcher nicht kein keine keinen ja nein so als dann da hier kann konnen wird werden soll muss bitte sag sagen weißt weiß merk gesagt erzahlt erwahnt gesprochen geredet etwas nichts alles
  noch nur auch schon sehr dass gerne gern namens fur sich`.split(/\s+/),
)
/** Words that only German texts have. Without one, "die", "war" and "man" are words with a meaning. */
const germanMark =
  /(?:^|[^\p{L}])(?:ich|du|der|das|den|dem|des|ist|sind|und|nicht|mein\p{L}*|dein\p{L}*|ihr|ihre\p{L}?|mit|für|über|wie|wann|wer|eine?n?|von|auf|heißt|mag|wohnt)(?![\p{L}])/iu

/** Returns lowercase words without accents and plural endings. */
export const significantWords = (text: string): readonly string[] => {
  const common = germanMark.test(text) ? commonGermanWords : commonWords
  return allWords(text)
    .filter((word) => !common.has(word))
    .map((word) =>
      word.length > 3 ? word.replace(/(?<=[^s])s$/, '').replace(/^(fav|col|neighb)or/, '$1our') : word,
    )
}

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
