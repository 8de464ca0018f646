/** Versions of the indexes, apart from their code, which is loaded with the first use. */

/** Of the word index. Increment it when the words of a text or the stored format change. */
export const indexVersion = 4
/** Of the vectors. */
export const vectorsVersion = 3
/** Of the index of links. Increment it when the links of a fact or the stored format change. */
export const linksVersion = 1
