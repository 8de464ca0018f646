/** The texts about creating a persona and choosing its models in English. */
import type { TokenKind } from '../shared/channel-kinds.ts'
import type { KeyOwner } from '../shared/key-text.ts'
import type { Fault, Provider, Slot } from '../shared/shapes.ts'

/** A sentence with a link or code in the middle. */
type Three = readonly [string, string, string]

export type NewStrings = typeof text

export const text = {
  first: {
    withSearch: (size: string) => `With search by meaning (${size} more)`,
  },

  choose: {
    title: 'Who would you like to talk to?',
    one: (name: string) => `${name} is here.`,
    talk: (name: string) => `Talk to ${name}`,
    fresh: 'New persona',
    back: 'Restore from a backup file',
  },

  fresh: {
    title: 'New persona',
    name: 'Name',
    nameHint: 'You can change it later.',
    nameMissing: 'Please enter a name.',
    mindMissing: 'Please choose a model.',
    about: 'Who they are, and who you are',
    initiative: 'Whether it writes by itself',
    it: 'It',
    aboutHint: 'Optional: they also learn this when you talk to them.',
    traits: 'How should they be?',
    traitsHint: 'Warm, blunt, curious, brief. Each line is remembered as one statement.',
    person: 'What should they know about you?',
    personHint: 'Your name, your work, who matters to you. Each line is remembered as one statement.',
    channels: 'Channels',
    channelsHint:
      'Optional: other places where you can talk, besides this page. You can add them later too, and Matrix in the settings.',
    bot: {
      telegram: {
        label: 'Telegram: the bot’s token',
        hint: ['Write /newbot to ', '@BotFather', ' in Telegram. It answers with a token.'],
      },
      discord: {
        label: 'Discord: the bot’s token',
        hint: ['Make an application on the ', 'developer page', ', and under Bot press Reset Token.'],
      },
    } satisfies Record<TokenKind, { readonly label: string; readonly hint: Three }>,
    wake: (name: string) => (name ? `Create ${name}` : 'Create'),
    waking: (name: string) => `Creating ${name}…`,
    notKept: (name: string, reason: string) =>
      `${name} is created, but not everything that you wrote could be saved: ${reason}`,
    keepAgain: 'Save it again',
    goOn: 'Continue without it',
    orBack: 'Or restore a persona from a backup file',
  },

  organ: {
    name: {
      thinking: 'Model',
      eye: 'Image reading',
      ear: 'Hearing',
      mouth: 'Voice',
      imagination: 'Drawing',
      teacher: 'Advice',
      researcher: 'Research',
    } satisfies Record<Slot, string>,
    does: {
      thinking: 'The language model that answers you.',
      eye: 'Looks at the pictures that you send.',
      ear: 'Understands your voice and other recordings.',
      mouth: 'Speaks answers aloud.',
      imagination: 'Draws pictures for you.',
      teacher: 'A stronger model that helps with hard questions.',
      researcher: 'Reads the documents that you send.',
    } satisfies Record<Slot, string>,
    provider: {
      local: 'On this machine',
      anthropic: 'Anthropic (Claude)',
      openai: 'OpenAI (GPT)',
      gemini: 'Google (Gemini)',
      xai: 'xAI (Grok)',
    } satisfies Record<Provider, string>,
    house: { anthropic: 'Anthropic', openai: 'OpenAI', gemini: 'Google', xai: 'xAI' } satisfies Record<
      Exclude<Provider, 'local'>,
      string
    >,
    where: { thinking: 'Where it runs', other: 'Where it runs' },
    none: 'None',
    key: 'Key',
    keyHint: 'Stored on this machine, and never shown again.',
    keyStays: 'Leave this empty to keep the key that is there.',
    keyShared: (organ: string) => `Leave this empty to use the same key as “${organ}”.`,
    keyOf: {
      anthropic: 'This looks like an Anthropic key.',
      openai: 'This looks like an OpenAI key.',
      gemini: 'This looks like a Google key.',
      xai: 'This looks like an xAI key.',
      openrouter: 'This looks like an OpenRouter key.',
      groq: 'This looks like a Groq key.',
      huggingface: 'This looks like a Hugging Face key.',
      perplexity: 'This looks like a Perplexity key.',
    } satisfies Record<KeyOwner, string>,
    choose: (provider: string) => `Choose ${provider}`,
    model: 'Model',
    voiceHint: 'You can add a voice to the name: ',
    voiceExample: 'tts-1#nova',
    modelMissing: (organ: string) => `${organ}: please choose a model, or “None”.`,
    mindMissing: 'Please choose a model.',
    offered: 'Show the models',
    fits: 'fits this machine',
    noTools: 'cannot use tools',
    tooLarge: 'large for this machine',
    suggested: 'suggested',
    price: { cheap: 'cheap', moderate: 'medium price', expensive: 'expensive' },
    speed: { fast: 'fast', slow: 'slow' },
    practiceIs: 'practice model, always available',
    size: (gigabytes: string) => `${gigabytes} GB`,
    notInstalled: (model: string) =>
      `${model} is not installed yet. It is downloaded first, which can take a while.`,
    elsewhere: 'Another address',
    url: 'Address',
    urlHint: {
      local: 'The address of Ollama, if it is not the usual one.',
      beside: 'The address of a server for this ability, if it is not Ollama.',
      openai: 'Any server that is compatible with OpenAI: LM Studio, llama.cpp, vLLM and others.',
      other: 'Only for a server that replaces theirs.',
    },
    others: 'Other abilities',
    othersHint: 'All of them are optional. You can add them at any time.',
    looking: 'Looking for models…',
    lookAgain: 'Look again',
    installed: (count: number) =>
      count === 1
        ? 'One model is installed on this machine.'
        : `${count} models are installed on this machine.`,
    offers: (count: number) => (count === 1 ? 'One model is offered.' : `${count} models are offered.`),
    offersNone: 'No model is offered there.',
    noneInstalled: 'Ollama runs on this machine, but it has no model yet. Type in a terminal: ',
    noRuntime: 'No program that runs models was found on this machine. You have three choices:',
    practice: [
      'Begin with ',
      'embedded/practice',
      ', the practice model that is already here. You can replace it at any time.',
    ] as Three,
    runtime: ['Install ', 'Ollama', ', then type in a terminal: '] as Three,
    cloud: 'Or choose a provider above and enter your key.',
    runtimeAddress: 'https://ollama.com/download',
    runtimeCommand: 'ollama pull qwen3',
    keyFirst: (provider: string) => `With a key of ${provider} you can choose from their models. `,
    keyPage: 'Get a key',
    server: 'The server',
    fault: {
      key_missing: (house: string) => `${house} asks for a key.`,
      key_refused: (house: string) => `${house} does not accept this key.`,
      key_malformed: () => 'A key has no spaces and no special letters. Copy it again.',
      no_credit: (house: string) =>
        `The account of this key has no credit left at ${house}. Add some on its billing page, or use another key.`,
      address_wrong: () =>
        'There is no model server at this address. Copy it from the server’s documentation.',
      model_unknown: (house: string, model: string) => `${house} does not know the model “${model}”.`,
      no_list: (house: string) => `${house} does not list its models. Type the name of one.`,
      unreachable: (house: string) =>
        `${house} cannot be reached. Is this machine online? Behind a proxy, start Daimon with HTTPS_PROXY set.`,
      busy: (house: string) => `${house} is too busy for this account. Try again in a moment.`,
      failed: (house: string) => `${house} has a problem at the moment. Try again later.`,
    } satisfies Record<Fault, (house: string, model: string) => string>,
    storedRefused: (house: string) => `${house} does not accept the stored key. Enter another one.`,
    silentRuntime: 'No program that runs models was found on this machine.',
    notFetched: (model: string) =>
      `There is no model “${model}” on this machine, and it could not be downloaded. Check its name.`,
    nothingThere: 'Nothing answers at this address. Is the server running there?',
    ollamaOutside:
      'Ollama on another machine must accept requests from outside: start it with OLLAMA_HOST=0.0.0.0.',
    details: 'Details',
    typeIt: 'You can also type the name of a model. ',
    fetching: 'Downloading the model',
    fetched: (model: string, percent: number) => `${model}: ${percent} % downloaded`,
    give: 'Add',
    takeAway: 'Remove',
  },
}
