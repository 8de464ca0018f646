/** Counts crashes during a turn, and tests the message after two of them. */
import { test } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { HeardMedia } from '../../facts/fact-values.ts'
import type { EventFor } from '../../facts/facts.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import { evolveTalk, initialTalk, type Talk, type Turn } from '../../projections/talk.ts'
import { getCrashMessage } from '../../src/agents/end-turn.ts'
import { toWebChannel } from '../../src/web-channel.ts'

const channel = toWebChannel('ada')
const origin = { from: 'person', by: null } as const
const media = (name: string): HeardMedia => ({
  filename: `${'0'.repeat(32)}.bin`,
  name,
  mime: 'a/b',
  caption: '',
  voice: false,
  bytes: 1,
  sha256: null,
  ...origin,
})
const toMessageHeard = (content: string, file: HeardMedia | null = null): EventFor<'talk'> => ({
  type: 'MessageHeard',
  channel,
  parts: [{ ...origin, text: content }],
  media: file,
  key: null,
})

const fold = (...events: readonly EventFor<'talk'>[]): Talk =>
  events.reduce((talk, event, index) => evolveTalk(talk, { seq: index + 1, at: 0, event }), initialTalk)

const toTurnBegan = (lastSeq: number, dueIds: string[] = []): EventFor<'talk'> => ({
  type: 'TurnBegan',
  life: 1,
  channel,
  stimuli: { after: 0, upTo: lastSeq, due: dueIds },
})
const createWoke = (life: number): EventFor<'talk'> => ({ type: 'Woke', life })

test('counts crashes during a turn, and no regular stops', () => {
  const begin = [createWoke(1), toMessageHeard('hi'), toTurnBegan(2)]
  const deaths = (...events: readonly EventFor<'talk'>[]) => fold(...begin, ...events).turn?.deaths
  is(deaths(), 0)
  is(deaths(createWoke(2)), 1)
  is(deaths(createWoke(2), createWoke(3)), 2)
  is(deaths({ type: 'Stopped', life: 1 }, createWoke(2)), 0)
  is(deaths(createWoke(2), { type: 'Stopped', life: 2 }, createWoke(3), createWoke(4)), 2)
  is(deaths({ type: 'PersonaRestored', made: 0, upTo: 3, recipient: 'age1' }, createWoke(2)), 0)
  is(fold(createWoke(1), createWoke(2), createWoke(3), toMessageHeard('hi'), toTurnBegan(4)).turn?.deaths, 0)
})

const getMessage = (events: readonly EventFor<'talk'>[]): Promise<string | null> => {
  const { turn } = fold(...events, toTurnBegan(events.length))
  const entries = events.map((event, index) => ({ seq: index + 1, type: event.type, event }) as Entry)
  const journal: Pick<Journal, 'read'> = {
    read: async function* ({ after = 0, upTo = 0 }) {
      yield* entries.filter(({ seq }) => seq > after && seq <= upTo)
    },
  }
  return getCrashMessage(journal, turn as Turn)
}

test('names one message as kept, and asks to send several ones separately', async () => {
  match(
    (await getMessage([toMessageHeard('hi')])) ?? '',
    'Your message is kept in the conversation, but it was not answered. Send it again',
  )
  const otherPersona: EventFor<'talk'> = {
    type: 'MessageHeard',
    channel: { type: 'telegram', name: '1' },
    parts: [{ ...origin, text: 'x' }],
    media: null,
    key: null,
  }
  const severalEvents =
    (await getMessage([
      toMessageHeard('one'),
      otherPersona,
      toMessageHeard('two'),
      toMessageHeard('three'),
    ])) ?? ''
  match(severalEvents, 'Your 3 messages are kept in the conversation, but they were not answered.')
  match(severalEvents, 'Send them again one by one')
})

test('names the files of the messages on one line, up to a limit', async () => {
  match(
    (await getMessage([toMessageHeard('', media('big\n“one”.docx'))])) ?? '',
    /An attachment may be the cause: “big {2}one \.docx”\./,
  )
  const message =
    (await getMessage(Array.from({ length: 7 }, (_, n) => toMessageHeard('', media(`${n}.zip`))))) ?? ''
  match(message, '“0.zip”, “1.zip”, “2.zip”, “3.zip”, “4.zip” and 2 more.')
})

test('returns null for a turn without messages', async () => {
  const { turn } = fold(createWoke(1), toTurnBegan(0, ['tea']))
  equal(await getCrashMessage({ read: async function* () {} }, turn as Turn), null)
})

test.run()
