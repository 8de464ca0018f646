/** German words about the user's data and files. */
import type { Words } from '../english/english-words.ts'
import { re, toExpression } from './expression.ts'
import { forget } from './memory-words.ts'

const ask =
  '(?:bitte |kannst du |könntest du |ich möchte |ich will |wie (?:kann|lösche|exportiere) ich |dass du )*'
const ownData =
  '(?:alle |all |sämtliche )?(?:mein(?:e[nmrs]?)?|die) (?:persönlichen |privaten )?(?:daten|informationen|konto|account|profil|verlauf|nachrichten|chats?|gespräche?)'

const persona = '(?:dich selbst|dich|daimon|diese persona)'
const allTalk = `(?:${ownData}|das gespräch|unser gespräch|unseren chat|alles,? was (?:ich|wir) (?:dir )?(?:gesagt|erzählt|geschrieben) haben?)`

const deletingTalk =
  'Was wir geschrieben haben, bleibt in unserem Gespräch, solange es mich gibt: Es verschwindet, wenn du mich auf der Seite unter Einstellungen löschst.'

export const privacy: Words['privacy'] = {
  deletesPersona: toExpression(
    `^${ask}(?:(?:lösche?|deinstalliere?|entferne?) (?:bitte )?${persona}|${persona} (?:löschen|entfernen|loswerden|deinstallieren)|${persona} löschst)\\??$`,
  ),
  deletesData: toExpression(
    `^${ask}(?:(?:lösche?|entferne?|vernichte) (?:bitte )?${allTalk}(?: bitte)?|${allTalk} (?:löschen|vernichten|entfernen))\\??$`,
  ),
  howToDelete:
    'Das geht nicht mit Worten: Du löschst mich auf der Seite unter Einstellungen. Alles, was ich weiß und was wir geschrieben haben, geht dann mit.',
  tellStored: (count) => {
    if (count === 0) return `Ich weiß nichts über dich, was ich vergessen könnte. ${deletingTalk}`
    const amount = count === 1 ? 'eine Sache' : `${count} Dinge`
    return `Ich weiß ${amount} über dich. Frag mich „Was weißt du über mich?“, dann siehst du es, und ich vergesse, was du willst. ${deletingTalk} Soll ich vergessen, was ich über dich weiß? ${forget.confirmationHint}`
  },
  storageQuestion: re`^(?:wo|wie|wie lange) (?:werden|wird|sind|speicherst|behältst|liegen|liegt|bleiben|landen) .{0,40}\b(?:daten|nachrichten|gespräche?|gespeichert|chats?|alles)\b.*$|^(?:speicherst|behältst|protokollierst) du\b.*$`,
  storage:
    'Alles liegt auf diesem Rechner, im Ordner des Daemons (DAIMON_HOME, sonst ~/.daimon), bis du es löschst. Auf der Seite siehst du unter „Gedächtnis“, was ich über dich weiß, und unter „Gespräch“, was wir geschrieben haben.',
  accessQuestion: re`^(?:ist (?:das|dieses gespräch|unser chat) (?:hier )?(?:privat|sicher|geheim|vertraulich|verschlüsselt)|wer (?:kann|darf|sieht|liest|hört) .{0,20}\b(?:das|mit|alles|uns|lesen|sehen)|(?:gibst|verkaufst|teilst|schickst|sendest|erzählst) du .{0,60}\b(?:weiter|daten|jemandem|jemand|anderen)|spionierst du|kann ich dir (?:vertrauen|trauen)|kannst du ein geheimnis (?:bewahren|für dich behalten))\b.*$`,
  access:
    'Was du mir schreibst, bleibt auf diesem Rechner: Ich bin ein paar Regeln im Daemon und schicke nichts irgendwohin. Verschlüsselt ist es dort nicht, wer deine Dateien lesen kann, kann es also lesen. Ein Chat über Telegram oder Discord läuft über deren Server, und das Modell eines Anbieters, wenn du mir eins gibst, bekommt unser Gespräch geschickt.',
  exportQuestion: toExpression(
    `^${ask}(?:(?:exportiere?|sichere?|kopiere?) (?:bitte )?${ownData}|${ownData} (?:exportieren|herunterladen|sichern|kopieren))\\??$`,
  ),
  export:
    'Eine verschlüsselte Kopie von allem, was ich bin, bekommst du auf der Seite unter Einstellungen, Sicherung. Unter „Gespräch“ siehst du, was wir geschrieben haben, unter „Gedächtnis“, was ich über dich weiß.',
}

export const files: Words['files'] = {
  isAbout: re`^(?:kann|könnte|darf|wie|was|kannst)\b[^?]{0,60}\b(?:datei(?:en)?|bild(?:er)?|fotos?|pdfs?|dokumente?|tabellen?|sprachnachrichten?|videos?)\b[^?]{0,60}\??$`,
  action: re`\b(?:schicken|senden|geben|zeigen|hochladen|teilen|anhängen|lesen|öffnen|sehen|ansehen|anschauen|verstehen|arten)\b`,
  specific: re`\b(?:dies\w*|das|die letzte|der|dem)\b`,
  explanation:
    'Du kannst mir hier auf der Seite Dateien schicken, sie bleiben in unserem Gespräch. Den Text von Dokumenten bekomme ich. Für den Rest gibt es Organe: Ein Auge sieht Bilder an, ein Ohr hört Aufnahmen, ein Forscher fasst Dokumente zusammen. Jedes ist ein Modell, das du mir unter Einstellungen gibst.',
}
