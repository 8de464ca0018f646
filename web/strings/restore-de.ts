/** The texts about recovery words and restoring a persona in German. */
import type { RestoreStrings } from './restore-en.ts'

export const text: RestoreStrings = {
  words: {
    title: (name: string) => `Die 24 Wiederherstellungswörter von ${name}`,
    body: (name: string) =>
      `Jede Nacht wird eine Sicherungsdatei von ${name} geschrieben. Nur diese Wörter öffnen sie. Sie sind sonst nirgends gespeichert: Schreib sie auf und bewahre sie so sicher auf wie einen Schlüssel.`,
    list: 'Die 24 Wiederherstellungswörter in ihrer Reihenfolge',
    copy: 'Kopieren',
    copied:
      'Kopiert. Andere Programme können die Zwischenablage lesen: Füge die Wörter bald ein und kopiere dann etwas anderes.',
    notCopied: 'Kopieren ist hier nicht erlaubt. Bitte markiere den Text.',
    save: 'Als Datei speichern',
    saved: 'Gespeichert. Leg die Datei dorthin, wo andere sie nicht lesen können.',
    print: 'Drucken',
    fileName: (name: string) => `${name} Wiederherstellungswörter`,
    kept: 'Ich habe sie',
    later: 'Später',
    askTitle: 'Hast du sie alle?',
    askBody: 'Bitte gib drei der Wörter ein, um zu prüfen, ob du sie aufgeschrieben hast.',
    word: (place: number) => `Wort ${place}`,
    check: 'Weiter',
    look: 'Die Wörter noch einmal zeigen',
    wrong: (places: string, one: boolean) =>
      one ? `Wort ${places} stimmt nicht.` : `Die Wörter ${places} stimmen nicht.`,
    and: ' und ',
    done: (name: string) => `Gut. Mit diesen Wörtern lässt sich ${name} immer wiederherstellen.`,
    paper: (name: string, date: string) =>
      `Wiederherstellungswörter von ${name}, ${date}. Zusammen mit einer Sicherungsdatei (.diary) stellen sie ${name} wieder her. Wer beides hat, kann alles lesen.`,
  },

  restore: {
    title: 'Aus Sicherungsdatei wiederherstellen',
    body: 'Eine Sicherungsdatei und ihre 24 Wiederherstellungswörter stellen eine Persona mit ihrem ganzen Gedächtnis wieder her.',
    file: 'Die Sicherungsdatei',
    choose: 'Eine .diary-Datei wählen',
    another: 'Eine andere Datei wählen',
    drop: 'oder hierher ziehen',
    dropNow: 'Die Sicherungsdatei hier loslassen',
    fileMissing: 'Bitte wähle die Sicherungsdatei. Ihr Name endet auf .diary.',
    oneFile: 'Bitte wähle nur eine Sicherungsdatei.',
    empty: 'Diese Datei ist leer.',
    odd: 'Der Name dieser Datei endet nicht auf .diary. Wenn sie trotzdem eine Sicherungsdatei ist, mach weiter.',
    size: (megabytes: string) => `${megabytes} MB`,
    words: 'Die 24 Wiederherstellungswörter',
    wordsHint:
      'Gib sie in ihrer Reihenfolge ein oder füge sie ein. Großschreibung, Kommas, Nummern und Zeilenumbrüche sind egal.',
    wordsMissing: 'Bitte gib die 24 Wiederherstellungswörter ein.',
    checkWords: 'Bitte prüfe die 24 Wiederherstellungswörter: Der Fehler steht darunter.',
    count: (count: number) => `${count} von 24 Wörtern`,
    tooMany: (count: number) => `${count} Wörter: ${count - 24} zu viel. Steht eines doppelt da?`,
    unknown: (place: number, word: string) => `Wort ${place}, „${word}“, ist keines der 2048 Wörter.`,
    perhaps: 'Vielleicht',
    replace: (place: number, word: string) => `Wort ${place} durch „${word}“ ersetzen`,
    checksum:
      'Alle 24 Wörter sind gültig, aber sie gehören nicht zusammen. Vielleicht ist eines falsch, oder zwei sind vertauscht.',
    whole: 'Alle 24 Wörter stimmen.',
    mind: 'Wähle es neu: Eine Sicherungsdatei enthält keine Schlüssel.',
    back: 'Wiederherstellen',
    sending: (percent: number) => `Die Sicherungsdatei wird gesendet, ${percent} %`,
    opening: 'Die Sicherungsdatei wird geöffnet und geprüft…',
    doing: 'Wird wiederhergestellt…',
    done: (name: string) => `${name} ist wiederhergestellt.`,
    cancel: 'Abbrechen',
    stopped: 'Abgebrochen. Nichts wurde geändert.',
    broke:
      'Die Sicherungsdatei ließ sich nicht senden. Vielleicht wurde sie seit der Auswahl geändert oder verschoben.',
    orNew: 'Oder eine neue Persona erstellen',
  },

  phrase: {
    title: (name: string) => `Neue Wiederherstellungswörter für ${name}`,
    body: (name: string) =>
      `Die ersten 24 Wiederherstellungswörter von ${name} wurden nie bestätigt, und diese Seite speichert sie nicht. Du kannst jederzeit neue erstellen: Dann wird sofort eine neue Sicherungsdatei geschrieben, die nur die neuen Wörter öffnen.`,
    older:
      'Falls du die ersten Wörter doch aufgeschrieben hast: Sie öffnen weiterhin die bisherigen Sicherungsdateien, aber keine späteren.',
    make: 'Neue Wiederherstellungswörter erstellen',
    making: 'Eine neue Sicherungsdatei wird geschrieben…',
    haveThem: 'Ich habe die ersten Wörter',
    failed: 'Die neuen Wörter konnten nicht erstellt werden.',
    olderLeft: (count: number) =>
      count === 1
        ? 'Eine ältere Sicherungsdatei ist noch da. Nur die früheren Wörter öffnen sie.'
        : `${count} ältere Sicherungsdateien sind noch da. Nur die früheren Wörter öffnen sie.`,
  },
}
