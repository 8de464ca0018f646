/** The texts about creating a persona and choosing its models in German. */
import type { TokenKind } from '../shared/channel-kinds.ts'
import type { KeyOwner } from '../shared/key-text.ts'
import type { Fault, Provider, Slot } from '../shared/shapes.ts'
import type { NewStrings } from './new-en.ts'

/** A sentence with something to press or to type in its middle. */
type Three = readonly [string, string, string]

export const text: NewStrings = {
  first: {
    withSearch: (size: string) => `Mit Suche nach Bedeutung (${size} mehr)`,
  },

  choose: {
    title: 'Mit wem möchtest du sprechen?',
    one: (name: string) => `${name} ist da.`,
    talk: (name: string) => `Mit ${name} sprechen`,
    fresh: 'Neue Persona',
    back: 'Aus Sicherungsdatei wiederherstellen',
  },

  fresh: {
    title: 'Neue Persona',
    name: 'Name',
    nameHint: 'Du kannst ihn später ändern.',
    nameMissing: 'Bitte gib einen Namen ein.',
    mindMissing: 'Bitte wähle ein Modell.',
    about: 'Charakter, und wer du bist',
    initiative: 'Ob es von sich aus schreibt',
    it: 'Es',
    aboutHint: 'Freiwillig: Das ergibt sich auch im Gespräch.',
    traits: 'Welcher Charakter soll es sein?',
    traitsHint: 'Herzlich, direkt, neugierig, knapp. Jede Zeile wird als eine Aussage gemerkt.',
    person: 'Was soll über dich bekannt sein?',
    personHint: 'Dein Name, deine Arbeit, wer dir wichtig ist. Jede Zeile wird als eine Aussage gemerkt.',
    channels: 'Kanäle',
    channelsHint:
      'Freiwillig: Wo ihr außer auf dieser Seite noch sprechen könnt. Das geht auch später, und Matrix in den Einstellungen.',
    bot: {
      telegram: {
        label: 'Telegram: das Token des Bots',
        hint: ['Schreib /newbot an ', '@BotFather', ' in Telegram. Die Antwort enthält ein Token.'],
      },
      discord: {
        label: 'Discord: das Token des Bots',
        hint: [
          'Erstelle auf der ',
          'Entwicklerseite',
          ' eine Anwendung und drücke unter Bot auf Reset Token.',
        ],
      },
    } satisfies Record<TokenKind, { readonly label: string; readonly hint: Three }>,
    wake: (name: string) => (name ? `${name} erstellen` : 'Erstellen'),
    waking: (name: string) => `${name} wird erstellt…`,
    notKept: (name: string, reason: string) =>
      `${name} ist erstellt, aber nicht alles, was du geschrieben hast, ließ sich speichern: ${reason}`,
    keepAgain: 'Noch einmal speichern',
    goOn: 'Ohne das weitermachen',
    orBack: 'Oder eine Persona aus einer Sicherungsdatei wiederherstellen',
  },

  organ: {
    name: {
      thinking: 'Modell',
      eye: 'Bilder lesen',
      ear: 'Gehör',
      mouth: 'Stimme',
      imagination: 'Zeichnen',
      teacher: 'Rat',
      researcher: 'Recherche',
    } satisfies Record<Slot, string>,
    does: {
      thinking: 'Das Sprachmodell, das dir antwortet.',
      eye: 'Sieht sich die Bilder an, die du schickst.',
      ear: 'Versteht deine Stimme und andere Aufnahmen.',
      mouth: 'Spricht Antworten laut.',
      imagination: 'Zeichnet Bilder für dich.',
      teacher: 'Ein stärkeres Modell, das bei schwierigen Fragen hilft.',
      researcher: 'Liest die Dokumente, die du schickst.',
    } satisfies Record<Slot, string>,
    provider: {
      local: 'Auf diesem Rechner',
      anthropic: 'Anthropic (Claude)',
      openai: 'OpenAI (GPT)',
      gemini: 'Google (Gemini)',
      xai: 'xAI (Grok)',
    } satisfies Record<Provider, string>,
    house: { anthropic: 'Anthropic', openai: 'OpenAI', gemini: 'Google', xai: 'xAI' } satisfies Record<
      Exclude<Provider, 'local'>,
      string
    >,
    where: { thinking: 'Wo das Modell läuft', other: 'Wo das Modell läuft' },
    none: 'Keins',
    key: 'Schlüssel',
    keyHint: 'Bleibt auf diesem Rechner und wird nie wieder gezeigt.',
    keyStays: 'Leer lassen, um den vorhandenen Schlüssel zu behalten.',
    keyShared: (organ: string) => `Leer lassen, um denselben Schlüssel wie bei „${organ}“ zu verwenden.`,
    keyOf: {
      anthropic: 'Das sieht nach einem Schlüssel von Anthropic aus.',
      openai: 'Das sieht nach einem Schlüssel von OpenAI aus.',
      gemini: 'Das sieht nach einem Schlüssel von Google aus.',
      xai: 'Das sieht nach einem Schlüssel von xAI aus.',
      openrouter: 'Das sieht nach einem Schlüssel von OpenRouter aus.',
      groq: 'Das sieht nach einem Schlüssel von Groq aus.',
      huggingface: 'Das sieht nach einem Schlüssel von Hugging Face aus.',
      perplexity: 'Das sieht nach einem Schlüssel von Perplexity aus.',
    } satisfies Record<KeyOwner, string>,
    choose: (provider: string) => `${provider} wählen`,
    model: 'Modell',
    voiceHint: 'Du kannst dem Namen eine Stimme anfügen: ',
    voiceExample: 'tts-1#nova',
    modelMissing: (organ: string) => `${organ}: Bitte wähle ein Modell, oder „Keins“.`,
    mindMissing: 'Bitte wähle ein Modell.',
    offered: 'Modelle zeigen',
    fits: 'passt auf diesen Rechner',
    noTools: 'kann keine Werkzeuge benutzen',
    tooLarge: 'groß für diesen Rechner',
    suggested: 'empfohlen',
    price: { cheap: 'günstig', moderate: 'mittlerer Preis', expensive: 'teuer' },
    speed: { fast: 'schnell', slow: 'langsam' },
    practiceIs: 'Übungsmodell, immer verfügbar',
    size: (gigabytes: string) => `${gigabytes} GB`,
    notInstalled: (model: string) =>
      `${model} ist noch nicht installiert. Es wird zuerst heruntergeladen. Das kann eine Weile dauern.`,
    elsewhere: 'Andere Adresse',
    url: 'Adresse',
    urlHint: {
      local: 'Die Adresse von Ollama, falls es nicht die übliche ist.',
      beside: 'Die Adresse eines Servers für diese Fähigkeit, falls es nicht Ollama ist.',
      openai: 'Jeder Server, der mit OpenAI kompatibel ist: LM Studio, llama.cpp, vLLM und andere.',
      other: 'Nur für einen Server, der den des Anbieters ersetzt.',
    },
    others: 'Weitere Fähigkeiten',
    othersHint: 'Alle sind freiwillig. Du kannst sie jederzeit hinzufügen.',
    looking: 'Modelle werden gesucht…',
    lookAgain: 'Noch einmal suchen',
    installed: (count: number) =>
      count === 1
        ? 'Auf diesem Rechner ist ein Modell installiert.'
        : `Auf diesem Rechner sind ${count} Modelle installiert.`,
    offers: (count: number) =>
      count === 1 ? 'Ein Modell wird angeboten.' : `${count} Modelle werden angeboten.`,
    offersNone: 'Dort wird kein Modell angeboten.',
    noneInstalled: 'Ollama läuft auf diesem Rechner, hat aber noch kein Modell. Gib in einem Terminal ein: ',
    noRuntime: 'Auf diesem Rechner wurde kein Programm für Modelle gefunden. Du hast drei Möglichkeiten:',
    practice: [
      'Fang mit ',
      'embedded/practice',
      ' an, dem Übungsmodell, das schon da ist. Du kannst es jederzeit ersetzen.',
    ] as Three,
    runtime: ['Installiere ', 'Ollama', ' und gib dann in einem Terminal ein: '] as Three,
    cloud: 'Oder wähle oben einen Anbieter und gib deinen Schlüssel ein.',
    runtimeAddress: 'https://ollama.com/download',
    runtimeCommand: 'ollama pull qwen3',
    keyFirst: (provider: string) =>
      `Mit einem Schlüssel von ${provider} kannst du aus deren Modellen wählen. `,
    keyPage: 'Schlüssel holen',
    server: 'Der Server',
    fault: {
      key_missing: (house: string) => `${house} verlangt einen Schlüssel.`,
      key_refused: (house: string) => `${house} nimmt diesen Schlüssel nicht an.`,
      key_malformed: () =>
        'Ein Schlüssel hat keine Leerzeichen und keine Sonderzeichen. Kopiere ihn noch einmal.',
      no_credit: (house: string) =>
        `Das Konto dieses Schlüssels hat bei ${house} kein Guthaben mehr. Lade es auf der Seite für die Abrechnung auf, oder nimm einen anderen Schlüssel.`,
      address_wrong: () =>
        'Unter dieser Adresse gibt es keinen Server für Modelle. Kopiere sie aus der Dokumentation des Servers.',
      model_unknown: (house: string, model: string) => `${house} kennt kein Modell namens „${model}“.`,
      no_list: (house: string) => `${house} nennt seine Modelle nicht. Gib den Namen eines Modells ein.`,
      unreachable: (house: string) =>
        `${house} ist nicht zu erreichen. Ist dieser Rechner online? Hinter einem Proxy: Starte Daimon mit HTTPS_PROXY.`,
      busy: (house: string) =>
        `${house} ist für dieses Konto gerade überlastet. Versuch es gleich noch einmal.`,
      failed: (house: string) => `${house} hat gerade ein Problem. Versuch es später noch einmal.`,
    } satisfies Record<Fault, (house: string, model: string) => string>,
    storedRefused: (house: string) =>
      `${house} nimmt den gespeicherten Schlüssel nicht an. Gib einen anderen ein.`,
    silentRuntime: 'Auf diesem Rechner wurde kein Programm für Modelle gefunden.',
    notFetched: (model: string) =>
      `Auf diesem Rechner gibt es kein Modell namens „${model}“, und es ließ sich nicht herunterladen. Prüfe den Namen.`,
    nothingThere: 'Unter dieser Adresse antwortet nichts. Läuft dort der Server?',
    ollamaOutside:
      'Ollama auf einem anderen Rechner muss Anfragen von außen annehmen: Starte es mit OLLAMA_HOST=0.0.0.0.',
    details: 'Details',
    typeIt: 'Du kannst den Namen eines Modells auch eingeben. ',
    fetching: 'Das Modell wird heruntergeladen',
    fetched: (model: string, percent: number) => `${model}: ${percent} % heruntergeladen`,
    give: 'Hinzufügen',
    takeAway: 'Entfernen',
  },
}
