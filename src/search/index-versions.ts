/** Versions of the search indexes, apart from their code, which is loaded with the first search. */

/** Of the word index. Increment it when the words of a text or the stored format change. */
export const indexVersion = 4
/** Of the vectors. */
export const vectorsVersion = 3
