/** The texts about importing conversations in German. */
import type { ImportStrings } from './import-en.ts'

export const text: ImportStrings = {
  import: {
    lead: (name: string) =>
      `${name} kann aus deinen Chats mit einer anderen KI lernen. Was darin über dich steht, kommt ins Gedächtnis, jede Aussage mit dem Chat, aus dem sie stammt. Die Chats selbst werden nicht kopiert.`,
    asleep: (name: string) => `Starte zuerst ${name}: Das Modell liest die Chats.`,
    toLife: 'Zur Einstellung',
    whence: 'Herkunft der Chats',
    from: {
      chatgpt: {
        name: 'ChatGPT',
        how: 'Dort: Einstellungen → Datenkontrollen → Daten exportieren. Ein Zip kommt per Mail.',
      },
      claude: {
        name: 'Claude',
        how: 'Dort: Einstellungen → Datenschutz → Daten exportieren. Ein Zip kommt per Mail.',
      },
      gemini: {
        name: 'Gemini',
        how: 'Auf takeout.google.com: Meine Aktivitäten → Gemini-Apps, als JSON, nicht als HTML. Nimm MyActivity.json.',
      },
      grok: {
        name: 'Grok',
        how: 'Dort: Einstellungen → Datenkontrollen → Kontodaten exportieren. Ein Link kommt per Mail; im Zip liegt prod-grok-backend.json.',
      },
      openwebui: {
        name: 'Open WebUI',
        how: 'Dort: Einstellungen → Datenkontrolle → Chats exportieren. Nimm das JSON.',
      },
      librechat: { name: 'LibreChat', how: 'Dort, in einem Chat: Exportieren, als JSON.' },
      sillytavern: {
        name: 'SillyTavern',
        how: 'Chats als JSONL, Figuren als PNG oder JSON, oder ein Zip des Ordners data/default-user. Eine Figur sagt höchstens, dass du sie hast.',
      },
      aistudio: {
        name: 'Google AI Studio',
        how: 'In Google Drive, im Ordner Google AI Studio: die Datei eines Prompts.',
      },
      claudecode: {
        name: 'Claude Code',
        how: 'Ein Zip des Ordners eines Projekts in ~/.claude/projects, oder die .jsonl einer Sitzung.',
      },
      codex: {
        name: 'Codex CLI',
        how: 'Ein Zip des Ordners ~/.codex/sessions, oder eine rollout-….jsonl.',
      },
      openclaw: {
        name: 'OpenClaw',
        how: 'Ein Zip des Arbeitsordners, oder MEMORY.md, USER.md, SOUL.md oder ein Tag aus memory/.',
      },
      hermes: {
        name: 'Hermes',
        how: 'Ein Zip von ~/.hermes, oder MEMORY.md, USER.md oder SOUL.md.',
      },
      eternego: {
        name: 'Eternego',
        how: 'Die Sicherungsdatei unter ihrem eigenen Namen, mit ihren Wiederherstellungswörtern, oder ein Zip des Ordners personas/…/home.',
      },
      characterai: {
        name: 'Character.AI',
        how: 'Eine Browser-Erweiterung, die Chats als JSON speichert. Nimm das JSON.',
      },
      letta: {
        name: 'Letta',
        how: 'Dort: Download agent file. Nimm die .af.',
      },
      locomo: {
        name: 'LoCoMo',
        how: 'Das JSON des Benchmarks.',
      },
      whatsapp: {
        name: 'WhatsApp',
        how: 'Im Chat: Chat exportieren, ohne Medien. Nimm die Datei unter ihrem Namen.',
      },
      telegram: {
        name: 'Telegram',
        how: 'In Telegram Desktop: bei einem Chat „Chatverlauf exportieren“, oder Einstellungen → Erweitert → Daten aus Telegram exportieren, als JSON. Nimm result.json.',
      },
      discord: {
        name: 'Discord',
        how: 'Einstellungen → Daten & Privatsphäre → Alle meine Daten anfordern, mit Nachrichten. Nimm die ZIP-Datei. Sie enthält nur, was du geschrieben hast.',
      },
      copilot: {
        name: 'Microsoft Copilot',
        how: 'account.microsoft.com/privacy → Copilot → Gesamten Aktivitätsverlauf exportieren. Nimm die CSV-Datei.',
      },
      other: {
        name: 'Eine andere KI',
        how: 'Nachrichten mit „role“ und „content“, als ein JSON oder eine in jeder Zeile, oder reiner Text mit „Name: Worte“ in jeder Zeile.',
      },
    },
    otherName: 'Ihr Name',
    phrase: 'Wiederherstellungswörter der Sicherungsdatei',
    phraseHint: 'Sie öffnen eine Datei, die auf .diary endet, und werden nicht gespeichert.',
    file: 'Die exportierte Datei',
    fileHint:
      'Das Zip, wie du es bekommen hast, oder die Datei darin. Zuerst siehst du den Inhalt; noch wird nichts importiert.',
    whoAreYou: 'Wer davon bist du?',
    whoAreYouHint: 'Die Datei sagt es nicht. Nur was du selbst geschrieben hast, kann ins Gedächtnis kommen.',
    noneOfThem: 'Keine Angabe',
    sending: 'Die Datei wird hochgeladen…',
    reading: 'Die Datei wird gelesen…',
    found: (count: number, open: number) =>
      open === count ? (count === 1 ? 'Ein Chat' : `${count} Chats`) : `${count} Chats, davon ${open} neu`,
    nothing: 'In dieser Datei sind keine Chats mit Nachrichten.',
    seek: 'Titel durchsuchen',
    all: 'Alle wählen',
    none: 'Keinen wählen',
    conversations: 'Chats in der Datei',
    untitled: 'Ohne Titel',
    known: 'schon bekannt',
    messages: (count: number) => (count === 1 ? '1 Nachricht' : `${count} Nachrichten`),
    noneFits: 'Kein Titel hat diese Wörter.',
    more: (count: number) => `${count} weitere zeigen`,
    cost: (name: string) =>
      `Das Modell von ${name} wird für jeden Chat einmal gefragt, für lange öfter. Bei einem Anbieter kostet das Geld.`,
    feed: (count: number) => (count === 1 ? 'Einen Chat importieren' : `${count} Chats importieren`),
    feeding: 'Importierte Chats',
    far: (done: number, total: number) => `${done} von ${total} importiert…`,
    mayLeave: (name: string) =>
      `Du kannst inzwischen mit ${name} sprechen. Lass diese Seite offen: Wenn du sie schließt, bleibt der fertige Teil, und du kannst mit derselben Datei weitermachen.`,
    stop: 'Hier aufhören',
    gained: (name, { conversations, statements }) => {
      const chats = conversations === 1 ? 'Ein Chat war neu' : `${conversations} Chats waren neu`
      const learned = statements === 1 ? 'eine Aussage' : `${statements} Aussagen`
      if (conversations === 0) return `Nichts davon war neu für ${name}.`
      return statements === 0
        ? `${chats}. ${name} hat daraus nichts gelernt.`
        : `${chats}. ${name} hat daraus ${learned} gelernt.`
    },
    ended: 'Der Import ist zu Ende. Wie viel davon neu war, ist nicht bekannt.',
    goOn: 'Weitermachen',
    toMemory: 'Gedächtnis ansehen',
    another: 'Andere Datei',
  },
}
