/** A short message over the page, shown once. */
let noticeText = $state('')
let quiet: ReturnType<typeof setTimeout> | undefined

export const notice = {
  get words(): string {
    return noticeText
  },
}

/** Hides a message if it is still shown. */
export const hideNotice = (message: string): void => {
  if (noticeText === message) noticeText = ''
}

export const showNotice = (message: string): void => {
  clearTimeout(quiet)
  noticeText = message
  quiet = setTimeout(() => {
    noticeText = ''
  }, 8_000)
}
