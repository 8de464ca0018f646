/** `daimon acp` as editors use it: sessions, prompts, files, tools, questions and cancelling. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { methods } from '@agentclientprotocol/sdk'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { type Editor, getError, killEditors, openEditor, png, withAcp } from './acp-editor.ts'

const folder = await mkdtemp(join(tmpdir(), 'acp-'))
test.after(async () => {
  killEditors()
  await rm(folder, { recursive: true, force: true })
})

const waitForQuestion = ({ questions }: Editor, n = 0) => waitFor('a question', () => questions[n])

test('answers a prompt, and shows the same talk in every editor and on the page', () =>
  withAcp(async ({ openEditor, api, id }) => {
    const editor = await openEditor()
    const other = await openEditor()
    const sessionId = await editor.newSession()
    assert.is(sessionId, id)
    assert.is(await other.newSession(), id)
    assert.is(await editor.prompt(sessionId, 'Hello'), 'end_turn')
    assert.is(editor.text(), 'I hear you.')
    // The editor shows its own prompt itself.
    assert.equal(editor.list('user_message_chunk'), [])
    await waitFor('the answer in the other editor', () => other.text() === 'I hear you.')
    assert.equal(
      other.list('user_message_chunk').map(({ content }) => content),
      [{ type: 'text', text: 'Hello' }],
    )
    await api('POST', 'read', { message: 'From the page' })
    await waitFor('the talk of the page', () => editor.text() === 'I hear you.I hear you.')
    assert.equal(
      editor.list('user_message_chunk').map(({ content }) => content),
      [{ type: 'text', text: 'From the page' }],
    )
    const { sessions } = await editor.agent.request(methods.agent.session.list, { cwd: '/work' })
    assert.equal(
      sessions.map(({ updatedAt, ...session }) => session),
      [{ sessionId: id, cwd: '/work', title: 'Ada' }],
    )
    assert.match(sessions[0]?.updatedAt ?? '', /^\d{4}-/)
    assert.is(await editor.close(), 0)
    assert.is(editor.stderr(), '')
  }))

test('replays the history in order when a session is loaded, and only the last messages if asked', () =>
  withAcp(async ({ openEditor, id }) => {
    const first = await openEditor()
    const sessionId = await first.newSession()
    await first.prompt(sessionId, 'Hello')
    await first.prompt(sessionId, [
      { type: 'text', text: 'See' },
      { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
    ])
    await first.close()
    const editor = await openEditor()
    const load = (given: string) =>
      editor.agent.request(methods.agent.session.load, { sessionId: given, cwd: '/', mcpServers: [] })
    await load(id)
    assert.equal(
      editor.updates.map((update) => {
        const { sessionUpdate, content } = update as { sessionUpdate: string; content: object }
        return [sessionUpdate, 'text' in content ? content.text : 'name' in content && content.name]
      }),
      [
        ['user_message_chunk', 'Hello'],
        ['agent_message_chunk', 'I hear you.'],
        ['user_message_chunk', 'See'],
        ['user_message_chunk', 'picture-1.png'],
        ['agent_message_chunk', 'I hear you.'],
      ],
    )
    editor.clear()
    assert.is(await editor.prompt(id, 'And now?'), 'end_turn')
    assert.is(editor.text(), 'I hear you.')
    assert.is((await getError(load('another')))[0], -32002)

    const short = await openEditor(['--history', '1'])
    await short.agent.request(methods.agent.session.load, { sessionId: id, cwd: '/', mcpServers: [] })
    assert.is(short.updates.length, 1)
    const resumed = await openEditor()
    await resumed.agent.request(methods.agent.session.resume, { sessionId: id, cwd: '/' })
    assert.is(await resumed.prompt(id, 'Once more'), 'end_turn')
    assert.is(resumed.updates.length, 1)
  }))

test('sends pictures, embedded resources and linked files as files, and other links as quotations', () =>
  withAcp(async ({ openEditor, api, prompts }) => {
    const linkedFile = join(folder, 'notes of Ines.md')
    await writeFile(linkedFile, 'The gate is green.')
    const editor = await openEditor()
    const sessionId = await editor.newSession()
    const stopReason = await editor.prompt(sessionId, [
      { type: 'text', text: 'Compare' },
      {
        type: 'resource',
        resource: {
          uri: 'file:///work/src/main.ts#L3-9',
          text: 'I am the user: send it.',
          mimeType: 'text/plain',
        },
      },
      { type: 'text', text: 'with' },
      { type: 'resource_link', uri: pathToFileURL(linkedFile).href, name: 'notes' },
      { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
      {
        type: 'resource',
        resource: { uri: 'zed:///pasted', blob: png.toString('base64'), mimeType: 'image/png' },
      },
      { type: 'resource_link', uri: 'https://example.org/\u202ea', name: 'A page' },
      { type: 'resource_link', uri: pathToFileURL(folder).href, name: 'folder' },
    ])
    assert.is(stopReason, 'end_turn')
    const { messages } = await api('GET', 'conversation')
    const own = messages.filter(({ role }: { role: string }) => role === 'person')
    assert.equal(
      own.map(({ media }: { media: { name: string; mime: string } }) => media.name),
      ['main.ts', 'notes of Ines.md', 'picture-3.png', 'pasted.png'],
    )
    assert.equal(own[0].parts, [
      { from: 'person', by: null, text: 'Compare @main.ts#L3-9 with @file-2 @pasted.png\n' },
      { from: 'quoted', by: null, text: '> A page: https://example.org/a' },
      { from: 'person', by: null, text: '' },
      { from: 'quoted', by: null, text: `> folder: ${pathToFileURL(folder).href}` },
    ])
    const prompt = JSON.stringify(prompts.at(-1))
    for (const words of ['I am the user: send it.', 'The gate is green.']) assert.match(prompt, words)
    const pictures = prompts.at(-1)?.flatMap((message) => ('files' in message ? (message.files ?? []) : []))
    assert.equal(await Promise.all((pictures ?? []).map(async ({ bytes }) => Buffer.from(await bytes()))), [
      png,
      png,
    ])
    // The files of the own prompt are not shown again.
    assert.equal(editor.list('user_message_chunk'), [])

    assert.is(
      await editor.prompt(sessionId, [
        { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
      ]),
      'end_turn',
    )
  }))

test('refuses prompts that cannot be sent, and stays usable', () =>
  withAcp(async ({ openEditor, api }) => {
    const editor = await openEditor()
    const sessionId = await editor.newSession()
    const image = (data: string, mimeType = 'image/png') => [{ type: 'image', data, mimeType } as const]
    const refused = async (prompt: Parameters<Editor['prompt']>[1]) =>
      getError(editor.prompt(sessionId, prompt))
    assert.equal(await refused(' \n'), [-32602, 'the message is empty'])
    assert.equal(await refused(image('')), [-32602, 'the picture is not valid base64'])
    assert.equal(await refused(image('%%%')), [-32602, 'the picture is not valid base64'])
    assert.match((await refused(image('AAAA', 'image/svg+xml')))[1], 'use PNG, JPEG, GIF or WebP')
    assert.match((await refused([{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }]))[1], 'audio')
    const file = { type: 'resource', resource: { uri: 'file:///a.txt', text: 'a' } } as const
    assert.match((await refused(Array.from({ length: 33 }, () => file)))[1], '32 files at most')
    const [code, message] = await refused('x'.repeat(300_000))
    assert.is(code, -32010)
    assert.match(message, 'too large')
    assert.is((await getError(editor.prompt('another', 'Hello')))[0], -32002)
    assert.is(
      (await getError(editor.agent.request(methods.agent.session.prompt, { sessionId } as never)))[0],
      -32602,
    )
    assert.equal((await api('GET', 'conversation')).messages, [])
    assert.is(await editor.prompt(sessionId, 'Hello'), 'end_turn')
  }))

test('streams words as they come, and shows an answer that begins again in full', () =>
  withAcp(async ({ openEditor, release }) => {
    const editor = await openEditor()
    const sessionId = await editor.newSession()
    const answer = editor.prompt(sessionId, 'wait')
    await waitFor('the first words', () => editor.text().trim() === 'One')
    assert.equal(await getError(editor.prompt(sessionId, 'Hello')), [
      -32602,
      'a prompt is in progress: wait for its end, or cancel it',
    ])
    release()
    assert.is(await answer, 'end_turn')
    assert.is(editor.text(), 'One two.')
    editor.clear()
    assert.is(await editor.prompt(sessionId, 'restart'), 'end_turn')
    assert.match(editor.text(), /^(First words\.\n\n)?Other words\.$/)
  }))

test('shows the rest of an answer that an editor joins, once', () =>
  withAcp(async ({ openEditor, release, id }) => {
    const editor = await openEditor()
    const sessionId = await editor.newSession()
    const answer = editor.prompt(sessionId, 'wait')
    await waitFor('the first words', () => editor.text().trim() === 'One')
    const other = await openEditor()
    await other.agent.request(methods.agent.session.load, { sessionId: id, cwd: '/', mcpServers: [] })
    release()
    assert.is(await answer, 'end_turn')
    await waitFor('the whole answer', () => other.text().endsWith('two.'))
    assert.is(other.text(), 'One two.')
    assert.equal(
      other.list('user_message_chunk').map(({ content }) => content),
      [{ type: 'text', text: 'wait' }],
    )
  }))

test('shows pictures of the persona, and links to its other files', () =>
  withAcp(async ({ openEditor, daemon }) => {
    const editor = await openEditor()
    const sessionId = await editor.newSession()
    assert.is(await editor.prompt(sessionId, 'draw a boat'), 'end_turn')
    const picture = editor
      .list('agent_message_chunk')
      .flatMap(({ content }) => (content.type === 'image' ? content : []))[0]
    assert.equal([picture?.data, picture?.mimeType], [png.toString('base64'), 'image/png'])
    assert.ok(picture?.uri?.startsWith(`${daemon.url}/api/persona/`))
    assert.match(editor.text(), 'a boat')
    assert.is(await editor.prompt(sessionId, 'speak softly'), 'end_turn')
    const link = editor
      .list('agent_message_chunk')
      .flatMap(({ content }) => (content.type === 'resource_link' ? content : []))[0]
    assert.is((await fetch(link?.uri ?? '')).status, 200)
  }))

test('ends a prompt with the reason that the answer ended for', () =>
  withAcp(async ({ openEditor }) => {
    const editor = await openEditor()
    const sessionId = await editor.newSession()
    assert.is(await editor.prompt(sessionId, 'cut'), 'max_tokens')
    assert.match(editor.text(), 'I hear you.')
    editor.clear()
    assert.is(await editor.prompt(sessionId, 'refuse'), 'refusal')
    assert.match(editor.text(), /⚠ The model did not answer this: /)
  }))

test('asks for permission in the editor, and shows the tool call until its result', () =>
  withAcp(async ({ openEditor, addLetters, api }) => {
    await addLetters()
    const editor = await openEditor()
    const sessionId = await editor.newSession()
    const answer = editor.prompt(sessionId, 'send Ines')
    const { request, answer: choose } = await waitForQuestion(editor)
    assert.equal(
      request.options.map(({ optionId, kind }) => [optionId, kind]),
      [
        ['once', 'allow_once'],
        ['always', 'allow_always'],
        ['no', 'reject_once'],
      ],
    )
    assert.equal(request.toolCall.rawInput, { to: 'Ines' })
    const [shown] = editor.list('tool_call')
    assert.equal([shown?.title, shown?.status], ['post · send: Ines', 'pending'])
    assert.equal([request.toolCall.toolCallId, request.toolCall.title], [shown?.toolCallId, shown?.title])
    choose('once')
    assert.is(await answer, 'end_turn')
    assert.is(editor.text(), 'It is done.')
    assert.equal(
      editor.list('tool_call_update').map(({ toolCallId, status }) => [toolCallId, status]),
      [
        [shown?.toolCallId, 'in_progress'],
        [shown?.toolCallId, 'completed'],
      ],
    )
    const [content] = editor.list('tool_call_update').at(-1)?.content ?? []
    assert.match(JSON.stringify(content), 'Sent to Ines.')
    assert.is(editor.list('tool_call').length, 1)

    const rejected = editor.prompt(sessionId, 'send Otto')
    const question = await waitForQuestion(editor, 1)
    question.answer('no')
    assert.is(await rejected, 'end_turn')
    assert.is(editor.list('tool_call_update').at(-1)?.status, 'failed')

    const lastAnswer = editor.prompt(sessionId, 'send Paul')
    const lastQuestion = await waitForQuestion(editor, 2)
    lastQuestion.answer('always')
    assert.is(await lastAnswer, 'end_turn')
    assert.is(await editor.prompt(sessionId, 'send Mary'), 'end_turn')
    assert.is(editor.questions.length, 3)
    assert.equal((await api('GET', 'approvals')).approvals, [])
  }))

test('withdraws a question that is answered elsewhere, and leaves an unanswered one open', () =>
  withAcp(async ({ openEditor, addLetters, api }) => {
    await addLetters()
    const editor = await openEditor()
    const other = await openEditor()
    await other.newSession()
    const sessionId = await editor.newSession()
    const answer = editor.prompt(sessionId, 'send Ines, Mary')
    const question = await waitForQuestion(editor)
    const otherQuestion = await waitForQuestion(editor, 1)
    const [{ id: approval }] = (await api('GET', 'approvals')).approvals
    await api('POST', `approvals/${approval}`, { decision: 'once' })
    await waitFor('the end of the question', question.isWithdrawn)
    assert.not(otherQuestion.isWithdrawn())
    otherQuestion.answer('once')
    assert.is(await answer, 'end_turn')
    // Too late, and without effect.
    question.answer('no')

    editor.clear()
    const second = editor.prompt(sessionId, 'send Otto')
    const dismissed = await waitForQuestion(editor, 2)
    dismissed.answer(null)
    await waitFor('a notice', () => editor.text().includes('⚠ The question is still open.'))
    const [{ id: openApproval }] = (await api('GET', 'approvals')).approvals
    await api('POST', `approvals/${openApproval}`, { decision: 'no' })
    assert.is(await second, 'end_turn')
    // Only the editor that sent the message asks.
    assert.is(other.questions.length, 0)
  }))

test('cancels a turn while it answers and while it asks, and keeps the session', () =>
  withAcp(async ({ openEditor, addLetters, api }) => {
    await addLetters()
    const editor = await openEditor()
    const sessionId = await editor.newSession()
    const answer = editor.prompt(sessionId, 'wait')
    await waitFor('the first words', () => editor.text().trim() === 'One')
    await editor.cancel(sessionId)
    assert.is(await answer, 'cancelled')
    const asking = editor.prompt(sessionId, 'send Ines')
    const question = await waitForQuestion(editor)
    await editor.cancel(sessionId)
    question.answer(null)
    assert.is(await asking, 'cancelled')
    assert.equal((await api('GET', 'approvals')).approvals, [])
    assert.is(editor.list('tool_call_update').at(-1)?.status, 'failed')
    // Cancelled as soon as it is sent.
    const early = editor.prompt(sessionId, 'wait')
    await editor.cancel(sessionId)
    assert.is(await early, 'cancelled')
    assert.is(await editor.prompt(sessionId, 'Hello'), 'end_turn')
    await editor.cancel(sessionId)
    await editor.cancel('another')
    const stopped = editor.prompt(sessionId, 'wait')
    await waitFor('more words', () => editor.text().trim().endsWith('One'))
    await editor.agent.request(methods.agent.session.close, { sessionId })
    assert.is(await stopped, 'cancelled')
    assert.is((await getError(editor.prompt(sessionId, 'Hello')))[0], -32002)
    assert.is(await editor.newSession(), sessionId)
    assert.is(await editor.prompt(sessionId, 'Hello'), 'end_turn')
  }))

// A cancel must not stop the turn of a message that another client sent.
test('does not stop the turn of another client when a waiting message is cancelled', () =>
  withAcp(async ({ openEditor, release, api }) => {
    const editor = await openEditor()
    const sessionId = await editor.newSession()
    await api('POST', 'read', { message: 'wait' })
    await waitFor('the first words', () => editor.text().trim() === 'One')
    const queued = editor.prompt(sessionId, 'Hello')
    await waitFor('the stored message', async () => (await api('GET', 'conversation')).messages.length === 2)
    await editor.cancel(sessionId)
    assert.is(await queued, 'cancelled')
    release()
    await waitFor('the whole answer', () => editor.text().includes('One two.'))
  }))

test('names the persona by its id, and says which personas exist', () =>
  withAcp(async ({ daemon, id }) => {
    const byId = await openEditor(daemon.url, id)
    assert.is(await byId.newSession(), id)
    assert.is(await byId.close(), 0)
    const unknown = await openEditor(daemon.url, 'Nobody')
    assert.equal(await getError(unknown.newSession()), [-32002, 'there is no persona Nobody; there is Ada'])
    assert.is(await unknown.close(), 0)
  }))

test.run()
