/** The texts about the character of a persona in German. */
import type { CharacterStrings } from './character-en.ts'

export const text: CharacterStrings = {
  character: {
    fold: 'Charakter',
    foldHint: 'Freiwillig: Ohne ihn ist der Ton freundlich und schlicht. Du kannst ihn jederzeit ändern.',
    lead: (name) =>
      `Wer ${name} ist und wie ${name} spricht. Was du dir im Gespräch wünschst, geht vor. Erlaubnisse gibt der Charakter keine.`,
    choose: 'Wähle einen als Anfang',
    words: 'Charakter und Sprechweise',
    wordsHint:
      'Als Anrede geschrieben: „Du bist …“. Was wichtig ist, die Sprechweise und bis zu fünf Beispiele. {{char}} steht für den Namen, {{user}} für dich.',
    count: (used, most) => `${used} von ${most} Zeichen`,
    card: 'Charakterkarte lesen…',
    cardHint: 'Eine Datei als PNG oder JSON, wie sie SillyTavern und andere verwenden.',
    reading: 'Die Karte wird gelesen…',
    fromCard: (card) => `Aus der Karte „${card}“. Diesen Text hat ihr Autor geschrieben, nicht du.`,
    lore: (count) =>
      count === 1
        ? 'Ein Eintrag ihres Lexikons kommt zu Nachrichten dazu, die ihn nennen.'
        : `${count} Einträge ihres Lexikons kommen zu Nachrichten dazu, die sie nennen.`,
    greeting: 'Die erste Nachricht ist die der Karte.',
    cut: (field, characters) => `${field}: ${characters} Zeichen passten nicht hinein und fehlen.`,
    field: {
      description: 'Beschreibung',
      personality: 'Persönlichkeit',
      scenario: 'Szenario',
      mes_example: 'Beispiele',
      first_mes: 'Erste Nachricht',
    },
    loreLeftOut: (count) => `Lexikon: ${count} Einträge fehlen oder wurden gekürzt.`,
    save: 'Charakter speichern',
    saving: { doing: 'Wird gespeichert…', done: 'Gespeichert. Er gilt ab der nächsten Nachricht.' },
    remove: 'Charakter entfernen',
    removing: { doing: 'Wird entfernt…', done: 'Entfernt.' },
    tooLong: (most) => `Der Text ist zu lang: höchstens ${most} Zeichen.`,
  },
}
