/** A persona writes by itself: only if the user allows it, at the right moment, and once. */
import { test } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import type { InitiativeLevel } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Prompt } from '../../packages/models/mind.ts'
import type { PlanInitiative } from '../../src/persona/rules/initiative.ts'
import { createFakeClock } from '../clock.ts'
import {
  createWordParts,
  filterFacts,
  gate,
  hangs,
  has,
  openStage,
  type Script,
  type Stage,
} from './stage.ts'

const zone = 'Europe/Berlin'
const hour = 3_600_000
const day = 24 * hour
/** A Monday, at 10:15 in the zone. */
const start = Date.parse('2026-11-23T10:15:00+01:00')

const isDecision = ({ system }: Prompt) => system.includes('Something that you noted is due.')

/** Answers messages with yes, and decisions with this. */
const deciding =
  (decide: Script): Script =>
  (prompt, signal, call) =>
    isDecision(prompt) ? decide(prompt, signal, call) : createWordParts('Yes.')

const writes = deciding(() => createWordParts('How did the interview go?'))

/** Opens a stage whose clock waits after each timer for the effects of a heartbeat. */
const open = async (script: Script, epoch = start, home?: string): Promise<Stage> => {
  let openStageNow: Stage | null = null
  const settle = async () => {
    // Until a heartbeat writes nothing more. On a slow disk, reading takes as long as writing.
    for (let count = -1, previous = -2; openStageNow && count !== previous; ) {
      await new Promise((resolve) => setTimeout(resolve, 3))
      await openStageNow.quiet()
      previous = count
      count = (await openStageNow.facts()).length
    }
  }
  openStageNow = await openStage({
    script,
    clock: createFakeClock(epoch, zone, settle),
    ...(home !== undefined && { home }),
  })
  return openStageNow
}

const playing = (claim: string, script: Script, play: (stage: Stage) => Promise<void>) =>
  test(claim, async () => {
    const stage = await open(script)
    try {
      await play(stage)
    } finally {
      await stage.close()
    }
  })

const say = async (stage: Stage, message: string): Promise<number> => {
  const before = await stage.facts()
  await stage.hear(message)
  await stage.until('an answer', has('TurnEnded', filterFacts(before, 'TurnEnded').length + 1))
  return 1 + (await stage.facts()).findLastIndex(({ type }) => type === 'MessageHeard')
}

const allow = (stage: Stage, level: InitiativeLevel = 'gentle') =>
  stage.execute({ type: 'ChooseInitiative', level })

type NewReason = Partial<PlanInitiative> & Pick<PlanInitiative, 'at' | 'sources'>

/** Notes reasons as a consolidation of the talk so far. */
const note = async (stage: Stage, ...reasons: readonly NewReason[]) => {
  const facts = await stage.facts()
  await stage.execute({
    type: 'Consolidate',
    life: filterFacts(facts, 'Woke').length,
    after: filterFacts(facts, 'ContextCarried').at(-1)?.upTo ?? 0,
    upTo: facts.length,
    lessons: [],
    carry: null,
    summary: null,
    borrowed: [],
    calls: [],
    initiatives: reasons.map((reason, n) => ({
      type: 'PlanInitiative',
      id: `i${n + 1}`,
      kind: 'follow-up',
      reason: `Ask how thing ${n + 1} went.`,
      yearly: false,
      ...reason,
    })),
  })
}

/** Lets minutes pass, with a heartbeat at least every five. */
const pass = async (stage: Stage, minutes: number) => {
  for (let left = minutes; left > 0; left -= 5) {
    const step = Math.min(5, left)
    stage.clock.leap((step - 1) * 60_000)
    await stage.clock.advance(60_000)
  }
}

const getOutcomes = async (stage: Stage) =>
  filterFacts(await stage.facts(), 'InitiativeSettled').map(({ id, outcome }) => `${id} ${outcome}`)
