/** Lets others have their turn; throws the reason of a signal that has come meanwhile. */
export const pause = async (signal: AbortSignal): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve))
  signal.throwIfAborted()
}
