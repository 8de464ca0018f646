/** Bytes as people say them. */
const units = ['bytes', 'KB', 'MB', 'GB'] as const

export const sizeName = (bytes: number): string => {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const count = bytes / 1000 ** step
  return `${count >= 10 || step === 0 ? Math.round(count) : count.toFixed(1)} ${units[step]}`
}
