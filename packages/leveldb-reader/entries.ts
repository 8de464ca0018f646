/** A key and its value. */
export type Item = readonly [key: Buffer, value: Buffer]

/** One write of a batch. */
export type Op =
  | { readonly type: 'put'; readonly key: Buffer; readonly value: Buffer }
  | { readonly type: 'del'; readonly key: Buffer }