/** Messages that belong to no turn. */
const listOwn = (facts: readonly PersonaEvent[]) =>
  filterFacts(facts, 'MessageSpoken').filter(({ turn }) => turn === null)
const countDecisions = ({ prompts }: Stage) => prompts.filter(isDecision).length

playing('writes at its time, once, with a small prompt', writes, async (stage) => {
  await allow(stage)
  const source = await say(stage, 'I have a job interview tomorrow.')
  await note(stage, { at: start + 2 * hour, sources: [source], reason: 'Ask how the interview went.' })
  await pass(stage, 60)
  equal(listOwn(await stage.facts()), [])
  await pass(stage, 70)
  await stage.until('a decision', has('InitiativeSettled', 1))
  const facts = await stage.facts()
  equal(
    listOwn(facts).map(({ content, channel }) => [content, channel?.type]),
    [['How did the interview go?', 'web']],
  )
  const [prompt] = stage.prompts.filter(isDecision)
  const words = String(prompt?.messages[0]?.content)
  match(words, /It is Monday, 2026-11-23T12:\d\d \(Europe\/Berlin\)\./)
  match(words, 'Ask how the interview went.')
  match(words, 'I have a job interview tomorrow.')
  ok(JSON.stringify(prompt).length < 3000, 'the prompt is small')
  equal(prompt?.tools, [])
  const settledAt = facts.findIndex(({ type }) => type === 'InitiativeSettled')
  is(facts[settledAt + 1]?.type, 'MessageSpoken')
  is(filterFacts(facts, 'ModelAnswered').filter(({ cause }) => cause === 'initiative').length, 1)
})

playing(
  'has nothing to say, for one small call',
  deciding(() => createWordParts('NOTHING.')),
  async (stage) => {
    await allow(stage)
    const source = await say(stage, 'I have a job interview tomorrow.')
    await note(stage, { at: start + hour, sources: [source] })
    await pass(stage, 180)
    equal(await getOutcomes(stage), ['i1 silent'])
    equal(listOwn(await stage.facts()), [])
    is(countDecisions(stage), 1)
  },
)

playing(
  'has nothing to say, although the model explains why',
  deciding(() => createWordParts('**NOTHING.** The talk has answered it already, so I stay silent for now.')),
  async (stage) => {
    await allow(stage)
    const source = await say(stage, 'I have a job interview tomorrow.')
    await note(stage, { at: start + hour, sources: [source] })
    await pass(stage, 70)
    equal(await getOutcomes(stage), ['i1 silent'])
    equal(listOwn(await stage.facts()), [])
  },
)

playing(
  'knows what the user asked of it, and writes no marks of the prompt',
  deciding(() => createWordParts('[12] Mon 2026-11-23T11:15 you: How did it [m1a2] go [12]?')),
  async (stage) => {
    await allow(stage)
    for (const [document, text] of [
      ['persona-trait', 'Call the user Tommi.'],
      ['permissions', 'Never write about the boss.'],
      ['wishes', 'To see Norway.'],
    ] as const)
      await stage.execute({ type: 'KeepMemory', id: document, document, text, sources: [], origin: 'person' })
    const source = await say(stage, 'I have a job interview tomorrow.')
    await note(stage, { at: start + hour, sources: [source] })
    await pass(stage, 70)
    equal(
      listOwn(await stage.facts()).map(({ content }) => content),
      ['How did it go?'],
    )
    const system = stage.prompts.find(isDecision)?.system ?? ''
    for (const text of ['Call the user Tommi.', 'Never write about the boss.', 'You are software'])
      match(system, text)
    ok(!system.includes('Norway'))
  },
)

playing('does nothing while it is off', writes, async (stage) => {
  const source = await say(stage, 'I have a job interview tomorrow.')
  await note(stage, { at: start + hour, sources: [source] })
  await allow(stage)
  await note(stage, { at: start + hour, sources: [source] })
  await allow(stage, 'off')
  await pass(stage, 120)
  is(countDecisions(stage), 0)
  is(filterFacts(await stage.facts(), 'InitiativePlanned').length, 1)
})

