/** The texts about a persona's life in English. */

import type { ErasedSentences, FactSentences } from '../life/fact-kinds.ts'
import { searchTitle } from '../shared/search-titles.ts'
import { searchServer, webServer } from '../shared/web-server.ts'

export type LifeStrings = typeof text

const hiddenReasons: Readonly<Record<string, string>> = {
  deleted: 'You deleted a message from the talk.',
  edited: 'You edited a message.',
  replaced: 'Another answer is shown.',
}

const testResults: Readonly<Record<string, string>> = {
  works: 'it works.',
  no_tools: 'it can talk, but not use tools.',
  fails: 'it does not work.',
}

const outcomes: Readonly<Record<string, string>> = {
  refused: 'the model refused it',
  hushed: 'it was stopped',
  unreachable: 'the model did not answer',
}

const toTool = (getField: (name: string) => string): string =>
  getField('server') === webServer
    ? `reading pages of ${getField('tool')}`
    : getField('server') === searchServer
      ? `searching the web with ${searchTitle(getField('tool'))}`
      : `${getField('tool')} of ${getField('server')}`

export const text = {
  title: (name: string) => `${name}'s life`,
  empty: (name: string) => `There are no events of this kind in ${name}'s life yet.`,
  emptyWay: 'Show the main things',
  days: 'Activity, day by day',
  hours: 'Activity, hour by hour',
  scrub: (name: string) => `A moment in ${name}'s life`,
  busy: (time: string, count: string) => `${time}: ${count}`,
  calls: (count: number) => (count === 1 ? 'one model call' : `${count} model calls`),
  things: (count: number) => (count === 1 ? 'one event' : `${count} events`),
  now: 'now',
  born: 'The beginning',
  asOfThen: (name: string, time: string) => `You are looking at ${name} as of ${time}.`,
  thenUnknown: (name: string) => `You are looking at ${name} in the past.`,
  thenHint: 'The past cannot be changed.',
  backToNow: 'Back to now',
  otherMoment: 'Another moment',
  compare: 'Compare two moments…',
  compareThen: 'What has changed since…',
  fork: 'A copy from this moment…',
  forkNow: 'Create a copy…',
  what: 'What happened',
  filter: 'Show',
  kind: {
    main: 'The main things',
    talk: 'Talk',
    memory: 'Memory',
    calendar: 'Calendar',
    organs: 'Abilities',
    channels: 'Channels',
    life: 'Start and stop',
    workings: 'Details',
  },
  older: 'Earlier',
  damaged: (reason: string) => `The history is damaged: ${reason}. Later events cannot be shown.`,
  erased: 'The text was erased.',
  byPerson: 'By you',
  byAgent: (name: string) => `By ${name}`,
  byDaemon: 'By Daimon',
  byClock: 'At the planned time',
  undoes: (seq: number) => `undoes event ${seq}`,
  position: (seq: number) => `Event ${seq}`,
  about: 'It was about',
  asOf: 'Show everything as it was then',
  inTalk: 'In the talk',
  openTurn: 'Details of this answer',
  links: {
    causes: 'What led to this',
    effects: 'What came of it',
    further: { causes: 'Further back', effects: 'Further on' },
    of: (label: string, sentence: string) => `${label}: ${sentence}`,
    none: { causes: 'Nothing else in the history led to it.', effects: 'It has no effects yet.' },
    goesBack: 'It goes back to',
    cut: 'There is more than is shown here.',
    damaged: 'This event is damaged.',
    relation: {
      message: 'Message',
      talk: 'Conversation',
      due: 'Due',
      memory: 'Known from memory',
      source: 'Source',
      turn: 'Same answer',
      call: 'Model call',
      tool: 'Use of a tool',
      result: 'Result',
      approval: 'Permission',
      with: 'Same step',
      about: 'About it',
      earlier: 'Earlier state',
      life: 'Start',
      undoes: 'Undo',
      through: 'By several steps',
    },
  },
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
  status: { active: 'active', hibernate: 'asleep', sick: 'has a problem' },
  document: {
    person: 'About you',
    traits: 'How you are',
    'persona-trait': 'How the persona is',
    wishes: 'Wishes',
    struggles: 'Struggles',
    permissions: 'Permissions',
    self: 'The persona about itself',
  },
  fact: {
    PersonaCreated: (name) => `${name} was created.`,
    PersonaRestored: (name) => `${name} was restored from a backup file.`,
    PersonaForked: (name) => `${name} was created as a copy.`,
    PersonaDeleted: (name) => `${name} was deleted.`,
    Renamed: (_, getField) => `The name was changed to ${getField('name')}.`,
    CharacterSet: (name, getField) =>
      getField('text') ? `The character of ${name} was set` : `The character of ${name} was removed.`,
    LineMarked: (name) => `A message of ${name} became an example of how ${name} speaks.`,
    LineUnmarked: (name) => `A message of ${name} is no example any more.`,
    PortraitChosen: (name) => `${name} got a new portrait.`,
    PortraitRemoved: (name) => `The portrait of ${name} was removed.`,
    IdleTimeoutSet: (name, getField) =>
      `${name} now sums up the talk after ${getField('seconds')} seconds without a message.`,
    CareSet: (_, getField) =>
      getField('help') === 'false'
        ? 'You switched the help in danger off.'
        : 'You changed the help in danger.',
    OrganReplaced: (_, getField) => `${getField('slot')}: changed to ${getField('model')}.`,
    OrganRemoved: (_, getField) => `${getField('slot')}: removed.`,
    StatusSet: (name, getField) =>
      getField('status') === 'active'
        ? `${name} was set to active.`
        : getField('status') === 'sick'
          ? `${name} got a problem.`
          : `${name} was put to sleep.`,
    PhraseChanged: () => 'New recovery words were made.',
    PhraseConfirmed: () => 'The recovery words were confirmed.',
    FactsErased: (_, getField) => `Text was erased permanently, in ${getField('facts')} events.`,
    Lost: () => 'The events here are lost.',
    Salvaged: (_, getField) =>
      `The damaged history was rescued: ${getField('kept')} events kept, ${getField('lost')} lost.`,
    StartAsked: (name) => `${name} was asked to start.`,
    StopAsked: (name) => `${name} was asked to stop.`,
    RestartAsked: (name) => `${name} was asked to restart.`,
    Woke: (name) => `${name} started.`,
    Stopped: (name) => `${name} stopped.`,
    WakingFailed: (name) => `${name} could not start.`,
    Hosted: (name, getField) => `${name} moved to the machine ${getField('daemon')}.`,
    OrganFailed: (_, getField) => `${getField('slot')}: stopped working.`,
    OrganRecovered: (_, getField) => `${getField('slot')}: works again.`,
    MindTested: (_, getField) =>
      `The model ${getField('model')} was tested: ${testResults[getField('result')] ?? ''}`,
    ChannelAdded: (_, getField) => `The ${getField('kind')} bot ${getField('name')} was added.`,
    ChannelRemoved: () => 'A channel was removed.',
    ChannelPaired: (_, getField) => `A channel was connected with ${getField('target')}.`,
    ChannelTroubled: () => 'A channel stopped working.',
    ChannelRecovered: () => 'A channel works again.',
    Delivered: (_, getField) => `The message of event ${getField('message')} was delivered.`,
    PartsDelivered: (_, getField) => `Part of the message of event ${getField('message')} was delivered.`,
    DeliveryFailed: (_, getField) => `The message of event ${getField('message')} could not be delivered.`,
    SkillAdded: (_, getField) => `The skill ${getField('name')} was added. Look at it before you enable it.`,
    SkillEnabled: (_, getField) => `You enabled the skill ${getField('name')}.`,
    SkillDisabled: (_, getField) => `You disabled the skill ${getField('name')}.`,
    ResponseBegan: () => 'A program asked for a response.',
    ResponseEnded: (name) => `${name} answered a program`,
    SkillRemoved: (_, getField) => `The skill ${getField('name')} was removed.`,
    HistoryFed: (name, getField) =>
      `${name} learned from a chat of yours with another AI, from ${getField('source')}.`,
    MessageHeard: (_, getField) => (getField('channel') === '' ? 'A program said' : 'You said'),
    MessageSpoken: (name) => `${name} said`,
    MessagesHidden: (_, getField) =>
      hiddenReasons[getField('reason')] ?? 'Messages were deleted from the talk.',
    MessagesShown: () => 'Messages are shown in the talk again.',
    AnswerAsked: (name, getField) =>
      getField('mode') === 'continue'
        ? `${name} was asked to continue the answer.`
        : `${name} was asked for another answer.`,
    GreetingAsked: (name) => `${name} was asked to speak first.`,
    TurnBegan: (name) => `${name} began an answer.`,
    ModelAnswered: (_, getField) => `${getField('organ')}: answer from ${getField('model')}.`,
    ModelFailed: (_, getField) => `${getField('organ')}: no answer from ${getField('model')}.`,
    MediaDescribed: (name, getField) =>
      getField('outcome') === 'refused' ? `${name} could not read a file.` : `${name} read a file.`,
    ToolCalled: (name, getField) => `${name} used “${getField('action')}”.`,
    ToolAnswered: (_, getField) =>
      getField('ok') === 'true' ? `Result of “${getField('action')}”` : `“${getField('action')}” failed.`,
    ToolServerSet: (_, getField) => `The tool server ${getField('name')} was set up.`,
    ToolServerRemoved: (_, getField) => `The tool server ${getField('name')} was removed.`,
    ToolModeSet: (_, getField) =>
      getField('mode') === 'off'
        ? `You switched ${toTool(getField)} off.`
        : getField('mode') === 'ask'
          ? `You want to be asked about ${toTool(getField)}.`
          : `You allowed ${toTool(getField)}.`,
    CalendarSubscribed: (_, getField) => `You subscribed to the calendar ${getField('name')}.`,
    MailboxConnected: (_, getField) => `You connected the mailbox ${getField('name')}.`,
    MailboxDisconnected: () => 'You disconnected a mailbox.',
    MailRead: (name) => `${name} read a mail.`,
    MailsShown: (name) => `${name} looked at the mails.`,
    CalendarUnsubscribed: () => 'You removed a subscribed calendar.',
    SearchProvidersSet: () => 'You changed how the web is searched.',
    WebSearched: (name, getField) => `${name} searched the web with ${searchTitle(getField('provider'))}.`,
    ApprovalAsked: (name, getField) =>
      getField('server') === webServer
        ? `${name} asked to read pages of ${getField('tool')}`
        : getField('server') === searchServer
          ? `${name} asked to search the web with ${searchTitle(getField('tool'))}`
          : `${name} asked to use ${toTool(getField)}`,
    ApprovalSettled: (_, getField) =>
      ({
        once: 'You allowed a tool this once.',
        always: 'You allowed a tool from now on.',
        no: 'You did not allow a tool.',
        expired: 'A request to use a tool expired after a day without an answer.',
      })[getField('decision')] ?? 'A request to use a tool was withdrawn.',
    TurnResumed: (name) => `${name} continued the answer.`,
    TurnEnded: (name, getField) =>
      getField('outcome') === 'answered'
        ? `${name} finished the answer.`
        : `The answer ended early: ${outcomes[getField('outcome')] ?? getField('outcome')}.`,
    MemoryKept: (name, getField) =>
      getField('origin') === 'person' ? `You added to ${name}'s memory` : `${name} learned`,
    MemoryRevised: (name, getField) =>
      getField('origin') === 'person' ? `You corrected ${name}'s memory` : `${name} corrected a statement`,
    MemoryForgotten: () => 'A statement was forgotten.',
    MemoryRestored: () => 'A statement was restored',
    MemoryPinned: (_, getField) =>
      getField('pinned') === 'true' ? 'A statement was pinned' : 'A statement was unpinned',
    MemoryProposed: () => 'A program proposed something to remember',
    ProposalSettled: (_, getField) =>
      getField('accepted') === 'true' ? 'You accepted a proposal.' : 'You declined a proposal.',
    ContextCarried: (name) => `${name} summed up the talk.`,
    InstructionLearned: (name) => `${name} learned an instruction`,
    InstructionRevised: (name) => `${name} changed an instruction`,
    InstructionRemoved: () => 'A learned instruction was removed.',
    EntryPlanned: (_, getField) =>
      getField('kind') === 'reminder'
        ? `Reminder planned for ${getField('when')}`
        : `Appointment planned for ${getField('when')}`,
    EntryMoved: (_, getField) => `Moved to ${getField('when')}`,
    EntryCancelled: () => 'A calendar entry was cancelled.',
    InitiativeChosen: (name, getField) =>
      getField('level') === 'off'
        ? `${name} no longer writes by itself.`
        : `${name} may write by itself (${getField('level')}).`,
    InitiativePlanned: (name) => `${name} noted a reason to write`,
    InitiativeMoved: () => 'A reason to write was changed',
    InitiativeRemoved: () => 'A reason to write was removed.',
    InitiativeDisliked: () => 'You want less of this',
    InitiativeConsidered: (name) => `${name} considers whether to write.`,
    InitiativeSettled: (name, getField) => {
      if (getField('outcome') === 'spoke') return `${name} wrote by itself.`
      return getField('outcome') === 'silent'
        ? `${name} had a reason to write, and had nothing to say.`
        : 'A reason to write has passed.'
    },
    EntryDue: () => 'A calendar entry was due.',
    EntryDone: () => 'A due calendar entry was delivered.',
    SleepBegan: (name) => `${name} began to go over the day.`,
    DayClosed: () => 'Summary of a day',
    DiaryWritten: () => 'A backup file was written.',
    SleepEnded: (name, getField) =>
      getField('outcome') === 'slept'
        ? `${name} finished going over the day.`
        : `${name} could not go over the day.`,
  } satisfies FactSentences as FactSentences,
  /** For facts whose erased text is part of the normal sentence. */
  factErased: {
    MessageHeard: () => 'A message came in',
    MediaDescribed: (name) => `${name} was given a file.`,
    HistoryFed: (name) => `${name} learned from a chat of yours with another AI.`,
    CharacterSet: (name) => `The character of ${name} was changed.`,
    MemoryKept: (name) => `A statement was added to ${name}'s memory`,
    MemoryRevised: (name) => `A statement in ${name}'s memory was corrected`,
    EntryPlanned: () => 'Something was planned',
    EntryMoved: () => 'A calendar entry was moved',
    ModelAnswered: () => 'A model answered.',
    ModelFailed: () => 'A model gave no answer.',
    ToolCalled: (name) => `${name} used a tool.`,
    ToolAnswered: () => 'A tool returned a result.',
    TurnEnded: () => 'An answer ended.',
  } satisfies ErasedSentences as ErasedSentences,
  past: {
    status: (name: string, status: string) => `Status of ${name}: ${status}.`,
    called: (name: string, oldName: string) => `${name} was called ${oldName} then.`,
    talk: 'The talk at that time',
    noTalk: 'There were no messages yet.',
    organs: 'Abilities',
    days: 'Past days',
    usage: 'Usage until then',
    used: (calls: string, tokens: string, time: string) => `${calls} model calls, ${tokens} tokens, ${time}`,
  },
  forking: {
    title: (name: string) => `A copy of ${name}`,
    body: (name: string) =>
      `A new persona with the same past, up to that moment. ${name} stays as it is; the two do not know of each other. Channels and keys stay with ${name}, and reminders are not delivered twice.`,
    again: 'The copy answers this message again. Both answers can be compared there.',
    from: (time: string) => `The same past until ${time}.`,
    name: 'Name',
    nameNew: (name: string) => `${name} II`,
    mind: 'Model',
    same: 'The model of that time',
    other: 'Another model',
    go: 'Create the copy',
    going: 'Creating the copy…',
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
    revised: 'Corrected',
    forgotten: 'Forgotten',
    instructions: 'Instructions learned',
    instructionsRevised: 'Instructions changed',
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
    body: 'The text is erased wherever Daimon stores it: in the history, in model calls, in the search and in files. Only the kind and the time of the event are kept. This cannot be undone.',
    beyond:
      'Text that was sent to a chat or a provider, or is in a copied backup file, cannot be erased from here.',
    looking: 'Looking for other places with this text…',
    these: 'This text',
    also: 'Derived from this text',
    alsoHint: 'Answers, statements, calendar entries and summaries of days that contain it.',
    alsoToo: (count: number) =>
      count === 1 ? 'Erase the derived one, too' : `Erase the ${count} derived ones, too`,
    nothingElse: 'Nothing else was derived from it.',
    diaries: (count: number) =>
      count === 1 ? 'One backup file here contains it' : `${count} backup files here contain it`,
    diariesToo: 'Remove those backup files, too',
    forks: (count: number) =>
      count === 1 ? 'One other persona has the same past' : `${count} other personas have the same past`,
    forksHint: (name: string) =>
      `It shares this text with ${name}, because one is a copy of the other. The text stays there unless you erase it there, too.`,
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
    title: (name: string) => `Details of an answer by ${name}`,
    back: 'All events',
    outcome: {
      answered: 'answered',
      refused: 'refused by the model',
      hushed: 'stopped',
      unreachable: 'the model did not answer',
    },
    going: 'not finished yet',
    heard: 'Incoming messages',
    due: 'Due entries',
    perceived: 'Files',
    steps: 'Step by step',
    profile: { full: 'full tools and instructions', compact: 'compact tools and instructions' },
    step: (count: number) => `Step ${count}`,
    used: 'Tools',
    input: 'Input',
    output: 'Result',
    failed: 'failed',
    learned: 'Results',
    said: 'Messages of this answer',
    calls: 'All model calls',
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
    incomplete: 'This answer has too many steps to show all of them.',
    role: { user: 'to the model', assistant: 'the model', tool: 'a tool', system: 'system prompt' },
  },
  other: {
    title: 'Ask another model the same',
    hint: 'The first request to the model is sent again unchanged. The answer is not saved, no tool is used, and the request costs as usual.',
    go: 'Ask it',
    going: 'Asking…',
    answer: (model: string) => `${model} would have said`,
    wouldUse: 'It would use',
    cost: (price: string) => `It cost ${price}.`,
    noPrice: 'No price is known for it.',
  },
}
