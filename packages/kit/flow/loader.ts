/**
 * Returns a function that loads something once. After a failure, the next call tries again: a file may be
 * missing only while it is replaced, and open files may be exhausted only for a moment.
 */
export const createLoader = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