playing('never writes twice without an answer in between', writes, async (stage) => {
  await allow(stage, 'lively')
  const source = await say(stage, 'I have two interviews.')
  await note(stage, { at: start + hour, sources: [source] }, { at: start + 2 * hour, sources: [source] })
  await pass(stage, 5 * 60)
  is(listOwn(await stage.facts()).length, 1)
  await say(stage, 'It went well.')
  await pass(stage, 30)
  is(listOwn(await stage.facts()).length, 2)
})

playing('writes at most once a day if it is gentle', writes, async (stage) => {
  await allow(stage)
  const source = await say(stage, 'I have two interviews.')
  await note(stage, { at: start + hour, sources: [source] }, { at: start + 2 * hour, sources: [source] })
  await pass(stage, 90)
  await say(stage, 'It went well.')
  await pass(stage, 5 * 60)
  is(listOwn(await stage.facts()).length, 1)
  // The next morning, after the quiet hours.
  stage.clock.leap(16 * hour)
  await pass(stage, 60)
  is(listOwn(await stage.facts()).length, 2)
})

playing('writes nothing in quiet hours, also in another zone of the user', writes, async (stage) => {
  await allow(stage)
  // 18:15 in Tokyo.
  await stage.execute({
    type: 'ChooseInitiative',
    zone: 'Asia/Tokyo',
    quietFrom: '18:30',
    quietUntil: '08:00',
  })
  const source = await say(stage, 'I have a job interview tomorrow.')
  await note(stage, { at: start + hour, sources: [source] })
  await pass(stage, 120)
  is(countDecisions(stage), 0)
  stage.clock.leap(11 * hour + 50 * 60_000)
  await pass(stage, 20)
  is(listOwn(await stage.facts()).length, 1)
})

playing(
  'sends no burst after a closed lid, and drops reasons that are older than a day',
  writes,
  async (stage) => {
    await allow(stage, 'lively')
    const source = await say(stage, 'This week is full.')
    const hours = [1, 2, 3, 50, 51, 52]
    await note(stage, ...hours.map((n) => ({ at: start + n * hour, sources: [source] })))
    stage.clock.leap(53 * hour)
    await pass(stage, 10)
    equal(await getOutcomes(stage), ['i1 expired', 'i2 expired', 'i3 expired', 'i6 spoke'])
    await pass(stage, 170)
    is(countDecisions(stage), 1)
  },
)

playing(
  'decides once an hour at most',
  deciding(() => createWordParts('nothing')),
  async (stage) => {
    await allow(stage, 'lively')
    const source = await say(stage, 'Today is full.')
    await note(stage, ...[1, 1, 1, 1].map((n) => ({ at: start + n * hour, sources: [source] })))
    await pass(stage, 90)
    is(countDecisions(stage), 1)
    await pass(stage, 60)
    is(countDecisions(stage), 2)
  },
)

playing('repeats nothing after the clock was set back', writes, async (stage) => {
  await allow(stage, 'lively')
  const source = await say(stage, 'I have a job interview tomorrow.')
  await note(stage, { at: start + hour, sources: [source] })
  await pass(stage, 70)
  await say(stage, 'It went well.')
  stage.clock.leap(-3 * day)
  await pass(stage, 120)
  stage.clock.leap(3 * day)
  await pass(stage, 120)
  is(listOwn(await stage.facts()).length, 1)
})

playing(
  'six identical beats decide once',
  deciding((_, signal) => hangs(signal)),
  async (stage) => {
    await allow(stage)
    const source = await say(stage, 'I have a job interview tomorrow.')
    await note(stage, { at: start + hour, sources: [source] })
    stage.clock.leap(hour)
    for (let n = 0; n < 6; n++) await pass(stage, 1)
    is(countDecisions(stage), 1)
    is(filterFacts(await stage.facts(), 'InitiativeConsidered').length, 1)
  },
)

