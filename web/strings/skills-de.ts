/** The texts about skills in German. */
import type { SkillStrings } from './skills-en.ts'

export const text: SkillStrings = {
  lead: (name) =>
    `Ein Skill ist ein Ordner mit Anleitungen, in der Form von agentskills.io. Sobald du ihn eingeschaltet hast, liest ${name} ihn, wenn er zur Lage passt. Nichts darin wird ausgeführt, und er gibt keine Erlaubnis, was immer darin steht.`,
  empty: (name) => `${name} hat noch keine Skills.`,
  file: 'Skill hinzufügen: ein Zip seines Ordners oder seine SKILL.md',
  fileHint: 'Wähle eine Datei oder zieh sie hierher. Du siehst alles, bevor es benutzt wird.',
  adding: {
    doing: 'Wird hinzugefügt …',
    done: 'Hinzugefügt. Sieh ihn dir an und schalte ihn ein, wenn du damit einverstanden bist.',
  },
  changed: (skill) =>
    `${skill} hat sich geändert und ist ausgeschaltet. Sieh ihn dir noch einmal an, bevor du ihn einschaltest.`,
  same: (skill) => `${skill} ist schon da, unverändert.`,
  on: 'Eingeschaltet',
  off: 'Nicht eingeschaltet',
  look: 'Ansehen',
  lookOne: (skill) => `${skill} ansehen`,
  close: 'Schließen',
  closeOne: (skill) => `${skill} schließen`,
  whole: (count) => (count === 1 ? 'Das ist der ganze Skill.' : `Das sind alle seine ${count} Dateien.`),
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
  removeWarning: (name) => `Auch seine Dateien werden gelöscht, und ${name} kann ihn nicht mehr benutzen.`,
  removing: { doing: 'Wird entfernt …', done: 'Entfernt.' },
  offered: 'Auf diesem Gerät',
  offeredHint: 'Aus ~/.agents/skills. Keiner davon wird benutzt, bevor du ihn hinzufügst und einschaltest.',
  add: 'Hinzufügen',
  addOne: (skill) => `${skill} hinzufügen`,
}
