/** The texts about waking a persona and choosing its models in German. */
import type { Kind } from '../shared/channel-kinds.ts'
import type { KeyOwner } from '../shared/key-text.ts'
import type { Fault, Provider, Slot } from '../shared/shapes.ts'
import type { NewStrings } from './new-en.ts'

/** A sentence with something to press or to type in its middle. */
type Three = readonly [string, string, string]

export const text: NewStrings = {
  first: {
    title: 'Hier lebt noch niemand.',
    body: 'Daimon lässt jemanden auf diesem Rechner leben: mit Gedächtnis für das, was du erzählst, mit Sinn für deine Termine, und morgen noch genauso vertraut.',
    name: 'Mira',
    tryTitle: 'Gleich ausprobieren',
    tryIt: 'Ausprobieren',
    what: 'Sprich in einer Sekunde mit Mira, mit dem Übungsmodell: einem kleinen Ersatz, der Regeln folgt und im Daemon selbst läuft. Nichts herunterladen, kein Schlüssel, und nichts verlässt diesen Rechner.',
    waking: 'Mira wird geweckt…',
    realTitle: 'Einen echten Geist holen',
    realWhat: (model: string) =>
      `${model} wird auf diesen Rechner geladen und denkt für Mira. Du sprichst sofort mit Mira; der Wechsel geschieht im selben Gespräch.`,
    realGet: (size: string) => `Einen echten Geist holen (${size}, läuft auf diesem Rechner, kostenlos)`,
    withSearch: (size: string) => `Mit Suche nach Bedeutung (${size} mehr)`,
    served: (model: string, program: string) => `Mit ${model} in ${program} ausprobieren`,
    newTitle: 'Jemand Neues wecken',
    newBody:
      'Wähle einen Namen und ein Modell, und wenn du magst, den Charakter und was über dich bekannt sein soll.',
    newGo: 'Namen wählen',
    backTitle: 'Jemanden zurückholen',
    backBody: 'Aus einem Tagebuch, einer Datei, die auf .diary endet, und den 24 Wörtern, die es öffnen.',
    backGo: 'Tagebuch wählen',
    found: 'Modelle auf diesem Rechner',
    foundBody: 'Mira kann mit einem davon sofort denken.',
    withModel: (model: string) => `Mit ${model} ausprobieren`,
    without: 'Ein eigener Geist',
    withoutBody:
      'Das Übungsmodell folgt nur Regeln. Zum eigenen Denken braucht es ein Modell, und dahin führen zwei Wege:',
    keyTitle: 'Mit einem Schlüssel',
    keyBody:
      'Ein Anbieter denkt und berechnet es dir. Hol dir hier einen Schlüssel und wecke damit jemand Neues.',
    ollamaTitle: 'Auf diesem Rechner',
    ollamaBody: ['Kostenlos und privat. Installiere ', 'Ollama', ', dann tippe in ein Terminal: '] as Three,
    noModels: 'Ollama antwortet auf diesem Rechner, hat aber noch kein Modell. Tippe in ein Terminal: ',
  },

  choose: {
    title: 'Mit wem möchtest du sprechen?',
    one: (name: string) => `${name} ist da.`,
    talk: (name: string) => `Mit ${name} sprechen`,
    fresh: 'Jemand Neues',
    back: 'Jemanden zurückholen',
  },

  fresh: {
    title: 'Jemand Neues wecken',
    name: 'Name',
    nameHint: 'Du kannst ihn später ändern.',
    nameMissing: 'Es fehlt noch ein Name.',
    mindMissing: 'Es fehlt noch ein Geist zum Denken.',
    about: 'Charakter, und wer du bist',
    aboutHint: 'Nicht nötig: Das ergibt sich auch im Gespräch.',
    traits: 'Welcher Charakter soll es sein?',
    traitsHint: 'Herzlich, direkt, neugierig, knapp. Jede Zeile wird als eine Aussage gemerkt.',
    person: 'Was soll über dich bekannt sein?',
    personHint: 'Dein Name, deine Arbeit, wer dir wichtig ist. Jede Zeile wird als eine Aussage gemerkt.',
    channels: 'Kanäle',
    channelsHint: 'Wo ihr außer auf dieser Seite noch sprechen könnt. Nicht nötig.',
    bot: {
      telegram: {
        label: 'Telegram: das Token des Bots',
        hint: ['Schreib /newbot an ', '@BotFather', ' in Telegram. Die Antwort enthält ein Token.'],
      },
      discord: {
        label: 'Discord: das Token des Bots',
        hint: ['Leg auf der ', 'Entwicklerseite', ' eine Anwendung an und drück unter Bot auf Reset Token.'],
      },
    } satisfies Record<Kind, { readonly label: string; readonly hint: Three }>,
    wake: (name: string) => (name ? `${name} wecken` : 'Wecken'),
    waking: (name: string) => `${name} wird geweckt…`,
    notKept: (name: string, reason: string) =>
      `${name} ist wach, aber nicht alles, was du aufgeschrieben hast, ließ sich speichern: ${reason}`,
    keepAgain: 'Noch einmal versuchen',
    goOn: 'Ohne das weiter',
    orBack: 'Oder jemanden aus einem Tagebuch zurückholen',
  },

  organ: {
    name: {
      thinking: 'Geist',
      eye: 'Auge',
      ear: 'Ohr',
      mouth: 'Mund',
      imagination: 'Fantasie',
      teacher: 'Lehrer',
      researcher: 'Forscher',
    } satisfies Record<Slot, string>,
    does: {
      thinking: 'Das Modell, mit dem gedacht wird.',
      eye: 'Sieht sich die Bilder an, die du schickst.',
      ear: 'Hört deine Stimme und andere Töne.',
      mouth: 'Spricht laut.',
      imagination: 'Malt Bilder für dich.',
      teacher: 'Ein stärkeres Modell, das um Rat gefragt wird.',
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
    keyShared: (organ: string) => `Leer lassen, um denselben Schlüssel wie „${organ}“ zu verwenden.`,
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
    mindMissing: 'Bitte wähle einen Geist: ein Modell zum Denken.',
    offered: 'Modelle zeigen',
    fits: 'passt auf diesen Rechner',
    noTools: 'kann keine Werkzeuge benutzen',
    tooLarge: 'groß für diesen Rechner',
    suggested: 'empfohlen',
    price: { cheap: 'günstig', moderate: 'mittlerer Preis', expensive: 'teuer' },
    speed: { fast: 'schnell', slow: 'langsam' },
    practiceIs: 'zum Üben, immer da',
    size: (gigabytes: string) => `${gigabytes} GB`,
    notInstalled: (model: string) =>
      `${model} ist noch nicht installiert. Es wird erst geladen, und das kann dauern.`,
    elsewhere: 'Andere Adresse',
    url: 'Adresse',
    urlHint: {
      local: 'Die Adresse von Ollama, falls es nicht die übliche ist.',
      beside: 'Die Adresse eines Servers dafür, falls es nicht Ollama ist.',
      openai: 'Jeder Server, der OpenAIs Protokoll spricht: LM Studio, llama.cpp, vLLM und andere.',
      other: 'Nur für einen Server, der den des Anbieters ersetzt.',
    },
    others: 'Weitere Fähigkeiten',
    othersHint: 'Keine davon ist nötig. Der Geist sagt dir, wenn er eine braucht.',
    looking: 'Modelle werden gesucht…',
    lookAgain: 'Noch einmal suchen',
    installed: (count: number) =>
      count === 1
        ? 'Auf diesem Rechner ist ein Modell installiert.'
        : `Auf diesem Rechner sind ${count} Modelle installiert.`,
    offers: (count: number) =>
      count === 1 ? 'Ein Modell wird angeboten.' : `${count} Modelle werden angeboten.`,
    offersNone: 'Dort wird kein Modell angeboten.',
    noneInstalled: 'Ollama antwortet auf diesem Rechner, hat aber noch kein Modell. In einem Terminal: ',
    noRuntime: 'Auf diesem Rechner antwortet nichts, das Modelle laufen lässt. Drei Wege:',
    practice: [
      'Fang an mit ',
      'embedded/practice',
      ': einem Übungsmodell, das schon da ist. Es lässt sich jederzeit ersetzen.',
    ] as Three,
    runtime: ['Installiere ', 'Ollama', ', dann in einem Terminal: '] as Three,
    cloud: 'Oder wähle oben einen Anbieter, für den du einen Schlüssel hast.',
    runtimeAddress: 'https://ollama.com/download',
    runtimeCommand: 'ollama pull qwen3',
    keyFirst: (provider: string) =>
      `Mit einem Schlüssel von ${provider} kannst du unter deren Modellen wählen. `,
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
        'Unter dieser Adresse ist kein Server für Modelle. Kopiere sie aus der Dokumentation des Servers.',
      model_unknown: (house: string, model: string) => `${house} kennt kein Modell namens „${model}“.`,
      no_list: (house: string) => `${house} nennt seine Modelle nicht. Tipp den Namen von einem ein.`,
      unreachable: (house: string) =>
        `${house} ist nicht zu erreichen. Ist dieser Rechner online? Hinter einem Proxy: Starte den Daemon mit HTTPS_PROXY.`,
      busy: (house: string) =>
        `${house} ist für dieses Konto gerade überlastet. Versuch es gleich noch einmal.`,
      failed: (house: string) => `${house} hat selbst ein Problem. Versuch es gleich noch einmal.`,
    } satisfies Record<Fault, (house: string, model: string) => string>,
    storedRefused: (house: string) =>
      `${house} nimmt den gespeicherten Schlüssel nicht an. Gib einen anderen ein.`,
    silentRuntime: 'Auf diesem Rechner antwortet nichts, das Modelle laufen lässt.',
    notFetched: (model: string) =>
      `Auf diesem Rechner gibt es kein Modell namens „${model}“, und es ließ sich nicht laden. Prüfe den Namen.`,
    nothingThere: 'Unter dieser Adresse antwortet nichts. Läuft dort der Server?',
    ollamaOutside:
      'Einer auf einem anderen Rechner muss Anfragen von außen annehmen: Starte ihn mit OLLAMA_HOST=0.0.0.0.',
    details: 'Einzelheiten',
    typeIt: 'Du kannst den Namen eines Modells auch eintippen. ',
    fetching: 'Das Modell wird geladen',
    fetched: (model: string, percent: number) => `${model}: ${percent} % geladen`,
    give: 'Hinzufügen',
    takeAway: 'Entfernen',
  },
}