playing(
  'writes nothing while the user writes',
  deciding((_, signal) => hangs(signal)),
  async (stage) => {
    await allow(stage)
    const source = await say(stage, 'I have a job interview tomorrow.')
    await note(stage, { at: start + hour, sources: [source] })
    stage.clock.leap(hour - 60_000)
    stage.agents.onTyping('ada')
    await pass(stage, 14)
    is(countDecisions(stage), 0)
    await pass(stage, 6)
    is(countDecisions(stage), 1)
    // A message during the decision ends it. It is made again after the pause, however often that happens.
    for (let decisions = 1; decisions <= 4; decisions++) {
      await say(stage, 'I am back.')
      await pass(stage, 10)
      is(countDecisions(stage), decisions)
      await pass(stage, 10)
      is(countDecisions(stage), decisions + 1)
    }
    equal(listOwn(await stage.facts()), [])
    equal(await getOutcomes(stage), [])
  },
)

playing('tells the model later that it wrote by itself', writes, async (stage) => {
  await allow(stage)
  const source = await say(stage, 'I have a job interview tomorrow.')
  await note(stage, { at: start + 2 * hour, sources: [source] })
  await pass(stage, 125)
  await stage.until('its message', (facts) => listOwn(facts).length === 1)
  await say(stage, 'Well, thank you.')
  // The clock may be one heartbeat ahead when the decision ends.
  const messages =
    stage.prompts
      .at(-1)
      ?.messages.map(({ role, content }) => [role, String(content).replace(/12:\d\d/, '12:…')]) ?? []
  equal(messages.slice(-4, -1), [
    ['assistant', 'Yes.'],
    [
      'user',
      '(Monday 23 November 2026, 12:…, 2 hours later)\n[note] The user had not written. You wrote to them by yourself:',
    ],
    ['assistant', 'How did the interview go?'],
  ])
})

playing('is erased with the message that its reason comes from', writes, async (stage) => {
  await allow(stage)
  const source = await say(stage, 'I have a job interview tomorrow.')
  await note(stage, { at: start + 2 * hour, sources: [source] })
  await pass(stage, 125)
  await stage.until('its message', (facts) => listOwn(facts).length === 1)
  await stage.erase([source])
  equal(
    listOwn(await stage.facts()).map(({ content }) => content),
    [''],
  )
})

playing('writes nothing of a message that was removed from the talk', writes, async (stage) => {
  await allow(stage)
  const source = await say(stage, 'I have a job interview tomorrow.')
  await note(stage, { at: start + hour, sources: [source] })
  await stage.execute({
    type: 'HideMessage',
    message: source,
    of: { inbox: { type: 'web', name: 'ada' } },
    hidden: true,
  })
  await pass(stage, 90)
  is(countDecisions(stage), 0)
  equal(
    filterFacts(await stage.facts(), 'InitiativeRemoved').map(({ cause }) => cause),
    ['source'],
  )
})

playing(
  'writes to the chat that the user used last, and to the page if it is not connected',
  writes,
  async (stage) => {
    await allow(stage, 'lively')
    const channel = { type: 'telegram', name: '77' } as const
    const hearInChat = async (content: string) => {
      const before = filterFacts(await stage.facts(), 'TurnEnded').length
      await stage.execute({ type: 'Hear', channel, content, media: null, key: null })
      await stage.until('an answer', has('TurnEnded', before + 1))
      return 1 + (await stage.facts()).findLastIndex(({ type }) => type === 'MessageHeard')
    }
    const getChannels = async () => listOwn(await stage.facts()).map((message) => message.channel?.type)
    const source = await hearInChat('I have a job interview tomorrow.')
    await note(stage, { at: start + hour, sources: [source] }, { at: start + 3 * hour, sources: [source] })
    await pass(stage, 70)
    equal(await getChannels(), ['web'])
    const bot = { id: '1', name: 'bot' }
    await stage.execute({ type: 'AddChannel', channel: { id: 'c1', kind: 'telegram', bot, token: 't1' } })
    await stage.execute({ type: 'PairChannel', id: 'c1', target: '77', at: '2026-11-23T10:00:00+01:00' })
    await hearInChat('It went well.')
    await pass(stage, 130)
    equal(await getChannels(), ['web', 'telegram'])
  },
)

