/** A short message over the page, shown once. */
let words = $state('')
let quiet: ReturnType<typeof setTimeout> | undefined

export const notice = {
  get words(): string {
    return words
  },
}

export const showNotice = (message: string): void => {
  clearTimeout(quiet)
  words = message
  quiet = setTimeout(() => {
    words = ''
  }, 8_000)
}
