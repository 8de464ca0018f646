/** The texts about recovery words and restoring a persona in German. */
import type { RestoreStrings } from './restore-en.ts'

export const text: RestoreStrings = {
  words: {
    bar: 'Noch nicht gesichert',
    barOpen: 'Wiederherstellungswörter sichern',
    hide: 'In einer Woche erinnern',
    title: (name: string) => `Die 24 Wiederherstellungswörter von ${name}`,
    body: (name: string) =>
      `Jede Nacht wird eine Sicherung von ${name} geschrieben, das Tagebuch. Nur diese Wörter öffnen es. Sie sind sonst nirgends gespeichert: Schreib sie auf und bewahre sie so sicher auf wie einen Schlüssel.`,
    list: 'Die 24 Wiederherstellungswörter in ihrer Reihenfolge',
    copy: 'Kopieren',
    copied:
      'Kopiert. Die Zwischenablage lesen viele: Füge die Wörter bald ein und kopiere dann etwas anderes.',
    notCopied: 'Kopieren ist hier nicht erlaubt. Bitte markiere den Text.',
    save: 'Als Datei sichern',
    saved: 'Gesichert. Leg die Datei dorthin, wo andere sie nicht lesen können.',
    print: 'Drucken',
    fileName: (name: string) => `${name} Wiederherstellungswörter.txt`,
    kept: 'Ich habe sie',
    later: 'Später',
    askTitle: 'Hast du sie alle?',
    askBody: 'Bitte gib drei der Wörter ein, um zu prüfen, ob du sie gesichert hast.',
    word: (place: number) => `Wort ${place}`,
    check: 'Weiter',
    look: 'Die Wörter noch einmal zeigen',
    wrong: (places: string, one: boolean) =>
      one ? `Wort ${places} stand dort anders.` : `Die Wörter ${places} standen dort anders.`,
    and: ' und ',
    done: (name: string) => `Gut. Mit diesen Wörtern lässt sich ${name} immer zurückholen.`,
    paper: (name: string, date: string) =>
      `Wiederherstellungswörter von ${name}, ${date}. Zusammen mit einer .diary-Datei bringen sie ${name} zurück. Wer beides hat, kann alles lesen.`,
  },

  restore: {
    title: 'Jemanden zurückholen',
    body: 'Ein Tagebuch und seine 24 Wörter bringen alles zurück, was je gemerkt wurde.',
    file: 'Das Tagebuch',
    choose: 'Eine .diary-Datei wählen',
    another: 'Eine andere Datei wählen',
    drop: 'oder hierher ziehen',
    dropNow: 'Das Tagebuch hier loslassen',
    fileMissing: 'Bitte wähle das Tagebuch, eine Datei, die auf .diary endet.',
    oneFile: 'Bitte nur ein Tagebuch auf einmal.',
    empty: 'Diese Datei ist leer.',
    odd: 'Diese Datei endet nicht auf .diary. Ist sie trotzdem ein Tagebuch, mach weiter.',
    size: (megabytes: string) => `${megabytes} MB`,
    words: 'Die 24 Wiederherstellungswörter',
    wordsHint:
      'Tipp oder füg sie in ihrer Reihenfolge ein. Großschreibung, Kommas, Nummern und Zeilen sind egal.',
    wordsMissing: 'Bitte gib die 24 Wörter ein.',
    checkWords: 'Bitte prüfe die 24 Wörter: Der Fehler steht darunter.',
    count: (count: number) => `${count} von 24 Wörtern`,
    tooMany: (count: number) => `${count} Wörter: ${count - 24} zu viel. Steht eines doppelt da?`,
    unknown: (place: number, word: string) => `Wort ${place}, „${word}“, ist keines der 2048 Wörter.`,
    perhaps: 'Vielleicht',
    replace: (place: number, word: string) => `Wort ${place} durch „${word}“ ersetzen`,
    checksum:
      'Alle 24 Wörter stehen in der Liste, aber sie gehören nicht zusammen. Vielleicht wurde eines verwechselt, oder zwei haben die Plätze getauscht.',
    whole: 'Alle 24 Wörter stimmen.',
    mind: 'Wähle ihn neu: In einem Tagebuch stehen keine Schlüssel.',
    back: 'Zurückholen',
    sending: (percent: number) => `Das Tagebuch wird übertragen, ${percent} %`,
    opening: 'Das Tagebuch wird geöffnet, jede Seite wird geprüft…',
    doing: 'Wird zurückgeholt…',
    done: (name: string) => `${name} ist zurück.`,
    cancel: 'Anhalten',
    stopped: 'Angehalten. Nichts wurde geändert.',
    broke: 'Das Tagebuch kam nicht an. Vielleicht wurde die Datei seit der Auswahl geändert oder verschoben.',
    orNew: 'Oder jemand Neues wecken',
  },

  phrase: {
    title: (name: string) => `Neue Wörter für ${name}`,
    body: (name: string) =>
      `Die ersten 24 Wörter von ${name} wurden nie bestätigt, und diese Seite bewahrt sie nicht auf. Du kannst jederzeit neue machen: Sofort wird ein neues Tagebuch geschrieben, und nur sie öffnen es.`,
    older:
      'Falls du die ersten Wörter doch aufgeschrieben hast: Die bisherigen Tagebücher öffnen sie weiterhin, künftige nicht mehr.',
    make: 'Neue Wörter machen',
    making: 'Ein neues Tagebuch wird geschrieben…',
    haveThem: 'Ich habe die ersten',
    failed: 'Die neuen Wörter konnten nicht gemacht werden.',
    olderLeft: (count: number) =>
      count === 1
        ? 'Ein älteres Tagebuch ist noch da, das nur die früheren Wörter öffnen.'
        : `${count} ältere Tagebücher sind noch da, die nur die früheren Wörter öffnen.`,
  },
}
