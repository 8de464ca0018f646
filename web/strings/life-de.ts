/** The texts about a persona's life in German. */

import type { ErasedSentences, FactSentences } from '../life/fact-kinds.ts'
import { searchTitle } from '../shared/search-titles.ts'
import { searchServer, webServer } from '../shared/web-server.ts'
import type { LifeStrings } from './life-en.ts'

const hiddenReasons: Readonly<Record<string, string>> = {
  deleted: 'Du hast eine Nachricht aus dem Gespräch entfernt.',
  edited: 'Du hast eine Nachricht bearbeitet.',
  replaced: 'Eine andere Antwort wird gezeigt.',
}

const testResults: Readonly<Record<string, string>> = {
  works: 'es funktioniert.',
  no_tools: 'es kann sprechen, aber keine Werkzeuge benutzen.',
  fails: 'es funktioniert nicht.',
}

const outcomes: Readonly<Record<string, string>> = {
  refused: 'das Modell hat abgelehnt',
  hushed: 'sie wurde angehalten',
  unreachable: 'das Modell hat nicht geantwortet',
}

const toTool = (getField: (name: string) => string): string =>
  getField('server') === webServer
    ? `das Lesen von Seiten (${getField('tool')})`
    : getField('server') === searchServer
      ? `die Websuche (${searchTitle(getField('tool'))})`
      : `${getField('tool')} von ${getField('server')}`

