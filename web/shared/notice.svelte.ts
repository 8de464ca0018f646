/** A short message over the page, shown once. */

/** An action that the message offers, such as to undo. */
interface NoticeAction {
  readonly label: string
  readonly act: () => void
}

let noticeText = $state('')
let action = $state.raw<NoticeAction | null>(null)
let quiet: ReturnType<typeof setTimeout> | undefined

export const notice = {
  get words(): string {
    return noticeText
  },
  get action(): NoticeAction | null {
    return action
  },
  /** While the pointer or the focus is on the message, it stays. */
  hold: (): void => clearTimeout(quiet),
  release: (): void => {
    clearTimeout(quiet)
    quiet = setTimeout(() => hideNotice(), action ? withActionMs : shownMs)
  },
  act: (): void => {
    const chosenAction = action
    hideNotice()
    chosenAction?.act()
  },
}

const shownMs = 8_000
const withActionMs = 15_000

/** Hides a message if it is still shown; any message by default. */
export const hideNotice = (message = noticeText): void => {
  if (noticeText !== message) return
  clearTimeout(quiet)
  noticeText = ''
  action = null
}

export const showNotice = (message: string, offeredAction: NoticeAction | null = null): void => {
  noticeText = message
  action = offeredAction
  notice.release()
}