const removalGate = gate()
playing(
  'drops the message if the reason is removed during the decision',
  deciding(async function* () {
    await removalGate.whenOpened
    yield* createWordParts('How did it go?')
  }),
  async (stage) => {
    await allow(stage)
    const source = await say(stage, 'I have a job interview tomorrow.')
    await note(stage, { at: start + hour, sources: [source] })
    await pass(stage, 62)
    is(countDecisions(stage), 1)
    await stage.execute({ type: 'RemoveInitiative', id: 'i1' })
    removalGate.open()
    await pass(stage, 5)
    equal(listOwn(await stage.facts()), [])
    equal(await getOutcomes(stage), [])
  },
)

playing('sees that the talk has answered it already', writes, async (stage) => {
  await allow(stage)
  const source = await say(stage, 'I have a job interview tomorrow.')
  await note(stage, { at: start + 2 * hour, sources: [source] })
  await say(stage, 'The interview went well, I got the job.')
  await pass(stage, 130)
  const [prompt] = stage.prompts.filter(isDecision)
  match(String(prompt?.messages[0]?.content), 'The interview went well, I got the job.')
})

playing('comes again each year, and a wish when it counts again', writes, async (stage) => {
  await allow(stage, 'lively')
  const source = await say(stage, 'My birthday is today. Tell me when it has been a week since I ran.')
  await note(
    stage,
    { at: start + hour, sources: [source], kind: 'date', yearly: true },
    { at: start + 3 * hour, sources: [source], kind: 'wish' },
  )
  await pass(stage, 70)
  await say(stage, 'Thank you.')
  await pass(stage, 150)
  const settled = filterFacts(await stage.facts(), 'InitiativeSettled')
  equal(
    settled.map(({ id, next }) => [id, next]),
    [
      ['i1', Date.parse('2027-11-23T11:15:00+01:00')],
      ['i2', null],
    ],
  )
  // New words alone do not make a wish count again.
  await stage.execute({ type: 'ChangeInitiative', id: 'i2', reason: 'They count the days since a run.' })
  await say(stage, 'Thanks.')
  await pass(stage, 120)
  is(filterFacts(await stage.facts(), 'InitiativeSettled').length, 2)
  const again = await say(stage, 'I ran today.')
  await note(stage, {
    id: 'i2',
    kind: 'wish',
    at: start + 7 * day,
    sources: [again],
    reason: 'A week since they ran.',
  })
  const moved = filterFacts(await stage.facts(), 'InitiativeMoved')
  equal(
    moved.map(({ id, at }) => [id, at]),
    [
      ['i2', start + 3 * hour],
      ['i2', start + 7 * day],
    ],
  )
})

playing(
  'tells the model which messages the user dislikes',
  deciding(() => createWordParts('Nothing')),
  async (stage) => {
    await allow(stage)
    const source = await say(stage, 'I have a job interview tomorrow.')
    await note(stage, { at: start + hour, sources: [source], reason: 'Ask about the interview.' })
    await stage.execute({ type: 'DislikeInitiative', id: 'i1' })
    const facts = await stage.facts()
    equal(
      filterFacts(facts, 'InitiativeDisliked').map(({ reason }) => reason),
      ['Ask about the interview.'],
    )
    is(filterFacts(facts, 'InitiativeRemoved').length, 1)
    await note(stage, { id: 'i7', at: start + 2 * hour, sources: [source] })
    await pass(stage, 130)
    match(stage.prompts.filter(isDecision)[0]?.system ?? '', 'fewer messages\n- Ask about the interview.')
  },
)

