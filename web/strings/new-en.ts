/** The texts about waking a persona and choosing its models in English. */
import type { Kind } from '../shared/channel-kinds.ts'
import type { KeyOwner } from '../shared/key-text.ts'
import type { Fault, Provider, Slot } from '../shared/shapes.ts'

/** A sentence with a link or code in the middle. */
type Three = readonly [string, string, string]

export type NewStrings = typeof text

export const text = {
  first: {
    title: 'Nobody lives here yet.',
    body: 'Daimon keeps someone on this machine who remembers your conversations, keeps your reminders, and is still the same tomorrow.',
    name: 'Mira',
    tryTitle: 'Try it now',
    tryIt: 'Try it now',
    what: 'Talk to Mira within a second, on the practice model: a small stand-in that follows rules and runs inside the daemon. No download, no key, and nothing leaves this machine.',
    waking: 'Waking Mira…',
    realTitle: 'Get a real mind',
    realWhat: (model: string) =>
      `${model} is downloaded to this machine and thinks for Mira. You talk to Mira right away; the switch happens in the same conversation.`,
    realGet: (size: string) => `Get a real mind (${size}, runs on this machine, free)`,
    withSearch: (size: string) => `With search by meaning (${size} more)`,
    served: (model: string, program: string) => `Try it with ${model} in ${program}`,
    newTitle: 'Wake someone new',
    newBody: 'Choose a name and a model, and if you like, their character and what they know about you.',
    newGo: 'Choose a name',
    backTitle: 'Bring someone back',
    backBody: 'From a diary, a file that ends in .diary, and the 24 words that open it.',
    backGo: 'Choose a diary',
    found: 'Models on this machine',
    foundBody: 'Mira can think with one of them right away.',
    withModel: (model: string) => `Try it with ${model}`,
    without: 'A mind of their own',
    withoutBody:
      'Practice only follows rules. To think for themselves they need a model, and there are two ways to one:',
    keyTitle: 'With a key',
    keyBody:
      'A provider thinks for them and charges for it. Get a key from one of these, then wake someone new with it.',
    ollamaTitle: 'On this machine',
    ollamaBody: ['Free and private. Install ', 'Ollama', ', then type in a terminal: '] as Three,
    noModels: 'Ollama answers on this machine, but it has no model yet. Type in a terminal: ',
  },

  choose: {
    title: 'Whom would you like to talk to?',
    one: (name: string) => `${name} is here.`,
    talk: (name: string) => `Talk to ${name}`,
    fresh: 'Someone new',
    back: 'Bring someone back',
  },

  fresh: {
    title: 'Wake someone new',
    name: 'Name',
    nameHint: 'You can change it later.',
    nameMissing: 'They need a name.',
    mindMissing: 'They need a Mind to think with.',
    about: 'Who they are, and who you are',
    aboutHint: 'Optional: they also learn this when you talk to them.',
    traits: 'How should they be?',
    traitsHint: 'Warm, blunt, curious, brief. Each line is remembered as one statement.',
    person: 'What should they know about you?',
    personHint: 'Your name, your work, who matters to you. Each line is remembered as one statement.',
    channels: 'Channels',
    channelsHint: 'Other ways to reach them, besides this page. Optional.',
    bot: {
      telegram: {
        label: 'Telegram: the bot’s token',
        hint: ['Write /newbot to ', '@BotFather', ' in Telegram. It answers with a token.'],
      },
      discord: {
        label: 'Discord: the bot’s token',
        hint: ['Make an application on the ', 'developer page', ', and under Bot press Reset Token.'],
      },
    } satisfies Record<Kind, { readonly label: string; readonly hint: Three }>,
    wake: (name: string) => (name ? `Wake ${name}` : 'Wake them'),
    waking: (name: string) => `Waking ${name}…`,
    notKept: (name: string, reason: string) =>
      `${name} is awake, but not everything you wrote down could be saved: ${reason}`,
    keepAgain: 'Try to save it again',
    goOn: 'Continue without it',
    orBack: 'Or bring someone back from a diary',
  },

  organ: {
    name: {
      thinking: 'Mind',
      eye: 'Eye',
      ear: 'Ear',
      mouth: 'Mouth',
      imagination: 'Imagination',
      teacher: 'Teacher',
      researcher: 'Researcher',
    } satisfies Record<Slot, string>,
    does: {
      thinking: 'The model they think with.',
      eye: 'Looks at the pictures you send.',
      ear: 'Listens to your voice and to other sound.',
      mouth: 'Lets them speak aloud.',
      imagination: 'Draws pictures for you.',
      teacher: 'A stronger model to ask when they do not know.',
      researcher: 'Reads the documents you send.',
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
    keyShared: (organ: string) => `Leave this empty to use the key of the ${organ}.`,
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
    mindMissing: 'Please choose a Mind: a model to think with.',
    offered: 'Show the models',
    fits: 'fits this machine',
    noTools: 'cannot use tools',
    tooLarge: 'large for this machine',
    suggested: 'suggested',
    price: { cheap: 'cheap', moderate: 'medium price', expensive: 'expensive' },
    speed: { fast: 'fast', slow: 'slow' },
    practiceIs: 'practice, always here',
    size: (gigabytes: string) => `${gigabytes} GB`,
    notInstalled: (model: string) =>
      `${model} is not installed yet. It is fetched first, which can take a while.`,
    elsewhere: 'Another address',
    url: 'Address',
    urlHint: {
      local: 'The address of Ollama, if it is not the usual one.',
      beside: 'The address of a server for this, if it is not Ollama.',
      openai: 'Any server that speaks OpenAI’s protocol: LM Studio, llama.cpp, vLLM and others.',
      other: 'Only for a server that replaces theirs.',
    },
    others: 'Other abilities',
    othersHint: 'All of them are optional. The Mind tells you when it needs one.',
    looking: 'Looking for models…',
    lookAgain: 'Look again',
    installed: (count: number) =>
      count === 1
        ? 'One model is installed on this machine.'
        : `${count} models are installed on this machine.`,
    offers: (count: number) => (count === 1 ? 'One model is offered.' : `${count} models are offered.`),
    offersNone: 'No model is offered there.',
    noneInstalled: 'A model runtime answers on this machine, but it has no model yet. In a terminal: ',
    noRuntime: 'No model runtime answers on this machine. Three ways on:',
    practice: [
      'Begin with ',
      'embedded/practice',
      ': a stand-in that is already here. It can be replaced whenever you like.',
    ] as Three,
    runtime: ['Install ', 'Ollama', ', then in a terminal: '] as Three,
    cloud: 'Or choose a provider above, with a key of yours.',
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
        `${house} cannot be reached. Is this machine online? Behind a proxy, start the daemon with HTTPS_PROXY set.`,
      busy: (house: string) => `${house} is too busy for this account. Try again in a moment.`,
      failed: (house: string) => `${house} has a problem of its own. Try again in a moment.`,
    } satisfies Record<Fault, (house: string, model: string) => string>,
    storedRefused: (house: string) => `${house} does not accept the stored key. Enter another one.`,
    silentRuntime: 'No model runtime answers on this machine.',
    notFetched: (model: string) =>
      `There is no model “${model}” on this machine, and it could not be fetched. Check its name.`,
    nothingThere: 'Nothing answers at this address. Is the server running there?',
    ollamaOutside:
      'One on another machine must accept calls from outside: start it with OLLAMA_HOST=0.0.0.0.',
    details: 'Details',
    typeIt: 'You can also type the name of a model. ',
    fetching: 'Fetching the model',
    fetched: (model: string, percent: number) => `${model}: ${percent} % fetched`,
    give: 'Add',
    takeAway: 'Remove',
  },
}
