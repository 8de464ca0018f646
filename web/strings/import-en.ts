/** The texts about importing conversations in English. */

interface ImportCounts {
  readonly conversations: number
  readonly statements: number
}

export type ImportStrings = typeof text

export const text = {
  import: {
    lead: (name: string) =>
      `${name} can learn from your chats with another AI. What they say about you is added to the memory, each statement with the chat that it comes from. The chats themselves are not copied.`,
    asleep: (name: string) => `Start ${name} first: the model reads the chats.`,
    toLife: 'Go to the setting',
    whence: 'Source of the chats',
    from: {
      chatgpt: {
        name: 'ChatGPT',
        how: 'There: Settings → Data controls → Export data. A zip comes by mail.',
      },
      claude: { name: 'Claude', how: 'There: Settings → Privacy → Export data. A zip comes by mail.' },
      gemini: {
        name: 'Gemini',
        how: 'At takeout.google.com: My Activity → Gemini Apps, as JSON, not HTML. Take MyActivity.json.',
      },
      grok: {
        name: 'Grok',
        how: 'There: Settings → Data controls → Export account data. A link comes by mail; the zip holds prod-grok-backend.json.',
      },
      openwebui: {
        name: 'Open WebUI',
        how: 'There: Settings → Data controls → Export chats. Take the JSON.',
      },
      librechat: { name: 'LibreChat', how: 'There, in a chat: Export, as JSON.' },
      sillytavern: {
        name: 'SillyTavern',
        how: 'Chats as JSONL, characters as PNG or JSON, or a zip of the folder data/default-user. A character says at most that you keep it.',
      },
      aistudio: {
        name: 'Google AI Studio',
        how: 'In Google Drive, in the folder Google AI Studio: the file of a prompt.',
      },
      claudecode: {
        name: 'Claude Code',
        how: 'A zip of a project’s folder in ~/.claude/projects, or the .jsonl of a session.',
      },
      codex: {
        name: 'Codex CLI',
        how: 'A zip of the folder ~/.codex/sessions, or a rollout-….jsonl.',
      },
      openclaw: {
        name: 'OpenClaw',
        how: 'A zip of the workspace, or MEMORY.md, USER.md, SOUL.md or a day of memory/.',
      },
      hermes: {
        name: 'Hermes',
        how: 'A zip of ~/.hermes, or MEMORY.md, USER.md or SOUL.md.',
      },
      eternego: {
        name: 'Eternego',
        how: 'The backup file under its own name, with its recovery words, or a zip of the folder personas/…/home.',
      },
      characterai: {
        name: 'Character.AI',
        how: 'A browser extension that saves chats as JSON. Take the JSON.',
      },
      letta: {
        name: 'Letta',
        how: 'There: Download agent file. Take the .af.',
      },
      locomo: {
        name: 'LoCoMo',
        how: 'The JSON of the benchmark.',
      },
      whatsapp: {
        name: 'WhatsApp',
        how: 'In the chat: Export chat, without media. Take the file under its own name.',
      },
      telegram: {
        name: 'Telegram',
        how: 'In Telegram Desktop: Export chat history of a chat, or Settings → Advanced → Export Telegram data, as JSON. Take result.json.',
      },
      discord: {
        name: 'Discord',
        how: 'Settings → Data & Privacy → Request all of my data, with Messages. Take the zip. It holds only what you wrote.',
      },
      copilot: {
        name: 'Microsoft Copilot',
        how: 'account.microsoft.com/privacy → Copilot → Export all activity history. Take the CSV.',
      },
      other: {
        name: 'Another AI',
        how: 'Messages of “role” and “content”, as one JSON or one in each line, or plain text with “Name: words” in each line.',
      },
    },
    otherName: 'Its name',
    phrase: 'Recovery words of the backup file',
    phraseHint: 'They open a file that ends in .diary, and are not stored.',
    file: 'The exported file',
    fileHint:
      'The zip as you received it, or the file in it. First you see its content; nothing is imported yet.',
    whoAreYou: 'Which of them are you?',
    whoAreYouHint: 'The file does not say it. Only your own messages can become memory.',
    noneOfThem: 'Not said',
    sending: 'Uploading the file…',
    reading: 'Reading the file…',
    found: (count: number, open: number) =>
      open === count ? (count === 1 ? 'One chat' : `${count} chats`) : `${count} chats, ${open} of them new`,
    nothing: 'There are no chats with messages in this file.',
    seek: 'Search the titles',
    all: 'Choose all',
    none: 'Choose none',
    conversations: 'Chats in the file',
    untitled: 'Without a title',
    known: 'known already',
    messages: (count: number) => (count === 1 ? '1 message' : `${count} messages`),
    noneFits: 'No title has these words.',
    more: (count: number) => `Show ${count} more`,
    cost: (name: string) =>
      `The model of ${name} is asked once for each chat, for long ones more often. With a provider this costs money.`,
    feed: (count: number) => (count === 1 ? 'Import one chat' : `Import ${count} chats`),
    feeding: 'Imported chats',
    far: (done: number, total: number) => `${done} of ${total} imported…`,
    mayLeave: (name: string) =>
      `You can talk to ${name} meanwhile. Keep this page open: if you close it, the finished part stays, and you can continue with the same file.`,
    stop: 'Stop here',
    gained: (name: string, { conversations, statements }: ImportCounts) => {
      const chats = conversations === 1 ? 'One chat was new' : `${conversations} chats were new`
      const learned = statements === 1 ? 'one statement' : `${statements} statements`
      if (conversations === 0) return `Nothing in it was new to ${name}.`
      return statements === 0
        ? `${chats}. ${name} learned nothing from it.`
        : `${chats}. ${name} learned ${learned} from it.`
    },
    ended: 'The import has ended. It is not known how much was new.',
    goOn: 'Continue',
    toMemory: 'Look at the memory',
    another: 'Another file',
  },
}
