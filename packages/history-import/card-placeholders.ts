/** Replaces the placeholders of character cards by names. */
export const fillPlaceholders = (text: string, name: string, user = 'the user'): string =>
  text.replace(/\{\{char\}\}|<(?:BOT|CHAR)>/gi, () => name).replace(/\{\{user\}\}|<USER>/gi, () => user)