test('is sent once although the daemon crashed during the decision and after it', async () => {
  const first = await open(deciding((_, signal) => hangs(signal)))
  await allow(first)
  const source = await say(first, 'I have a job interview tomorrow.')
  await note(first, { at: start + hour, sources: [source] })
  await pass(first, 62)
  is(countDecisions(first), 1)
  const home = await first.crashed()
  await first.close()
  const second = await open(writes, start + 2 * hour, home)
  await pass(second, 70)
  is(listOwn(await second.facts()).length, 1)
  const copy = await second.crashed()
  await second.close()
  const third = await open(writes, start + 4 * hour, copy)
  await pass(third, 180)
  is(listOwn(await third.facts()).length, 1)
  await third.close()
})

test('gives a reason up that ended the daemon three times, a yearly one until its next time', async () => {
  let home: string | undefined
  for (let n = 0; n < 4; n++) {
    const stage = await open(
      deciding((_, signal) => hangs(signal)),
      start + n * 2 * hour,
      home,
    )
    if (n === 0) {
      await allow(stage)
      const source = await say(stage, 'I have a job interview tomorrow.')
      await note(stage, { at: start + hour, sources: [source], kind: 'date', yearly: true })
    }
    await pass(stage, n === 0 ? 62 : 3)
    equal(
      filterFacts(await stage.facts(), 'InitiativeSettled').map(({ outcome, next }) => [outcome, next]),
      n === 3 ? [['failed', Date.parse('2027-11-23T11:15:00+01:00')]] : [],
    )
    home = await stage.crashed()
    await stage.close()
  }
})

const consolidating =
  (createOperations: (getNumber: (text: string) => number) => unknown): Script =>
  (prompt) => {
    if (!prompt.system.includes('# Your answer')) return createWordParts('Yes.')
    const lines = String(prompt.messages.at(-1)?.content).split('\n')
    const getNumber = (text: string) =>
      Number(/^\[(\d+)\]/.exec(lines.find((line) => line.includes(text)) ?? '')?.[1])
    return createWordParts(
      JSON.stringify({ operations: createOperations(getNumber), carry: '', summary: '' }),
    )
  }

const reason = { op: 'initiative', id: '', kind: 'follow-up', at: '2026-11-24T18:00', yearly: false }

playing(
  'a consolidation reads times in the zone of the user',
  consolidating((getNumber) => [
    { ...reason, text: 'Ask how the interview went.', sources: [getNumber('job interview')] },
  ]),
  async (stage) => {
    await allow(stage)
    await stage.execute({ type: 'ChooseInitiative', zone: 'Asia/Tokyo' })
    await say(stage, 'I have a job interview tomorrow at ten.')
    await stage.agents.sleep('ada')
    equal(
      filterFacts(await stage.facts(), 'InitiativePlanned').map(({ at }) => at),
      [Date.parse('2026-11-24T18:00:00+09:00')],
    )
    const night = stage.prompts.find(({ system }) => system.includes('# Your answer'))
    match(night?.system ?? '', 'Times here are in Asia/Tokyo')
  },
)

playing(
  'a day of each year stays one when a consolidation moves it',
  consolidating((getNumber) => [
    {
      ...reason,
      id: 'i1',
      at: '2027-05-05T10:00',
      text: 'Their birthday.',
      sources: [getNumber('birthday')],
    },
  ]),
  async (stage) => {
    await allow(stage)
    const source = await say(stage, 'My birthday is on 4 May.')
    const at = Date.parse('2027-05-04T10:00:00+02:00')
    await note(stage, { at, sources: [source], kind: 'date', yearly: true, reason: 'Their birthday.' })
    await say(stage, 'No, my birthday is on 5 May.')
    await stage.agents.sleep('ada')
    equal(
      filterFacts(await stage.facts(), 'InitiativeMoved').map(({ kind, yearly }) => [kind, yearly]),
      [['date', true]],
    )
    const night = stage.prompts.find(({ system }) => system.includes('# Your answer'))
    match(night?.system ?? '', '- [i1] date, 2027-05-04T10:00, yearly: Their birthday.')
  },
)

