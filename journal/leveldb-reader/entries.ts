export type Item = readonly [key: Buffer, value: Buffer]

/** One operation of a batch. */
export type Op =
  | { readonly type: 'put'; readonly key: Buffer; readonly value: Buffer }
  | { readonly type: 'del'; readonly key: Buffer }
