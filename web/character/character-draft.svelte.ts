/** The character that the user is writing, choosing or reading from a card. */
import { type Card, type Character, readCard } from './cards.ts'

export class CharacterDraft {
  text = $state('')
  lore = $state.raw<Character['lore']>([])
  /** Name of the character card that the text comes from. */
  card = $state.raw<string | null>(null)
  /** The first message of the card. */
  greeting = $state('')
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
    this.leftOut = null
    this.trouble = ''
  }

  /** Returns the character for a new persona. */
  read() {
    return { text: this.text.trim(), lore: this.lore, card: this.card, greeting: this.greeting }
  }

  choose(text: string): void {
    this.show({ text, lore: [], card: null })
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
    this.leftOut = { cut, lore_left_out }
    return name
  }
}
