/** The texts about choosing a new persona, the first messages and who a persona is, in German. */
import type { WelcomeStrings } from './welcome-en.ts'

export const text: WelcomeStrings = {
  begin: {
    title: 'Wen möchtest du kennenlernen?',
    lead: 'Eine KI, die sich an eure Gespräche erinnert, an deine Termine denkt und auf diesem Rechner läuft. Du kannst später alles ändern.',
    characters: 'Charaktere',
    samples: 'So klingt das',
    own: 'Eigener Charakter',
    ownWhat: 'Name, Charakter und Modell nach deiner Wahl.',
    card: 'Aus einer Karte',
    cardWhat: 'Eine Charakterkarte, PNG oder JSON.',
    reading: 'Die Karte wird gelesen …',
    fromCard: (card: string) => `Charakterkarte „${card}“`,
    cardUnnamed: 'Aus einer Karte ohne Namen',
    back: 'Aus Sicherungsdatei wiederherstellen',
    backWhat: 'Dazu gehören 24 Wiederherstellungswörter.',
    model: (name: string) => `Welches Modell soll ${name} benutzen?`,
    looking: 'Modelle auf diesem Rechner werden gesucht …',
    here: 'Auf diesem Rechner: privat und kostenlos.',
    served: (program: string) => `In ${program}, auf diesem Rechner.`,
    practice: 'Übungsmodell',
    practiceWhat:
      'Sofort da, ohne Download. Es folgt einfachen Regeln: Es merkt sich Termine und Tatsachen, versteht aber nicht wirklich.',
    download: (title: string, size: string) => `${title} (${size})`,
    downloadWhat:
      'Ein echtes Modell, privat und kostenlos. Es wird geladen, während du mit dem Übungsmodell sprichst, und übernimmt dann.',
    thinks: (model: string) => `Modell: ${model}`,
    key: 'Mit einem Schlüssel von Anthropic, OpenAI, Google oder xAI',
    start: (name: string) => `Mit ${name} sprechen`,
    starting: (name: string) => `${name} wird gestartet …`,
    pictureFailed: 'Das Bild der Karte ließ sich nicht als Porträt speichern.',
  },

  examples: {
    label: 'Sag es im Gespräch, zum Beispiel',
    memory: [
      'Merk dir, dass meine Schwester Ana heißt.',
      'Merk dir, dass ich kein Fleisch esse.',
      'Merk dir, dass du mich früh wecken darfst.',
    ],
    calendar: [
      'Erinnere mich morgen um neun daran, den Zahnarzt anzurufen.',
      'Erinnere mich jeden Montag um acht daran, die Mülltonne rauszustellen.',
      'Am Freitag um drei bin ich beim Arzt.',
    ],
    instructions: [
      'Wenn ich nach einem Rezept frage, nenn die Mengen immer für zwei.',
      'Wenn ich traurig bin, gib nicht gleich Ratschläge.',
    ],
  },

  who: {
    character: 'Charakter',
    noCharacter: (name: string) => `${name} hat noch keinen eigenen Charakter: freundlich und schlicht.`,
    fromCard: (card: string) => `Aus der Karte „${card}“.`,
    more: 'Alles zeigen',
    change: 'Ändern',
    voice: 'Stimme',
    speaks: (model: string) => `Spricht mit ${model}.`,
    noVoice: 'Schreibt nur. Dein Browser kann Nachrichten vorlesen.',
    giveVoice: 'Stimme hinzufügen',
    since: (date: string) => `Erstellt am ${date}`,
    knows: (name: string) => `Was ${name} von dir weiß`,
    knowsNothing: (name: string) => `Noch nichts. ${name} merkt sich, was du von dir erzählst.`,
    all: (count: number) => (count === 1 ? 'Die Aussage ansehen' : `Alle ${count} Aussagen ansehen`),
  },

  portrait: {
    title: 'Porträt',
    choose: 'Bild auswählen …',
    paste: 'Du kannst auch eines hier einfügen.',
    draw: 'Zeichnen lassen',
    drawing: 'Es wird gezeichnet …',
    noDrawing: (name: string) => `${name} kann noch nicht zeichnen.`,
    giveDrawing: 'Zeichnen hinzufügen',
    proposal: 'Das gezeichnete Porträt',
    use: 'Nehmen',
    another: 'Noch einmal zeichnen',
    dismiss: 'Nein, danke',
    remove: 'Porträt entfernen',
    saving: { doing: 'Das Porträt wird gespeichert …', done: 'Gespeichert.' },
    removing: { doing: 'Das Porträt wird entfernt …', done: 'Entfernt.' },
    unreadable: 'Diese Datei ist kein Bild, das sich hier zeigen lässt. Wähle ein PNG, JPEG, WebP oder GIF.',
    fromCard: 'Das Bild der Karte als Porträt verwenden',
  },
}
