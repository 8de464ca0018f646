/** The texts about a persona's life in English. */

import type { ErasedSentences, FactSentences } from '../life/fact-kinds.ts'

export type LifeStrings = typeof text

const hiddenReasons: Readonly<Record<string, string>> = {
  deleted: 'You deleted a message.',
  edited: 'You wrote a message again.',
  replaced: 'Another answer is shown.',
}

const testResults: Readonly<Record<string, string>> = {
  works: 'it works.',
  no_tools: 'it talks, but cannot use tools.',
  fails: 'it does not work.',
}

export const text = {
  title: (name: string) => `${name}'s life`,
  empty: (name: string) => `There are no events of this kind in ${name}'s life yet.`,
  emptyWay: 'Show the main things',
  days: 'Activity, day by day',
  hours: 'Activity, hour by hour',
  scrub: (name: string) => `A moment of ${name}'s life`,
  busy: (time: string, count: string) => `${time}: ${count}`,
  calls: (count: number) => (count === 1 ? 'one thought' : `${count} thoughts`),
  things: (count: number) => (count === 1 ? 'one thing happened' : `${count} things happened`),
  now: 'now',
  born: 'The beginning',
  asOfThen: (name: string, time: string) => `You are looking at ${name} as of ${time}.`,
  thenUnknown: (name: string) => `You are looking at ${name} in the past.`,
  thenHint: 'How it was then cannot be changed.',
  backToNow: 'Back to now',
  otherMoment: 'Another moment',
  compare: 'Compare two moments…',
  compareThen: 'What has changed since…',
  fork: 'Fork from here…',
  forkNow: 'Create a fork…',
  what: 'What happened',
  filter: 'Show',
  kind: {
    main: 'The main things',
    talk: 'Talk',
    memory: 'Memory',
    calendar: 'Calendar',
    organs: 'Abilities',
    channels: 'Channels',
    life: 'Life',
    workings: 'Details',
  },
  older: 'Earlier',
  damaged: (reason: string) => `The journal is damaged: ${reason}. Later events cannot be shown.`,
  erased: 'The text was erased.',
  byPerson: 'By you',
  byAgent: (name: string) => `By ${name}`,
  byDaemon: 'By the daemon',
  byClock: 'By the clock',
  undoes: (seq: number) => `undoes ${seq}`,
  position: (seq: number) => `Position ${seq}`,
  about: 'It was about',
  asOf: 'See everything as of then',
  inTalk: 'In the talk',
  openTurn: 'Open the turn',
  undo: 'Undo',
  undoing: 'Undoing…',
  undone: 'Undone.',
  erase: 'Erase the text…',
  choosing: {
    begin: 'Select several',
    chosen: (count: number) =>
      count === 0 ? 'Nothing selected yet' : count === 1 ? 'One selected' : `${count} selected`,
    keys: 'Space selects, Enter continues, Escape ends.',
    erase: (count: number) =>
      count === 0
        ? 'Erase the text…'
        : count === 1
          ? 'Erase the text of one…'
          : `Erase the text of ${count}…`,
    done: 'Done',
  },
  status: { active: 'awake', hibernate: 'hibernating', sick: 'sick' },
  document: {
    person: 'You',
    traits: 'Your ways',
    'persona-trait': 'Their own ways',
    wishes: 'Wishes',
    struggles: 'Struggles',
    permissions: 'Permissions',
    self: 'Themselves',
  },
  fact: {
    PersonaCreated: (name) => `${name} woke for the first time.`,
    PersonaRestored: (name) => `${name} was brought back from a diary.`,
    PersonaForked: (name) => `${name} began to go their own way here.`,
    PersonaDeleted: (name) => `${name} was deleted.`,
    Renamed: (_, getField) => `The name became ${getField('name')}.`,
    CharacterSet: (name, getField) =>
      getField('text') ? `The character of ${name} was set` : `The character of ${name} was removed.`,
    IdleTimeoutSet: (name, getField) =>
      `${name} now sums up the talk after ${getField('seconds')} seconds of silence.`,
    OrganReplaced: (_, getField) => `The ${getField('slot')} became ${getField('model')}.`,
    OrganRemoved: (_, getField) => `The ${getField('slot')} was removed.`,
    StatusSet: (name, getField) =>
      getField('status') === 'active'
        ? `${name} is to be awake.`
        : getField('status') === 'sick'
          ? `${name} became sick.`
          : `${name} hibernates.`,
    PhraseChanged: () => 'A new recovery phrase was made.',
    PhraseConfirmed: () => 'It was confirmed that the 24 words are kept.',
    FactsErased: (_, getField) => `Text was erased permanently, in ${getField('facts')} events.`,
    Lost: () => 'The events here are lost.',
    Salvaged: (_, getField) =>
      `The damaged journal was salvaged: ${getField('kept')} events kept, ${getField('lost')} lost.`,
    StartAsked: (name) => `${name} was asked to start.`,
    StopAsked: (name) => `${name} was asked to stop.`,
    RestartAsked: (name) => `${name} was asked to restart.`,
    Woke: (name) => `${name} woke.`,
    Stopped: (name) => `${name} stopped.`,
    WakingFailed: (name) => `${name} could not wake.`,
    Hosted: (name, getField) => `${name} moved to the daemon ${getField('daemon')}.`,
    OrganFailed: (_, getField) => `The ${getField('slot')} failed.`,
    OrganRecovered: (_, getField) => `The ${getField('slot')} works again.`,
    MindTested: (_, getField) =>
      `${getField('model')} was tested as the Mind: ${testResults[getField('result')] ?? ''}`,
    ChannelAdded: (_, getField) => `The ${getField('kind')} bot ${getField('name')} was added.`,
    ChannelRemoved: () => 'A channel was removed.',
    ChannelPaired: (_, getField) => `A channel was paired with ${getField('target')}.`,
    ChannelTroubled: () => 'A channel has trouble.',
    ChannelRecovered: () => 'A channel works again.',
    Delivered: (_, getField) => `The message at ${getField('message')} was delivered.`,
    PartsDelivered: (_, getField) => `Part of the message at ${getField('message')} was delivered.`,
    DeliveryFailed: (_, getField) => `The message at ${getField('message')} could not be delivered.`,
    SkillAdded: (name, getField) =>
      `${name} was given the skill ${getField('name')}, which you should review first.`,
    SkillEnabled: (_, getField) => `You enabled the skill ${getField('name')}.`,
    SkillDisabled: (_, getField) => `You disabled the skill ${getField('name')}.`,
    SkillRemoved: (_, getField) => `The skill ${getField('name')} was removed.`,
    HistoryFed: (name, getField) =>
      `${name} learned from a chat of yours with another AI, from ${getField('source')}.`,
    MessageHeard: (_, getField) => (getField('channel') === '' ? 'A program said' : 'You said'),
    MessageSpoken: (name) => `${name} said`,
    MessagesHidden: (_, getField) =>
      hiddenReasons[getField('reason')] ?? 'Messages were removed from the talk.',
    MessagesShown: () => 'Messages are shown in the talk again.',
    AnswerAsked: (name, getField) =>
      getField('mode') === 'continue'
        ? `${name} was asked to continue the answer.`
        : `${name} was asked for another answer.`,
    GreetingAsked: (name) => `${name} was asked to speak first.`,
    TurnBegan: (name) => `${name} began to think.`,
    ModelAnswered: (_, getField) => `The ${getField('organ')} answered (${getField('model')}).`,
    ModelFailed: (_, getField) => `The ${getField('organ')} gave no answer (${getField('model')}).`,
    MediaDescribed: (name, getField) =>
      getField('outcome') === 'refused' ? `${name} could not perceive a file.` : `${name} perceived a file.`,
    ToolCalled: (name, getField) => `${name} used ${getField('name')}.`,
    ToolAnswered: (_, getField) =>
      getField('ok') === 'true' ? `${getField('name')} gave this back.` : `${getField('name')} failed.`,
    ToolServerSet: (_, getField) => `The tool server ${getField('name')} was set up.`,
    ToolServerRemoved: (_, getField) => `The tool server ${getField('name')} was removed.`,
    ToolModeSet: (_, getField) =>
      getField('mode') === 'off'
        ? `You switched ${getField('tool')} of ${getField('server')} off.`
        : getField('mode') === 'ask'
          ? `You want to be asked about ${getField('tool')} of ${getField('server')}.`
          : `You allowed ${getField('tool')} of ${getField('server')}.`,
    SearchProvidersSet: () => 'You changed how the web is searched.',
    WebSearched: (name, getField) => `${name} searched the web with ${getField('provider')}.`,
    ApprovalAsked: (name, getField) => `${name} asked to use ${getField('tool')} of ${getField('server')}`,
    ApprovalSettled: (_, getField) =>
      ({
        once: 'You allowed a tool this once.',
        always: 'You allowed a tool from now on.',
        no: 'You did not allow a tool.',
        expired: 'A request to use a tool expired after a day without an answer.',
      })[getField('decision')] ?? 'A request to use a tool was withdrawn.',
    TurnResumed: (name) => `${name} continued to think.`,
    TurnEnded: (name, getField) =>
      getField('outcome') === 'answered'
        ? `${name} had finished.`
        : `${name} broke off: ${getField('outcome')}.`,
    MemoryKept: (name, getField) =>
      getField('origin') === 'person' ? `You wrote into ${name}'s memory` : `${name} learned`,
    MemoryRevised: (name, getField) =>
      getField('origin') === 'person' ? `You corrected ${name}'s memory` : `${name} learned better`,
    MemoryForgotten: (name) => `${name} forgot a statement.`,
    MemoryRestored: (name) => `${name} knows this again`,
    MemoryPinned: (name, getField) =>
      getField('pinned') === 'true'
        ? `${name} has a statement in mind in every talk`
        : `${name} no longer has a statement in mind in every talk`,
    MemoryProposed: () => 'A program proposed something to remember',
    ProposalSettled: (_, getField) =>
      getField('accepted') === 'true' ? 'You accepted a proposal.' : 'You declined a proposal.',
    ContextCarried: (name) => `${name} summed up the talk.`,
    InstructionLearned: (name) => `${name} learned how to handle a kind of moment`,
    InstructionRevised: (name) => `${name} learned to handle a kind of moment better`,
    InstructionRemoved: () => 'A learned instruction was removed.',
    EntryPlanned: (_, getField) =>
      getField('kind') === 'reminder'
        ? `A reminder for ${getField('when')}`
        : `Planned for ${getField('when')}`,
    EntryMoved: (_, getField) => `Moved to ${getField('when')}`,
    EntryCancelled: () => 'A plan was cancelled.',
    EntryDue: () => 'A plan was due.',
    EntryDone: () => 'A due plan was delivered.',
    SleepBegan: (name) => `${name} went to sleep.`,
    DayClosed: () => 'A day was over',
    DiaryWritten: () => 'A diary was written.',
    SleepEnded: (name, getField) =>
      getField('outcome') === 'slept' ? `${name} had slept.` : `${name} could not sleep.`,
  } satisfies FactSentences as FactSentences,
  /** For facts whose erased text is part of the normal sentence. */
  factErased: {
    MessageHeard: () => 'A message came in',
    MediaDescribed: (name) => `${name} was given a file.`,
    HistoryFed: (name) => `${name} learned from a chat of yours with another AI.`,
    CharacterSet: (name) => `The character of ${name} was changed.`,
    MemoryKept: (name) => `A statement came into ${name}'s memory`,
    MemoryRevised: (name) => `A statement in ${name}'s memory was corrected`,
    EntryPlanned: () => 'Something was planned',
    EntryMoved: () => 'A plan was moved',
    ModelAnswered: () => 'A model answered.',
    ModelFailed: () => 'A model gave no answer.',
    ToolCalled: (name) => `${name} used a tool.`,
    ToolAnswered: () => 'A tool gave something back.',
    TurnEnded: (name) => `${name} stopped thinking.`,
  } satisfies ErasedSentences as ErasedSentences,
  past: {
    status: (name: string, status: string) => `${name} was ${status}.`,
    called: (name: string, oldName: string) => `${name} was called ${oldName} then.`,
    talk: 'The talk at that time',
    noTalk: 'Nothing had been said yet.',
    organs: 'Abilities',
    days: 'Past days',
    usage: 'Usage until then',
    used: (calls: string, tokens: string, time: string) => `${calls} model calls, ${tokens} tokens, ${time}`,
  },
  forking: {
    title: (name: string) => `A fork of ${name}`,
    body: (name: string) =>
      `A new persona with the same past, up to that moment. ${name} stays as it is; the two do not know of each other. Channels and keys stay with ${name}, and reminders are not delivered twice.`,
    again: 'The copy answers this message again. Both answers can be compared there.',
    from: (time: string) => `The same past until ${time}.`,
    name: 'Name',
    nameNew: (name: string) => `${name} II`,
    mind: 'Mind',
    same: 'The Mind of that time',
    other: 'Another Mind',
    go: 'Create the fork',
    going: 'Creating the fork…',
  },
  keyHint: 'Used for this, and never shown again.',
  comparing: {
    title: 'Two moments compared',
    from: 'From',
    to: 'Until',
    toHint: 'Empty means now.',
    fromMissing: 'Please choose a moment.',
    go: 'Compare',
    going: 'Comparing…',
    between: (from: string, to: string) => `Between ${from} and ${to}`,
    nothing: 'Nothing is different.',
    before: 'before',
    after: 'after',
    none: 'none',
    learned: 'Learned',
    revised: 'Revised',
    forgotten: 'Forgotten',
    instructions: 'Instructions learned',
    instructionsRevised: 'Instructions revised',
    instructionsRemoved: 'Instructions removed',
    planned: 'Planned',
    moved: 'Moved',
    fellDue: 'Due',
    cancelled: 'Cancelled',
    organs: 'Abilities',
    channels: 'Channels',
    channelAdded: 'added',
    channelRemoved: 'removed',
    name: 'Name',
    status: 'Status',
    messages: (person: string, persona: string, name: string) =>
      `Messages: ${person} from you, ${persona} from ${name}.`,
  },
  erasing: {
    title: 'Erase text permanently',
    body: 'Erased: the text itself, wherever the daemon stores it: in the journal, in model calls, in the search, in files. Kept: that something happened, when, and of which kind. This cannot be undone.',
    beyond:
      'Text that was sent to a chat or a provider, or is in a copied diary, cannot be erased from here.',
    looking: 'Looking for other places with this text…',
    these: 'This text',
    also: 'Derived from this text',
    alsoHint: 'Answers, statements, plans and days that contain it.',
    alsoToo: (count: number) =>
      count === 1 ? 'Erase the derived one, too' : `Erase the ${count} derived ones, too`,
    nothingElse: 'Nothing else was derived from it.',
    diaries: (count: number) =>
      count === 1 ? 'One diary here contains it' : `${count} diaries here contain it`,
    diariesToo: 'Remove those diaries, too',
    forks: (count: number) =>
      count === 1 ? 'One other persona has the same past' : `${count} other personas have the same past`,
    forksHint: (name: string) =>
      `It shares this text with ${name} since one was forked from the other. It stays there unless you erase it there, too.`,
    forkToo: (name: string) => `Erase it in ${name}, too`,
    doneBut: (names: string) => `The text is erased here. It could not be erased in: ${names}.`,
    more: (count: number) => `and ${count} more`,
    on: 'Continue',
    sure: (count: number) =>
      count === 1
        ? 'The text of one event will be erased permanently. Are you sure?'
        : `The text of ${count} events will be erased permanently. Are you sure?`,
    go: 'Erase permanently',
    going: 'Erasing…',
    done: 'The text is erased.',
  },
  turn: {
    title: (name: string) => `How ${name} came to an answer`,
    back: 'All events',
    outcome: {
      answered: 'answered',
      refused: 'refused by the model',
      hushed: 'stopped',
      unreachable: 'not reached',
    },
    going: 'still thinking',
    heard: 'Incoming messages',
    due: 'Due entries',
    perceived: 'Perceived files',
    steps: 'Step by step',
    profile: { full: 'full tools and instructions', compact: 'compact tools and instructions' },
    step: (count: number) => `Step ${count}`,
    used: 'Tools',
    input: 'Given',
    output: 'Given back',
    failed: 'failed',
    learned: 'Results',
    said: 'Messages of the turn',
    calls: 'Each model call in full',
    call: (count: number, organ: string) => `Call ${count}: ${organ}`,
    verified: 'exactly as sent',
    unverified: 'may differ from what was sent',
    gone: 'The request is no longer stored.',
    system: 'System prompt',
    messages: (count: number) => `Messages (${count})`,
    tools: (count: number) => `Tools offered (${count})`,
    toolsGone: 'The tools offered are no longer stored.',
    parts: 'Parts of the prompt',
    answer: 'Answer',
    noWords: 'No text.',
    tokens: (input: string, output: string) => `${input} tokens in, ${output} out`,
    incomplete: 'This turn is too long to be shown whole.',
    role: { user: 'to the model', assistant: 'the model', tool: 'a tool', system: 'system prompt' },
  },
  other: {
    title: 'Ask another model the same',
    hint: 'The first call of the Mind is sent again unchanged. The answer is not saved, no tool is used, and the call costs as usual.',
    go: 'Ask it',
    going: 'Asking…',
    answer: (model: string) => `${model} would have said`,
    wouldUse: 'It would use',
    cost: (price: string) => `It cost ${price}.`,
    noPrice: 'No price is known for it.',
  },
}
