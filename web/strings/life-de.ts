/** The texts about a persona's life in German. */

import type { ErasedSentences, FactSentences } from '../life/fact-kinds.ts'
import type { LifeStrings } from './life-en.ts'

const hiddenReasons: Readonly<Record<string, string>> = {
  deleted: 'Du hast eine Nachricht gelöscht.',
  edited: 'Du hast eine Nachricht neu geschrieben.',
  replaced: 'Eine andere Antwort ist zu sehen.',
}

const testResults: Readonly<Record<string, string>> = {
  works: 'es funktioniert.',
  no_tools: 'es spricht, kann aber keine Werkzeuge benutzen.',
  fails: 'es funktioniert nicht.',
}

export const text: LifeStrings = {
  title: (name: string) => `${name}s Leben`,
  empty: (name: string) => `In ${name}s Leben gibt es noch keine Ereignisse dieser Art.`,
  emptyWay: 'Das Wesentliche zeigen',
  days: 'Wie viel an jedem Tag geschah',
  hours: 'Wie viel in jeder Stunde geschah',
  scrub: (name: string) => `Ein Moment in ${name}s Leben`,
  busy: (time: string, count: string) => `${time}: ${count}`,
  calls: (count: number) => (count === 1 ? 'ein Gedanke' : `${count} Gedanken`),
  things: (count: number) => (count === 1 ? 'eines geschah' : `${count} Dinge geschahen`),
  now: 'jetzt',
  born: 'Der Anfang',
  asOfThen: (name: string, time: string) => `Du siehst ${name}, Stand ${time}.`,
  thenUnknown: (name: string) => `Du siehst ${name} in der Vergangenheit.`,
  thenHint: 'Wie es damals war, lässt sich nicht ändern.',
  backToNow: 'Zurück zu jetzt',
  otherMoment: 'Ein anderer Moment',
  compare: 'Zwei Momente vergleichen…',
  compareThen: 'Was sich seitdem geändert hat…',
  fork: 'Von hier abzweigen…',
  forkNow: 'Eine Abzweigung erstellen…',
  what: 'Was geschehen ist',
  filter: 'Zeigen',
  kind: {
    main: 'Das Wesentliche',
    talk: 'Gespräch',
    memory: 'Gedächtnis',
    calendar: 'Kalender',
    organs: 'Fähigkeiten',
    channels: 'Kanäle',
    life: 'Leben',
    workings: 'Einzelheiten',
  },
  older: 'Früheres',
  damaged: (reason: string) =>
    `Das Journal ist beschädigt: ${reason}. Spätere Ereignisse lassen sich nicht zeigen.`,
  erased: 'Der Text wurde gelöscht.',
  byPerson: 'Von dir',
  byAgent: (name: string) => `Von ${name}`,
  byDaemon: 'Vom Dienst',
  byClock: 'Von der Uhr',
  undoes: (seq: number) => `macht ${seq} rückgängig`,
  position: (seq: number) => `Stelle ${seq}`,
  about: 'Es ging um',
  asOf: 'Alles sehen, wie es damals war',
  inTalk: 'Im Gespräch',
  openTurn: 'Den Gedankengang öffnen',
  undo: 'Rückgängig machen',
  undoing: 'Wird rückgängig gemacht…',
  undone: 'Rückgängig gemacht.',
  erase: 'Den Text löschen…',
  choosing: {
    begin: 'Mehrere auswählen',
    chosen: (count: number) =>
      count === 0 ? 'Noch nichts ausgewählt' : count === 1 ? 'Eines ausgewählt' : `${count} ausgewählt`,
    keys: 'Die Leertaste wählt aus, Eingabe geht weiter, Escape beendet.',
    erase: (count: number) =>
      count === 0
        ? 'Den Text löschen…'
        : count === 1
          ? 'Den Text von einem löschen…'
          : `Den Text von ${count} löschen…`,
    done: 'Fertig',
  },
  status: { active: 'wach', hibernate: 'im Winterschlaf', sick: 'krank' },
  document: {
    person: 'Du',
    traits: 'Deine Art',
    'persona-trait': 'Die eigene Art',
    wishes: 'Wünsche',
    struggles: 'Schwierigkeiten',
    permissions: 'Erlaubnisse',
    self: 'Über sich selbst',
  },
  fact: {
    PersonaCreated: (name) => `${name} wachte zum ersten Mal auf.`,
    PersonaRestored: (name) => `${name} wurde aus einem Tagebuch zurückgeholt.`,
    PersonaForked: (name) => `Von hier an geht ${name} einen eigenen Weg.`,
    PersonaDeleted: (name) => `${name} wurde gelöscht.`,
    Renamed: (_, getField) => `Der Name wurde ${getField('name')}.`,
    CharacterSet: (name, getField) =>
      getField('text')
        ? `Der Charakter von ${name} wurde festgelegt`
        : `Der Charakter von ${name} wurde entfernt.`,
    IdleTimeoutSet: (name, getField) =>
      `${name} fasst das Gespräch nun nach ${getField('seconds')} Sekunden Stille zusammen.`,
    OrganReplaced: (_, getField) => `${getField('slot')}: nun ${getField('model')}.`,
    OrganRemoved: (_, getField) => `${getField('slot')}: entfernt.`,
    StatusSet: (name, getField) =>
      getField('status') === 'active'
        ? `${name} soll wach sein.`
        : getField('status') === 'sick'
          ? `${name} wurde krank.`
          : `${name} hält Winterschlaf.`,
    PhraseChanged: () => 'Neue Wiederherstellungswörter wurden gemacht.',
    PhraseConfirmed: () => 'Es wurde bestätigt, dass die 24 Wörter verwahrt sind.',
    FactsErased: (_, getField) => `Text wurde endgültig gelöscht, in ${getField('facts')} Ereignissen.`,
    Lost: () => 'Die Ereignisse hier sind verloren.',
    Salvaged: (_, getField) =>
      `Das beschädigte Journal wurde gerettet: ${getField('kept')} Ereignisse behalten, ${getField('lost')} verloren.`,
    StartAsked: (name) => `${name} sollte starten.`,
    StopAsked: (name) => `${name} sollte anhalten.`,
    RestartAsked: (name) => `${name} sollte neu starten.`,
    Woke: (name) => `${name} wachte auf.`,
    Stopped: (name) => `${name} hielt an.`,
    WakingFailed: (name) => `${name} konnte nicht aufwachen.`,
    Hosted: (name, getField) => `${name} zog auf den Daemon ${getField('daemon')} um.`,
    OrganFailed: (_, getField) => `${getField('slot')}: fiel aus.`,
    OrganRecovered: (_, getField) => `${getField('slot')}: arbeitet wieder.`,
    MindTested: (_, getField) =>
      `${getField('model')} wurde als Geist geprüft: ${testResults[getField('result')] ?? ''}`,
    ChannelAdded: (_, getField) => `Der Bot ${getField('name')} (${getField('kind')}) kam hinzu.`,
    ChannelRemoved: () => 'Ein Kanal wurde entfernt.',
    ChannelPaired: (_, getField) => `Ein Kanal wurde mit ${getField('target')} verbunden.`,
    ChannelTroubled: () => 'Ein Kanal macht Schwierigkeiten.',
    ChannelRecovered: () => 'Ein Kanal geht wieder.',
    Delivered: (_, getField) => `Die Nachricht an Stelle ${getField('message')} wurde zugestellt.`,
    PartsDelivered: (_, getField) =>
      `Ein Teil der Nachricht an Stelle ${getField('message')} wurde zugestellt.`,
    DeliveryFailed: (_, getField) =>
      `Die Nachricht an Stelle ${getField('message')} ließ sich nicht zustellen.`,
    SkillAdded: (name, getField) =>
      `${name} bekam den Skill ${getField('name')}; bitte sieh ihn dir zuerst an.`,
    SkillEnabled: (_, getField) => `Du hast den Skill ${getField('name')} eingeschaltet.`,
    SkillDisabled: (_, getField) => `Du hast den Skill ${getField('name')} ausgeschaltet.`,
    SkillRemoved: (_, getField) => `Der Skill ${getField('name')} wurde entfernt.`,
    HistoryFed: (name, getField) =>
      `${name} lernte aus einem Chat, den du mit einer anderen KI hattest (${getField('source')}).`,
    MessageHeard: (_, getField) => (getField('channel') === '' ? 'Ein Programm sagte' : 'Du sagtest'),
    MessageSpoken: (name) => `${name} sagte`,
    MessagesHidden: (_, getField) =>
      hiddenReasons[getField('reason')] ?? 'Nachrichten wurden aus dem Gespräch entfernt.',
    MessagesShown: () => 'Nachrichten sind wieder im Gespräch zu sehen.',
    AnswerAsked: (name, getField) =>
      getField('mode') === 'continue'
        ? `${name} sollte die Antwort fortsetzen.`
        : `${name} sollte noch einmal antworten.`,
    GreetingAsked: (name) => `${name} sollte zuerst etwas sagen.`,
    TurnBegan: (name) => `${name} begann nachzudenken.`,
    ModelAnswered: (_, getField) => `${getField('organ')}: Antwort von ${getField('model')}.`,
    ModelFailed: (_, getField) => `${getField('organ')}: keine Antwort von ${getField('model')}.`,
    MediaDescribed: (name, getField) =>
      getField('outcome') === 'refused'
        ? `${name} konnte eine Datei nicht wahrnehmen.`
        : `${name} nahm eine Datei wahr.`,
    ToolCalled: (name, getField) => `${name} benutzte ${getField('name')}.`,
    ToolAnswered: (_, getField) =>
      getField('ok') === 'true' ? `${getField('name')} gab dies zurück.` : `${getField('name')} misslang.`,
    ToolServerSet: (_, getField) => `Der Werkzeugserver ${getField('name')} wurde eingerichtet.`,
    ToolServerRemoved: (_, getField) => `Der Werkzeugserver ${getField('name')} wurde entfernt.`,
    ToolModeSet: (_, getField) =>
      getField('mode') === 'off'
        ? `Du hast ${getField('tool')} von ${getField('server')} abgeschaltet.`
        : getField('mode') === 'ask'
          ? `Du möchtest bei ${getField('tool')} von ${getField('server')} gefragt werden.`
          : `Du hast ${getField('tool')} von ${getField('server')} erlaubt.`,
    SearchProvidersSet: () => 'Du hast die Websuche geändert.',
    WebSearched: (name, getField) => `${name} hat mit ${getField('provider')} im Web gesucht.`,
    ApprovalAsked: (name, getField) =>
      `${name} wollte ${getField('tool')} von ${getField('server')} benutzen`,
    ApprovalSettled: (_, getField) =>
      ({
        once: 'Du hast ein Werkzeug dieses eine Mal erlaubt.',
        always: 'Du hast ein Werkzeug ab jetzt erlaubt.',
        no: 'Du hast ein Werkzeug nicht erlaubt.',
        expired: 'Eine Anfrage, ein Werkzeug zu benutzen, blieb einen Tag lang ohne Antwort.',
      })[getField('decision')] ?? 'Eine Anfrage, ein Werkzeug zu benutzen, wurde zurückgezogen.',
    TurnResumed: (name) => `${name} dachte weiter.`,
    TurnEnded: (name, getField) =>
      getField('outcome') === 'answered'
        ? `${name} war fertig.`
        : `${name} brach ab: ${getField('outcome')}.`,
    MemoryKept: (name, getField) =>
      getField('origin') === 'person' ? `Du schriebst in ${name}s Gedächtnis` : `${name} lernte`,
    MemoryRevised: (name, getField) =>
      getField('origin') === 'person' ? `Du berichtigtest ${name}s Gedächtnis` : `${name} lernte es besser`,
    MemoryForgotten: (name) => `${name} vergaß einen Satz.`,
    MemoryRestored: (name) => `${name} weiß dies wieder`,
    MemoryPinned: (name, getField) =>
      getField('pinned') === 'true'
        ? `${name} hat einen Satz in jedem Gespräch im Sinn`
        : `${name} hat einen Satz nicht mehr in jedem Gespräch im Sinn`,
    MemoryProposed: () => 'Ein Programm schlug vor, sich etwas zu merken',
    ProposalSettled: (_, getField) =>
      getField('accepted') === 'true' ? 'Du nahmst den Vorschlag an.' : 'Du lehntest den Vorschlag ab.',
    ContextCarried: (name) => `${name} fasste das Gespräch zusammen.`,
    InstructionLearned: (name) => `${name} lernte, wie mit solchen Momenten umzugehen ist`,
    InstructionRevised: (name) => `${name} lernte, besser mit solchen Momenten umzugehen`,
    InstructionRemoved: () => 'Eine gelernte Anweisung wurde entfernt.',
    EntryPlanned: (_, getField) =>
      getField('kind') === 'reminder'
        ? `Eine Erinnerung für ${getField('when')}`
        : `Geplant für ${getField('when')}`,
    EntryMoved: (_, getField) => `Verschoben auf ${getField('when')}`,
    EntryCancelled: () => 'Ein Plan wurde abgesagt.',
    EntryDue: () => 'Ein Plan wurde fällig.',
    EntryDone: () => 'Ein fälliger Plan wurde zugestellt.',
    SleepBegan: (name) => `${name} schlief ein.`,
    DayClosed: () => 'Ein Tag war vorbei',
    DiaryWritten: () => 'Ein Tagebuch wurde geschrieben.',
    SleepEnded: (name, getField) =>
      getField('outcome') === 'slept' ? `${name} hatte geschlafen.` : `${name} konnte nicht schlafen.`,
  } satisfies FactSentences,
  factErased: {
    MessageHeard: () => 'Eine Nachricht kam an',
    MediaDescribed: (name) => `${name} bekam eine Datei.`,
    HistoryFed: (name) => `${name} lernte aus einem Chat, den du mit einer anderen KI hattest.`,
    CharacterSet: (name) => `Der Charakter von ${name} wurde geändert.`,
    MemoryKept: (name) => `Ein Satz kam in das Gedächtnis von ${name}`,
    MemoryRevised: (name) => `Ein Satz im Gedächtnis von ${name} wurde berichtigt`,
    EntryPlanned: () => 'Etwas wurde geplant',
    EntryMoved: () => 'Etwas Geplantes wurde verschoben',
    ModelAnswered: () => 'Ein Modell antwortete.',
    ModelFailed: () => 'Ein Modell gab keine Antwort.',
    ToolCalled: (name) => `${name} benutzte ein Werkzeug.`,
    ToolAnswered: () => 'Ein Werkzeug gab etwas zurück.',
    TurnEnded: (name) => `${name} dachte nicht weiter nach.`,
  } satisfies ErasedSentences,
  past: {
    status: (name: string, status: string) => `${name} war ${status}.`,
    called: (name: string, oldName: string) => `Damals hieß ${name} noch ${oldName}.`,
    talk: 'Das Gespräch von damals',
    noTalk: 'Noch war nichts gesagt.',
    organs: 'Fähigkeiten',
    days: 'Vergangene Tage',
    usage: 'Verbrauch bis dahin',
    used: (calls: string, tokens: string, time: string) =>
      `${calls} Modellaufrufe, ${tokens} Tokens, ${time}`,
  },
  forking: {
    title: (name: string) => `Eine Abzweigung von ${name}`,
    body: (name: string) =>
      `Eine neue Persona mit derselben Vergangenheit, bis zu diesem Moment. ${name} bleibt unverändert; die beiden wissen nichts voneinander. Kanäle und Schlüssel bleiben bei ${name}, und Erinnerungen werden nicht doppelt zugestellt.`,
    again:
      'Die Kopie antwortet noch einmal auf diese Nachricht. Dort lassen sich beide Antworten vergleichen.',
    from: (time: string) => `Dieselbe Vergangenheit bis ${time}.`,
    name: 'Name',
    nameNew: (name: string) => `${name} II`,
    mind: 'Geist',
    same: 'Der Geist von damals',
    other: 'Ein anderer Geist',
    go: 'Abzweigung erstellen',
    going: 'Abzweigung wird erstellt…',
  },
  keyHint: 'Wird hierfür benutzt und nie wieder gezeigt.',
  comparing: {
    title: 'Zwei Momente im Vergleich',
    from: 'Von',
    to: 'Bis',
    toHint: 'Leer heißt jetzt.',
    fromMissing: 'Bitte wähle einen Moment.',
    go: 'Vergleichen',
    going: 'Wird verglichen…',
    between: (from: string, to: string) => `Zwischen ${from} und ${to}`,
    nothing: 'Nichts ist anders.',
    before: 'vorher',
    after: 'nachher',
    none: 'keines',
    learned: 'Gelernt',
    revised: 'Berichtigt',
    forgotten: 'Vergessen',
    instructions: 'Gelernte Anweisungen',
    instructionsRevised: 'Berichtigte Anweisungen',
    instructionsRemoved: 'Entfernte Anweisungen',
    planned: 'Geplant',
    moved: 'Verschoben',
    fellDue: 'Fällig',
    cancelled: 'Abgesagt',
    organs: 'Fähigkeiten',
    channels: 'Kanäle',
    channelAdded: 'hinzugekommen',
    channelRemoved: 'entfernt',
    name: 'Name',
    status: 'Zustand',
    messages: (person: string, persona: string, name: string) =>
      `Nachrichten: ${person} von dir, ${persona} von ${name}.`,
  },
  erasing: {
    title: 'Text endgültig löschen',
    body: 'Gelöscht wird der Text selbst, wo immer der Daemon ihn speichert: im Journal, in Modellaufrufen, in der Suche, in Dateien. Erhalten bleibt, dass etwas geschehen ist, wann, und welcher Art. Das lässt sich nicht rückgängig machen.',
    beyond:
      'Text, der an einen Chat oder Anbieter gesendet wurde oder in einem kopierten Tagebuch steht, lässt sich von hier aus nicht löschen.',
    looking: 'Es wird nach weiteren Stellen mit diesem Text gesucht…',
    these: 'Dieser Text',
    also: 'Aus diesem Text entstanden',
    alsoHint: 'Antworten, Sätze im Gedächtnis, Pläne und Tage, die ihn enthalten.',
    alsoToo: (count: number) =>
      count === 1 ? 'Auch das daraus Entstandene löschen' : `Auch die ${count} daraus entstandenen löschen`,
    nothingElse: 'Sonst ist nichts daraus entstanden.',
    diaries: (count: number) =>
      count === 1 ? 'Ein Tagebuch hier enthält ihn' : `${count} Tagebücher hier enthalten ihn`,
    diariesToo: 'Auch diese Tagebücher entfernen',
    forks: (count: number) =>
      count === 1
        ? 'Eine andere Persona hat dieselbe Vergangenheit'
        : `${count} andere Personas haben dieselbe Vergangenheit`,
    forksHint: (name: string) =>
      `Sie teilt diesen Text mit ${name}, seit die eine von der anderen abgezweigt wurde. Dort bleibt er, wenn du ihn nicht auch dort löschst.`,
    forkToo: (name: string) => `Auch bei ${name} löschen`,
    doneBut: (names: string) => `Der Text ist hier gelöscht. Nicht gelöscht werden konnte er bei: ${names}.`,
    more: (count: number) => `und ${count} weitere`,
    on: 'Weiter',
    sure: (count: number) =>
      count === 1
        ? 'Der Text eines Ereignisses wird endgültig gelöscht. Bist du sicher?'
        : `Der Text von ${count} Ereignissen wird endgültig gelöscht. Bist du sicher?`,
    go: 'Endgültig löschen',
    going: 'Wird gelöscht…',
    done: 'Der Text ist gelöscht.',
  },
  turn: {
    title: (name: string) => `Wie ${name} zu einer Antwort kam`,
    back: 'Alle Ereignisse',
    outcome: {
      answered: 'beantwortet',
      refused: 'vom Modell abgelehnt',
      hushed: 'angehalten',
      unreachable: 'nicht erreicht',
    },
    going: 'denkt noch nach',
    heard: 'Eingegangene Nachrichten',
    due: 'Fällige Einträge',
    perceived: 'Wahrgenommene Dateien',
    steps: 'Schritt für Schritt',
    profile: {
      full: 'vollständige Werkzeuge und Anweisungen',
      compact: 'kompakte Werkzeuge und Anweisungen',
    },
    step: (count: number) => `Schritt ${count}`,
    used: 'Werkzeuge',
    input: 'Hineingegeben',
    output: 'Zurückbekommen',
    failed: 'misslungen',
    learned: 'Ergebnisse',
    said: 'Nachrichten des Zugs',
    calls: 'Jeder Modellaufruf im Wortlaut',
    call: (count: number, organ: string) => `Aufruf ${count}: ${organ}`,
    verified: 'genau wie gesendet',
    unverified: 'vielleicht anders als gesendet',
    gone: 'Die Anfrage ist nicht mehr gespeichert.',
    system: 'Systemprompt',
    messages: (count: number) => `Nachrichten (${count})`,
    tools: (count: number) => `Angebotene Werkzeuge (${count})`,
    toolsGone: 'Die angebotenen Werkzeuge sind nicht mehr gespeichert.',
    parts: 'Teile des Prompts',
    answer: 'Antwort',
    noWords: 'Kein Text.',
    tokens: (input: string, output: string) => `${input} Tokens hinein, ${output} heraus`,
    incomplete: 'Dieser Gedankengang ist zu lang, um ganz gezeigt zu werden.',
    role: { user: 'ans Modell', assistant: 'das Modell', tool: 'ein Werkzeug', system: 'Systemprompt' },
  },
  other: {
    title: 'Ein anderes Modell dasselbe fragen',
    hint: 'Der erste Aufruf des Geistes wird unverändert noch einmal gesendet. Die Antwort wird nicht gespeichert, kein Werkzeug wird benutzt, und der Aufruf kostet wie üblich.',
    go: 'Fragen',
    going: 'Wird gefragt…',
    answer: (model: string) => `${model} hätte gesagt`,
    wouldUse: 'Benutzen würde es',
    cost: (price: string) => `Das kostete ${price}.`,
    noPrice: 'Dafür ist kein Preis bekannt.',
  },
}
