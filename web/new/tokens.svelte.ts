/** Tokens of bots that whoever begins is to be reached by. */
export class Tokens {
  telegram = $state('')
  discord = $state('')

  /** As the daemon calls them; what is empty was not said. */
  read(): Readonly<Record<string, string>> {
    const said = { telegram_token: this.telegram.trim(), discord_token: this.discord.trim() }
    return Object.fromEntries(Object.entries(said).filter(([, token]) => token !== ''))
  }
}
