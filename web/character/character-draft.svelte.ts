/** The character that the user is writing, choosing or reading from a card. */
import { type Card, type Character, readCard } from './cards.ts'

export class CharacterDraft {
  text = $state('')
  lore = $state.raw<Character['lore']>([])
  /** Name of the character card that the text comes from. */
  card = $state.raw<string | null>(null)
  /** The first message of the card. */
  greeting = $state('')
  /** The file of the card, if it is a picture. */
  picture = $state.raw<File | null>(null)
  /** The parts of the card that did not fit. */
  leftOut = $state.raw<Pick<Card, 'cut' | 'lore_left_out'> | null>(null)
  reading = $state(false)
  trouble = $state('')

  get isEmpty(): boolean {
    return this.text.trim() === '' && this.lore.length === 0
  }

  /** Shows the saved character. */
  show({ text, lore, card }: Character): void {
    this.text = text
    this.lore = lore
    this.card = card
    this.greeting = ''
    this.picture = null
    this.leftOut = null
    this.trouble = ''
  }

  /** Returns the character for a new persona. */
  read() {
    return { text: this.text.trim(), lore: this.lore, card: this.card, greeting: this.greeting }
  }

  /** `greeting`: the first message of an offered character. */
  choose(text: string, greeting = ''): void {
    this.show({ text, lore: [], card: null })
    this.greeting = greeting
  }

  /** Returns the name on the card; null if it could not be read. The draft then stays as it is. */
  async readFile(file: File): Promise<string | null> {
    if (this.reading) return null
    this.reading = true
    const answer = await readCard(file)
    this.reading = false
    if (!answer.ok) {
      this.trouble = answer.failure.message
      return null
    }
    const { name, text, greeting, lore, cut, lore_left_out } = answer.value
    this.show({ text, lore, card: name || file.name })
    this.greeting = greeting
    this.picture = /\.png$/i.test(file.name) || file.type === 'image/png' ? file : null
    this.leftOut = { cut, lore_left_out }
    return name
  }
}