export const text: LifeStrings = {
  title: (name: string) => `Das Leben von ${name}`,
  empty: (name: string) => `Im Leben von ${name} gibt es noch keine Ereignisse dieser Art.`,
  emptyWay: 'Das Wichtigste zeigen',
  days: 'Ereignisse pro Tag',
  hours: 'Ereignisse pro Stunde',
  scrub: (name: string) => `Ein Zeitpunkt im Leben von ${name}`,
  busy: (time: string, count: string) => `${time}: ${count}`,
  calls: (count: number) => (count === 1 ? 'ein Modellaufruf' : `${count} Modellaufrufe`),
  things: (count: number) => (count === 1 ? 'ein Ereignis' : `${count} Ereignisse`),
  now: 'jetzt',
  born: 'Der Anfang',
  asOfThen: (name: string, time: string) => `Du siehst ${name}, Stand ${time}.`,
  thenUnknown: (name: string) => `Du siehst ${name} in der Vergangenheit.`,
  thenHint: 'Die Vergangenheit lässt sich nicht ändern.',
  backToNow: 'Zurück zur Gegenwart',
  otherMoment: 'Ein anderer Zeitpunkt',
  compare: 'Zwei Zeitpunkte vergleichen…',
  compareThen: 'Was sich seitdem geändert hat…',
  fork: 'Kopie ab diesem Zeitpunkt…',
  forkNow: 'Kopie erstellen…',
  what: 'Was geschehen ist',
  filter: 'Zeigen',
  kind: {
    main: 'Das Wichtigste',
    talk: 'Gespräch',
    memory: 'Gedächtnis',
    calendar: 'Kalender',
    organs: 'Fähigkeiten',
    channels: 'Kanäle',
    life: 'Start und Stopp',
    workings: 'Details',
  },
  older: 'Frühere Ereignisse',
  damaged: (reason: string) =>
    `Der Verlauf ist beschädigt: ${reason}. Spätere Ereignisse lassen sich nicht zeigen.`,
  erased: 'Der Text wurde gelöscht.',
  byPerson: 'Von dir',
  byAgent: (name: string) => `Von ${name}`,
  byDaemon: 'Von Daimon',
  byClock: 'Zur geplanten Zeit',
  undoes: (seq: number) => `macht Ereignis ${seq} rückgängig`,
  position: (seq: number) => `Ereignis ${seq}`,
  about: 'Es ging um',
  asOf: 'Alles so zeigen, wie es damals war',
  inTalk: 'Im Gespräch',
  openTurn: 'Details dieser Antwort',
  links: {
    causes: 'Wie es dazu kam',
    effects: 'Was daraus wurde',
    further: { causes: 'Weiter zurück', effects: 'Weiter' },
    of: (label: string, sentence: string) => `${label}: ${sentence}`,
    none: { causes: 'Nichts anderes im Verlauf führte dazu.', effects: 'Daraus wurde noch nichts.' },
    goesBack: 'Es geht zurück auf',
    cut: 'Es gibt mehr, als hier steht.',
    damaged: 'Dieses Ereignis ist beschädigt.',
    relation: {
      message: 'Nachricht',
      talk: 'Gespräch',
      due: 'Fällig',
      memory: 'Aus dem Gedächtnis',
      source: 'Quelle',
      turn: 'Dieselbe Antwort',
      call: 'Modellaufruf',
      tool: 'Einsatz eines Werkzeugs',
      result: 'Ergebnis',
      approval: 'Erlaubnis',
      with: 'Derselbe Schritt',
      about: 'Darum geht es',
      earlier: 'Früherer Stand',
      life: 'Start',
      undoes: 'Rückgängig gemacht',
      through: 'Über mehrere Schritte',
    },
  },
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
  status: { active: 'aktiv', hibernate: 'schläft', sick: 'hat ein Problem' },
  document: {
    person: 'Über dich',
    traits: 'Wie du bist',
    'persona-trait': 'Wie die Persona ist',
    wishes: 'Wünsche',
    struggles: 'Sorgen',
    permissions: 'Erlaubnisse',
    self: 'Die Persona über sich',
  },
  fact: {
    PersonaCreated: (name) => `${name} wurde erstellt.`,
    PersonaRestored: (name) => `${name} wurde aus einer Sicherungsdatei wiederhergestellt.`,
    PersonaForked: (name) => `${name} wurde als Kopie erstellt.`,
    PersonaDeleted: (name) => `${name} wurde gelöscht.`,
    Renamed: (_, getField) => `Der Name wurde in ${getField('name')} geändert.`,
    CharacterSet: (name, getField) =>
      getField('text')
        ? `Der Charakter von ${name} wurde festgelegt`
        : `Der Charakter von ${name} wurde entfernt.`,
    LineMarked: (name) => `Eine Nachricht von ${name} wurde zum Beispiel dafür, wie ${name} spricht.`,
    LineUnmarked: (name) => `Eine Nachricht von ${name} ist kein Beispiel mehr.`,
    PortraitChosen: (name) => `${name} bekam ein neues Porträt.`,
    PortraitRemoved: (name) => `Das Porträt von ${name} wurde entfernt.`,
    IdleTimeoutSet: (name, getField) =>
      `${name} fasst das Gespräch jetzt nach ${getField('seconds')} Sekunden ohne Nachricht zusammen.`,
    CareSet: (_, getField) =>
      getField('help') === 'false'
        ? 'Du hast die Hilfe in Not abgeschaltet.'
        : 'Du hast die Hilfe in Not geändert.',
    OrganReplaced: (_, getField) => `${getField('slot')}: jetzt ${getField('model')}.`,
    OrganRemoved: (_, getField) => `${getField('slot')}: entfernt.`,
    StatusSet: (name, getField) =>
      getField('status') === 'active'
        ? `${name} wurde auf aktiv gesetzt.`
        : getField('status') === 'sick'
          ? `${name} hat ein Problem bekommen.`
          : `${name} wurde schlafen gelegt.`,
    PhraseChanged: () => 'Neue Wiederherstellungswörter wurden erstellt.',
    PhraseConfirmed: () => 'Die Wiederherstellungswörter wurden bestätigt.',
    FactsErased: (_, getField) => `Text wurde endgültig gelöscht, in ${getField('facts')} Ereignissen.`,
    Lost: () => 'Die Ereignisse hier sind verloren.',
    Salvaged: (_, getField) =>
      `Der beschädigte Verlauf wurde gerettet: ${getField('kept')} Ereignisse behalten, ${getField('lost')} verloren.`,
    StartAsked: (name) => `${name} sollte gestartet werden.`,
    StopAsked: (name) => `${name} sollte angehalten werden.`,
    RestartAsked: (name) => `${name} sollte neu gestartet werden.`,
    Woke: (name) => `${name} wurde gestartet.`,
    Stopped: (name) => `${name} wurde angehalten.`,
    WakingFailed: (name) => `${name} ließ sich nicht starten.`,
    Hosted: (name, getField) => `${name} ist auf den Rechner ${getField('daemon')} umgezogen.`,
    OrganFailed: (_, getField) => `${getField('slot')}: funktioniert nicht mehr.`,
    OrganRecovered: (_, getField) => `${getField('slot')}: funktioniert wieder.`,
    MindTested: (_, getField) =>
      `Das Modell ${getField('model')} wurde geprüft: ${testResults[getField('result')] ?? ''}`,
    ChannelAdded: (_, getField) => `Der Bot ${getField('name')} (${getField('kind')}) wurde hinzugefügt.`,
    ChannelRemoved: () => 'Ein Kanal wurde entfernt.',
    ChannelPaired: (_, getField) => `Ein Kanal wurde mit ${getField('target')} verbunden.`,
    ChannelTroubled: () => 'Ein Kanal funktioniert nicht mehr.',
    ChannelRecovered: () => 'Ein Kanal funktioniert wieder.',
    Delivered: (_, getField) => `Die Nachricht von Ereignis ${getField('message')} wurde zugestellt.`,
    PartsDelivered: (_, getField) =>
      `Ein Teil der Nachricht von Ereignis ${getField('message')} wurde zugestellt.`,
    DeliveryFailed: (_, getField) =>
      `Die Nachricht von Ereignis ${getField('message')} ließ sich nicht zustellen.`,
    SkillAdded: (_, getField) =>
      `Die Fertigkeit ${getField('name')} wurde hinzugefügt. Sieh sie dir an, bevor du sie einschaltest.`,
    SkillEnabled: (_, getField) => `Du hast die Fertigkeit ${getField('name')} eingeschaltet.`,
    SkillDisabled: (_, getField) => `Du hast die Fertigkeit ${getField('name')} ausgeschaltet.`,
    ResponseBegan: () => 'Ein Programm hat um eine Antwort gebeten.',
    ResponseEnded: (name) => `${name} hat einem Programm geantwortet`,
    SkillRemoved: (_, getField) => `Die Fertigkeit ${getField('name')} wurde entfernt.`,
    HistoryFed: (name, getField) =>
      `${name} hat aus einem Chat gelernt, den du mit einer anderen KI hattest (${getField('source')}).`,
    MessageHeard: (_, getField) =>
      getField('channel') === '' ? 'Ein Programm hat geschrieben' : 'Du hast geschrieben',
    MessageSpoken: (name) => `${name} hat geschrieben`,
    MessagesHidden: (_, getField) =>
      hiddenReasons[getField('reason')] ?? 'Nachrichten wurden aus dem Gespräch entfernt.',
    MessagesShown: () => 'Nachrichten sind wieder im Gespräch zu sehen.',
    AnswerAsked: (name, getField) =>
      getField('mode') === 'continue'
        ? `${name} sollte die Antwort fortsetzen.`
        : `${name} sollte noch einmal antworten.`,
    GreetingAsked: (name) => `${name} sollte zuerst etwas sagen.`,
    TurnBegan: (name) => `${name} hat eine Antwort begonnen.`,
    ModelAnswered: (_, getField) => `${getField('organ')}: Antwort von ${getField('model')}.`,
    ModelFailed: (_, getField) => `${getField('organ')}: keine Antwort von ${getField('model')}.`,
    MediaDescribed: (name, getField) =>
      getField('outcome') === 'refused'
        ? `${name} konnte eine Datei nicht lesen.`
        : `${name} hat eine Datei gelesen.`,
    ToolCalled: (name, getField) => `${name} hat „${getField('action')}“ benutzt.`,
    ToolAnswered: (_, getField) =>
      getField('ok') === 'true'
        ? `Ergebnis von „${getField('action')}“`
        : `„${getField('action')}“ ist fehlgeschlagen.`,
    ToolServerSet: (_, getField) => `Der Werkzeugserver ${getField('name')} wurde eingerichtet.`,
    ToolServerRemoved: (_, getField) => `Der Werkzeugserver ${getField('name')} wurde entfernt.`,
    ToolModeSet: (_, getField) =>
      getField('mode') === 'off'
        ? `Du hast ${toTool(getField)} ausgeschaltet.`
        : getField('mode') === 'ask'
          ? `Du möchtest vorher gefragt werden: ${toTool(getField)}.`
          : `Du hast ${toTool(getField)} erlaubt.`,
    CalendarSubscribed: (_, getField) => `Du hast den Kalender ${getField('name')} abonniert.`,
    MailboxConnected: (_, getField) => `Du hast das Postfach ${getField('name')} verbunden.`,
    MailboxDisconnected: () => 'Du hast ein Postfach getrennt.',
    MailRead: (name) => `${name} hat eine E-Mail gelesen.`,
    MailsShown: (name) => `${name} hat in die E-Mails gesehen.`,
    CalendarUnsubscribed: () => 'Du hast einen abonnierten Kalender entfernt.',
    SearchProvidersSet: () => 'Du hast die Websuche geändert.',
    WebSearched: (name, getField) => `${name} hat mit ${searchTitle(getField('provider'))} im Web gesucht.`,
    ApprovalAsked: (name, getField) =>
      getField('server') === webServer
        ? `${name} wollte Seiten von ${getField('tool')} lesen`
        : getField('server') === searchServer
          ? `${name} wollte mit ${searchTitle(getField('tool'))} im Web suchen`
          : `${name} wollte ${toTool(getField)} benutzen`,
    ApprovalSettled: (_, getField) =>
      ({
        once: 'Du hast ein Werkzeug einmal erlaubt.',
        always: 'Du hast ein Werkzeug ab jetzt erlaubt.',
        no: 'Du hast ein Werkzeug nicht erlaubt.',
        expired: 'Eine Anfrage, ein Werkzeug zu benutzen, blieb einen Tag lang ohne Antwort.',
      })[getField('decision')] ?? 'Eine Anfrage, ein Werkzeug zu benutzen, wurde zurückgezogen.',
    TurnResumed: (name) => `${name} hat die Antwort fortgesetzt.`,
    TurnEnded: (name, getField) =>
      getField('outcome') === 'answered'
        ? `${name} hat die Antwort abgeschlossen.`
        : `Die Antwort endete vorzeitig: ${outcomes[getField('outcome')] ?? getField('outcome')}.`,
    MemoryKept: (name, getField) =>
      getField('origin') === 'person' ? `Du hast das Gedächtnis von ${name} ergänzt` : `${name} hat gelernt`,
    MemoryRevised: (name, getField) =>
      getField('origin') === 'person'
        ? `Du hast das Gedächtnis von ${name} korrigiert`
        : `${name} hat eine Aussage korrigiert`,
    MemoryForgotten: () => 'Eine Aussage wurde vergessen.',
    MemoryRestored: () => 'Eine Aussage wurde wiederhergestellt',
    MemoryPinned: (_, getField) =>
      getField('pinned') === 'true' ? 'Eine Aussage wurde angeheftet' : 'Eine Aussage wurde gelöst',
    MemoryProposed: () => 'Ein Programm hat vorgeschlagen, sich etwas zu merken',
    ProposalSettled: (_, getField) =>
      getField('accepted') === 'true'
        ? 'Du hast einen Vorschlag angenommen.'
        : 'Du hast einen Vorschlag abgelehnt.',
    ContextCarried: (name) => `${name} hat das Gespräch zusammengefasst.`,
    InstructionLearned: (name) => `${name} hat eine Anweisung gelernt`,
    InstructionRevised: (name) => `${name} hat eine Anweisung geändert`,
    InstructionRemoved: () => 'Eine gelernte Anweisung wurde entfernt.',
    EntryPlanned: (_, getField) =>
      getField('kind') === 'reminder'
        ? `Erinnerung geplant für ${getField('when')}`
        : `Termin geplant für ${getField('when')}`,
    EntryMoved: (_, getField) => `Verschoben auf ${getField('when')}`,
    EntryCancelled: () => 'Ein Kalendereintrag wurde abgesagt.',
    InitiativeChosen: (name, getField) =>
      getField('level') === 'off'
        ? `${name} schreibt nicht mehr von sich aus.`
        : `${name} darf von sich aus schreiben (${getField('level') === 'gentle' ? 'zurückhaltend' : 'lebhaft'}).`,
    InitiativePlanned: (name) => `${name} hat einen Grund zu schreiben vorgemerkt`,
    InitiativeMoved: () => 'Ein Grund zu schreiben wurde geändert',
    InitiativeRemoved: () => 'Ein Grund zu schreiben wurde entfernt.',
    InitiativeDisliked: () => 'Du möchtest weniger davon',
    InitiativeConsidered: (name) => `${name} überlegt, ob eine Nachricht passt.`,
    InitiativeSettled: (name, getField) => {
      if (getField('outcome') === 'spoke') return `${name} hat von sich aus geschrieben.`
      return getField('outcome') === 'silent'
        ? `${name} hatte einen Grund zu schreiben und nichts zu sagen.`
        : 'Ein Grund zu schreiben ist vorbei.'
    },
    EntryDue: () => 'Ein Kalendereintrag wurde fällig.',
    EntryDone: () => 'Ein fälliger Kalendereintrag wurde zugestellt.',
    SleepBegan: (name) => `Der Tagesrückblick von ${name} hat begonnen.`,
    DayClosed: () => 'Zusammenfassung eines Tages',
    DiaryWritten: () => 'Eine Sicherungsdatei wurde geschrieben.',
    SleepEnded: (name, getField) =>
      getField('outcome') === 'slept'
        ? `Der Tagesrückblick von ${name} ist fertig.`
        : `Der Tagesrückblick von ${name} ist fehlgeschlagen.`,
  } satisfies FactSentences,
  factErased: {
    MessageHeard: () => 'Eine Nachricht kam an',
    MediaDescribed: (name) => `${name} bekam eine Datei.`,
    HistoryFed: (name) => `${name} hat aus einem Chat gelernt, den du mit einer anderen KI hattest.`,
    CharacterSet: (name) => `Der Charakter von ${name} wurde geändert.`,
    MemoryKept: (name) => `Das Gedächtnis von ${name} wurde ergänzt`,
    MemoryRevised: (name) => `Eine Aussage im Gedächtnis von ${name} wurde korrigiert`,
    EntryPlanned: () => 'Etwas wurde geplant',
    EntryMoved: () => 'Ein Kalendereintrag wurde verschoben',
    ModelAnswered: () => 'Ein Modell hat geantwortet.',
    ModelFailed: () => 'Ein Modell hat nicht geantwortet.',
    ToolCalled: (name) => `${name} hat ein Werkzeug benutzt.`,
    ToolAnswered: () => 'Ein Werkzeug hat ein Ergebnis geliefert.',
    TurnEnded: () => 'Eine Antwort ist zu Ende.',
  } satisfies ErasedSentences,
  past: {
    status: (name: string, status: string) => `Zustand von ${name}: ${status}.`,
    called: (name: string, oldName: string) => `Damals hieß ${name} noch ${oldName}.`,
    talk: 'Das Gespräch von damals',
    noTalk: 'Es gab noch keine Nachrichten.',
    organs: 'Fähigkeiten',
    days: 'Vergangene Tage',
    usage: 'Verbrauch bis dahin',
    used: (calls: string, tokens: string, time: string) =>
      `${calls} Modellaufrufe, ${tokens} Tokens, ${time}`,
  },
  forking: {
    title: (name: string) => `Eine Kopie von ${name}`,
    body: (name: string) =>
      `Eine neue Persona mit derselben Vergangenheit, bis zu diesem Zeitpunkt. ${name} bleibt unverändert; die beiden wissen nichts voneinander. Kanäle und Schlüssel bleiben bei ${name}, und Erinnerungen werden nicht doppelt zugestellt.`,
    again:
      'Die Kopie antwortet noch einmal auf diese Nachricht. Dort lassen sich beide Antworten vergleichen.',
    from: (time: string) => `Dieselbe Vergangenheit bis ${time}.`,
    name: 'Name',
    nameNew: (name: string) => `${name} II`,
    mind: 'Modell',
    same: 'Das Modell von damals',
    other: 'Ein anderes Modell',
    go: 'Kopie erstellen',
    going: 'Die Kopie wird erstellt…',
  },
  keyHint: 'Wird hierfür benutzt und nie wieder gezeigt.',
  comparing: {
    title: 'Zwei Zeitpunkte im Vergleich',
    from: 'Von',
    to: 'Bis',
    toHint: 'Leer heißt jetzt.',
    fromMissing: 'Bitte wähle einen Zeitpunkt.',
    go: 'Vergleichen',
    going: 'Wird verglichen…',
    between: (from: string, to: string) => `Zwischen ${from} und ${to}`,
    nothing: 'Es gibt keinen Unterschied.',
    before: 'vorher',
    after: 'nachher',
    none: 'keines',
    learned: 'Gelernt',
    revised: 'Korrigiert',
    forgotten: 'Vergessen',
    instructions: 'Gelernte Anweisungen',
    instructionsRevised: 'Geänderte Anweisungen',
    instructionsRemoved: 'Entfernte Anweisungen',
    planned: 'Geplant',
    moved: 'Verschoben',
    fellDue: 'Fällig',
    cancelled: 'Abgesagt',
    organs: 'Fähigkeiten',
    channels: 'Kanäle',
    channelAdded: 'hinzugefügt',
    channelRemoved: 'entfernt',
    name: 'Name',
    status: 'Zustand',
    messages: (person: string, persona: string, name: string) =>
      `Nachrichten: ${person} von dir, ${persona} von ${name}.`,
  },
  erasing: {
    title: 'Text endgültig löschen',
    body: 'Der Text wird überall gelöscht, wo Daimon ihn speichert: im Verlauf, in Modellaufrufen, in der Suche und in Dateien. Nur Art und Zeit des Ereignisses bleiben. Das lässt sich nicht rückgängig machen.',
    beyond:
      'Text, der an einen Chat oder Anbieter gesendet wurde oder in einer kopierten Sicherungsdatei steht, lässt sich von hier aus nicht löschen.',
    looking: 'Weitere Stellen mit diesem Text werden gesucht…',
    these: 'Dieser Text',
    also: 'Aus diesem Text entstanden',
    alsoHint: 'Antworten, Aussagen, Kalendereinträge und Tageszusammenfassungen, die ihn enthalten.',
    alsoToo: (count: number) =>
      count === 1 ? 'Auch das daraus Entstandene löschen' : `Auch die ${count} daraus entstandenen löschen`,
    nothingElse: 'Sonst ist nichts daraus entstanden.',
    diaries: (count: number) =>
      count === 1 ? 'Eine Sicherungsdatei hier enthält ihn' : `${count} Sicherungsdateien hier enthalten ihn`,
    diariesToo: 'Auch diese Sicherungsdateien entfernen',
    forks: (count: number) =>
      count === 1
        ? 'Eine andere Persona hat dieselbe Vergangenheit'
        : `${count} andere Personas haben dieselbe Vergangenheit`,
    forksHint: (name: string) =>
      `Sie teilt diesen Text mit ${name}, weil eine die Kopie der anderen ist. Dort bleibt der Text, wenn du ihn nicht auch dort löschst.`,
    forkToo: (name: string) => `Auch bei ${name} löschen`,
    doneBut: (names: string) => `Der Text ist hier gelöscht. Er ließ sich nicht löschen bei: ${names}.`,
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
    title: (name: string) => `Details einer Antwort von ${name}`,
    back: 'Alle Ereignisse',
    outcome: {
      answered: 'beantwortet',
      refused: 'vom Modell abgelehnt',
      hushed: 'angehalten',
      unreachable: 'das Modell hat nicht geantwortet',
    },
    going: 'noch nicht fertig',
    heard: 'Eingegangene Nachrichten',
    due: 'Fällige Einträge',
    perceived: 'Dateien',
    steps: 'Schritt für Schritt',
    profile: {
      full: 'vollständige Werkzeuge und Anweisungen',
      compact: 'kompakte Werkzeuge und Anweisungen',
    },
    step: (count: number) => `Schritt ${count}`,
    used: 'Werkzeuge',
    input: 'Eingabe',
    output: 'Ergebnis',
    failed: 'fehlgeschlagen',
    learned: 'Ergebnisse',
    said: 'Nachrichten dieser Antwort',
    calls: 'Alle Modellaufrufe',
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
    tokens: (input: string, output: string) => `${input} Tokens Eingabe, ${output} Ausgabe`,
    incomplete: 'Diese Antwort hat zu viele Schritte, um sie alle zu zeigen.',
    role: { user: 'ans Modell', assistant: 'das Modell', tool: 'ein Werkzeug', system: 'Systemprompt' },
  },
  other: {
    title: 'Ein anderes Modell dasselbe fragen',
    hint: 'Die erste Anfrage an das Modell wird unverändert noch einmal gesendet. Die Antwort wird nicht gespeichert, kein Werkzeug wird benutzt, und die Anfrage kostet wie üblich.',
    go: 'Fragen',
    going: 'Wird gefragt…',
    answer: (model: string) => `${model} hätte gesagt`,
    wouldUse: 'Benutzen würde es',
    cost: (price: string) => `Das kostete ${price}.`,
    noPrice: 'Dafür ist kein Preis bekannt.',
  },
}
