/** Messages to a persona during erasures and restarts. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { getContent } from '../../projections/message-parts.ts'
import { call, pause, type Reply } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'

interface Message {
  readonly id: number
  readonly role: string
  readonly content: string
}

const listMessages = async (url: string, id: string): Promise<readonly Message[]> =>
  (await call(url, 'GET', `/api/persona/${id}/conversation?limit=1000`)).body.messages

/** Reads the received messages by position, and the stimuli of each turn that ended. */
const readJournal = async (home: string, id: string) => {
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const journal = await journals.open(id, 'writer')
  try {
    const messages = new Map<number, string>()
    const stimuliByTurn = new Map<number, { after: number; upTo: number }>()
    const answeredStimuli: { after: number; upTo: number }[] = []
    for await (const { seq, event } of journal.read({})) {
      if (event.type === 'MessageHeard') messages.set(seq, getContent(event) ?? '')
      if (event.type === 'TurnBegan') stimuliByTurn.set(seq, event.stimuli)
      const stimuli = event.type === 'TurnEnded' ? stimuliByTurn.get(event.turn) : undefined
      if (stimuli) answeredStimuli.push(stimuli)
    }
    return { heard: messages, answered: answeredStimuli }
  } finally {
    await journal.close()
  }
}

// Fails without the wait: 409, Persona is not active.
test('accepts all messages sent during erasures and restarts in order, and answers each once', async () => {
  const home = await tempHome()
  const daemon = await startDaemon({ home })
  const { url } = daemon
  try {
    const creation = await call(url, 'POST', '/api/persona/create', {
      name: 'Ada',
      thinking_model: 'embedded/practice',
    })
    const id: string = creation.body.persona.id
    const personaPath = `/api/persona/${id}`
    const say = (message: string, key: string) =>
      call(url, 'POST', `${personaPath}/read?wait=0`, { message }, { key })
    await call(url, 'POST', `${personaPath}/read?wait=20`, { message: 'I live in Lisbon.' })
    let isDone = false
    const conversation = (async () => {
      const replies: Reply[] = []
      for (let n = 0; !isDone; n++) {
        replies.push(await say(`Message number ${n}.`, `key-${n}`))
        await pause(3)
      }
      return replies
    })()
    const otherReplies: Reply[] = []
    const requests = (async () => {
      while (!isDone) {
        otherReplies.push(await call(url, 'POST', `${personaPath}/pair`, { code: 'AAAAAAAA' }))
        otherReplies.push(await call(url, 'GET', `${personaPath}/conversation?limit=1`))
        await pause(7)
      }
    })()
    const changes: Reply[] = []
    for (let round = 0; round < 10; round++) {
      await pause(20)
      const seq = (await listMessages(url, id)).findLast(({ content }) => content !== '')?.id
      changes.push(await call(url, 'POST', `${personaPath}/erase`, { seqs: [seq] }))
      changes.push(await call(url, 'POST', `${personaPath}/restart`))
    }
    isDone = true
    const replies = await conversation
    await requests
    assert.equal(
      changes.map(({ status }) => status),
      changes.map(() => 200),
    )
    assert.equal(
      replies.filter(({ status }) => status !== 200),
      [],
    )
    assert.equal(
      otherReplies.filter(({ status, body }) => status === 409 || status >= 500 || body === null),
      [],
    )
    assert.ok(replies.length > 20, `${replies.length} messages`)
    const last = await call(url, 'POST', `${personaPath}/read?wait=20`, { message: 'The last one.' })
    assert.match(last.body.reply.content, /./)
    await daemon.close()
    const { heard, answered } = await readJournal(home, id)
    const numbers = [...heard.values()].flatMap(
      (content) => /^Message number (\d+)\.$/.exec(content)?.[1] ?? [],
    )
    assert.equal(
      numbers.map(Number),
      [...new Set(numbers.map(Number))].sort((first, second) => first - second),
    )
    // Erased messages stay as facts without words.
    assert.is(heard.size, replies.length + 2)
    const isErased = (seq: number) => heard.get(seq) === ''
    const times = (seq: number) => answered.filter(({ after, upTo }) => after < seq && seq <= upTo).length
    assert.equal(
      [...heard.keys()].filter((seq) => times(seq) > 1 || (times(seq) < 1 && !isErased(seq))),
      [],
    )
  } finally {
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  }
})

// Fails without the wait: 409, Persona is not active.
test('holds a message that arrives at the start of the daemon until its persona runs', async () => {
  const home = await tempHome()
  const first = await startDaemon({ home })
  const ids: string[] = []
  for (let n = 0; n < 20; n++) {
    const fields = { name: `No. ${n}`, thinking_model: 'embedded/practice' }
    ids.push((await call(first.url, 'POST', '/api/persona/create', fields)).body.persona.id)
  }
  await first.close()
  const daemon = await startDaemon({ home })
  try {
    // The last ones start last.
    const replies = await Promise.all(
      ids.map((id) => call(daemon.url, 'POST', `/api/persona/${id}/read?wait=20`, { message: 'Hello.' })),
    )
    assert.equal(
      replies.map(({ status, body }) => [status, Boolean(body.reply)]),
      ids.map(() => [200, true]),
    )
  } finally {
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  }
})

test.run()
