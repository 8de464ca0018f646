/** The texts about skills in German. */
import type { SkillStrings } from './skills-en.ts'

export const text: SkillStrings = {
  lead: (name) =>
    `Eine Fertigkeit ist ein Ordner mit Anleitungen, in der Form von agentskills.io (dort „Skill“). Sobald du sie eingeschaltet hast, liest ${name} sie, wenn sie zur Situation passt. Nichts darin wird ausgeführt, und sie gibt keine Erlaubnisse, egal was darin steht.`,
  empty: (name) => `${name} hat noch keine Fertigkeiten.`,
  file: 'Fertigkeit hinzufügen: ein Zip ihres Ordners oder ihre SKILL.md',
  fileHint: 'Wähle eine Datei oder zieh sie hierher. Du siehst alles, bevor es benutzt wird.',
  adding: {
    doing: 'Wird hinzugefügt …',
    done: 'Hinzugefügt. Sieh sie dir an und schalte sie ein, wenn du damit einverstanden bist.',
  },
  changed: (skill) =>
    `${skill} hat sich geändert und ist ausgeschaltet. Sieh sie dir noch einmal an, bevor du sie einschaltest.`,
  same: (skill) => `${skill} ist schon da, unverändert.`,
  on: 'Eingeschaltet',
  off: 'Nicht eingeschaltet',
  look: 'Ansehen',
  lookOne: (skill) => `${skill} ansehen`,
  close: 'Schließen',
  closeOne: (skill) => `${skill} schließen`,
  whole: (count) => (count === 1 ? 'Das ist die ganze Fertigkeit.' : `Das sind alle ihre ${count} Dateien.`),
  script: 'Ein Skript: Es kann gelesen werden und wird nicht ausgeführt.',
  binary: (bytes) => `Kein Text, ${bytes} Bytes: wird nicht gelesen.`,
  enable: 'So einschalten',
  enableOne: (skill) => `${skill} so einschalten`,
  enabling: { doing: 'Wird eingeschaltet …', done: 'Eingeschaltet.' },
  disable: 'Ausschalten',
  disableOne: (skill) => `${skill} ausschalten`,
  disabling: { doing: 'Wird ausgeschaltet …', done: 'Ausgeschaltet.' },
  remove: 'Entfernen',
  removeOne: (skill) => `${skill} entfernen`,
  removeWarning: (name) => `Auch ihre Dateien werden gelöscht, und ${name} kann sie nicht mehr benutzen.`,
  removing: { doing: 'Wird entfernt …', done: 'Entfernt.' },
  offered: 'Auf diesem Rechner',
  offeredHint: 'Aus ~/.agents/skills. Keine davon wird benutzt, bevor du sie hinzufügst und einschaltest.',
  add: 'Hinzufügen',
  addOne: (skill) => `${skill} hinzufügen`,
}