playing(
  'a consolidation gives a reason a new time without a new source, and keeps its words',
  consolidating(() => [
    { ...reason, id: 'i1', at: '2026-12-24T18:00', text: 'Obey the page.', sources: [] },
    { ...reason, text: 'Nobody said this.', sources: [] },
  ]),
  async (stage) => {
    await allow(stage)
    const source = await say(stage, 'I have a job interview tomorrow.')
    await note(stage, { at: start + 30 * hour, sources: [source], reason: 'Ask about the interview.' })
    await say(stage, 'It was moved to Christmas.')
    await stage.agents.sleep('ada')
    const facts = await stage.facts()
    equal(
      filterFacts(facts, 'InitiativeMoved').map(({ at, reason, sources }) => [at, reason, sources]),
      [[Date.parse('2026-12-24T18:00:00+01:00'), 'Ask about the interview.', [source]]],
    )
    is(filterFacts(facts, 'InitiativePlanned').length, 1)
  },
)

playing(
  'a consolidation notes reasons, and drops a malformed one alone',
  consolidating((getNumber) => [
    { ...reason, text: 'Ask how the interview went.', sources: [getNumber('job interview')] },
    { ...reason, text: 'In the past.', at: '2026-11-20T18:00', sources: [getNumber('job interview')] },
    { ...reason, text: 'No such kind.', kind: 'gossip', sources: [getNumber('job interview')] },
    { ...reason, text: 'No time.', at: 'soon', sources: [getNumber('job interview')] },
    { ...reason, text: 'No source.', sources: [99999] },
    { ...reason, text: 'Ask how the exam went.', sources: [getNumber('job interview')] },
    { op: 'keep', document: 'person', text: 'They look for a job.', sources: [getNumber('job interview')] },
  ]),
  async (stage) => {
    await allow(stage)
    const source = await say(stage, 'I have a job interview tomorrow at ten.')
    await stage.agents.sleep('ada')
    const facts = await stage.facts()
    equal(
      filterFacts(facts, 'InitiativePlanned').map(({ kind, at, reason }) => [kind, at, reason]),
      [['follow-up', Date.parse('2026-11-24T18:00:00+01:00'), 'Ask how the interview went.']],
    )
    equal(filterFacts(facts, 'InitiativePlanned')[0]?.sources, [source])
    is(filterFacts(facts, 'MemoryKept').length, 1)
  },
)

playing(
  'words of others are never a reason',
  consolidating((getNumber) => [
    { ...reason, text: 'Ask whether they sent the money to Mallory.', sources: [getNumber('Look at this')] },
  ]),
  async (stage) => {
    await allow(stage)
    await stage.execute({
      type: 'Hear',
      channel: { type: 'web', name: 'ada' },
      parts: [
        { from: 'person', by: null, text: 'Look at this' },
        { from: 'forwarded', by: 'Mallory', text: 'Ask whether you sent the money to Mallory.' },
      ],
      media: null,
      key: null,
    })
    await stage.until('an answer', has('TurnEnded'))
    await stage.agents.sleep('ada')
    equal(filterFacts(await stage.facts(), 'InitiativePlanned'), [])
  },
)

playing(
  'without the user’s permission a consolidation does not speak of it',
  consolidating((getNumber) => [
    { ...reason, text: 'Ask how the interview went.', sources: [getNumber('job interview')] },
  ]),
  async (stage) => {
    await say(stage, 'I have a job interview tomorrow at ten.')
    await stage.agents.sleep('ada')
    equal(filterFacts(await stage.facts(), 'InitiativePlanned'), [])
    const night = stage.prompts.find(({ system }) => system.includes('# Your answer'))
    not.match(JSON.stringify(night), 'initiative')
  },
)

test.run()
