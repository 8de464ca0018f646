/** The bot tokens of a new persona. */
export class Tokens {
  telegram = $state('')
  discord = $state('')

  /** Returns the request's fields. Omits empty ones. */
  read(): Readonly<Record<string, string>> {
    const fields = { telegram_token: this.telegram.trim(), discord_token: this.discord.trim() }
    return Object.fromEntries(Object.entries(fields).filter(([, token]) => token !== ''))
  }
}
