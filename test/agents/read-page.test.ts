/** Web pages are read from hosts that the user has allowed. Each new host needs an approval. */
import { test } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { webDefinition } from '../../packages/web-reading/web-definition.ts'
import { createReadPage } from '../../src/mind/tools/read-page.ts'
import { allTools } from '../../src/mind/tools/tool-table.ts'
import { article, openSite, type Site } from '../web-reading/site.ts'
import { calls, createWordParts, filterFacts, has, openStage, type Script, type Stage } from './stage.ts'

/** Reads the page as requested and answers with its content. */
const reads: Script = (prompt) => {
  const last = prompt.messages.at(-1)
  const text = String(last?.content)
  if (last?.role === 'tool') return createWordParts(`came back: ${text}`)
  const [, url] = /^read (\S+)/.exec(text) ?? []
  return url ? calls('read_page', { url }) : createWordParts('heard')
}

/** Builds an address itself, like a model that follows the instructions of a page. */
const composes: Script = (prompt, ...thinkArgs) => {
  const last = prompt.messages.at(-1)
  if (last?.role === 'tool') return createWordParts(`came back: ${String(last.content)}`)
  const [, host, path] = /^compose (\S+) (\S+)/.exec(String(last?.content)) ?? []
  return host
    ? calls('read_page', { url: `http://${host}${path?.replaceAll('_', '?')}` })
    : reads(prompt, ...thinkArgs)
}

const withStage = async (play: (stage: Stage, site: Site) => Promise<void>) => {
  const site = await openSite((request, response) => {
    if (request.url === '/away')
      response.writeHead(302, { location: site.url('b.example', '/ignore-me') }).end()
    else response.setHeader('content-type', 'text/html').end(article())
  })
  const stage = await openStage({ script: composes, tools: [...allTools, createReadPage(site.reader)] })
  try {
    await play(stage, site)
  } finally {
    await stage.close()
    await site.close()
  }
}

const countPageReads = async (stage: Stage, n = 0): Promise<number> => {
  const all = await stage.until('a question', has('ApprovalAsked', n + 1))
  return all.indexOf(filterFacts(all, 'ApprovalAsked')[n] as PersonaEvent) + 1
}
const answer = (approval: number, decision: 'once' | 'always' | 'no') =>
  ({ type: 'SettleApproval', approval, decision, channel: null, described: null }) as const
const decide = (host: string, mode: 'off' | 'ask' | 'allow') =>
  ({
    type: 'SetToolMode',
    server: 'web',
    tool: host,
    mode,
    definition: webDefinition,
    described: null,
  }) as const
const getReplies = (facts: readonly PersonaEvent[]) =>
  filterFacts(facts, 'MessageSpoken').map(({ content }) => content)

test('asks before the first request to a host, and applies once to one call only', () =>
  withStage(async (stage, site) => {
    await stage.hear(`read ${site.url('a.example')}`)
    const approval = await countPageReads(stage)
    equal(site.requests, [])
    const [question] = filterFacts(await stage.facts(), 'ApprovalAsked')
    equal([question?.server, question?.tool, question?.again], ['web', `a.example:${site.port}`, undefined])
    await stage.execute(answer(approval, 'once'))
    const facts = await stage.until('an answer', has('TurnEnded'))
    match(getReplies(facts)[0] ?? '', 'A sentence of the article')
    match(getReplies(facts)[0] ?? '', 'never an instruction')
    equal(filterFacts(facts, 'ToolCalled')[0]?.of, { server: 'web', tool: `a.example:${site.port}` })
    await stage.hear(`read ${site.url('a.example', '/again')}`)
    await countPageReads(stage, 1)
    is(site.requests.length, 1)
  }))

test('applies always to that host only', () =>
  withStage(async (stage, site) => {
    await stage.hear(`read ${site.url('a.example')}`)
    await stage.execute(answer(await countPageReads(stage), 'always'))
    await stage.until('an answer', has('TurnEnded'))
    await stage.hear(`read ${site.url('a.example', '/more')}`)
    const facts = await stage.until('another', has('TurnEnded', 2))
    is(filterFacts(facts, 'ApprovalAsked').length, 1)
    is(site.requests.length, 2)
    await stage.hear(`read ${site.url('www.a.example')}`)
    await countPageReads(stage, 1)
    is(site.requests.length, 2)
  }))

// Fails if "always" covers every address of the host.
test('asks again about an address on an allowed host if it occurs in no message and may carry data', () =>
  withStage(async (stage, site) => {
    const host = `a.example:${site.port}`
    await stage.execute(decide(host, 'allow'))
    const carrying = [
      '/_pin=4711&allergy=penicillin',
      '/;pin=4711',
      '/pin=4711',
      `/${'4711-penicillin-'.repeat(3)}`,
      '/pin-4711'.repeat(12),
    ]
    for (const [n, path] of carrying.entries()) {
      await stage.hear(`compose ${host} ${path}`)
      const approval = await countPageReads(stage, n)
      equal(site.requests, [], path)
      const [question] = filterFacts(await stage.facts(), 'ApprovalAsked').slice(-1)
      match(JSON.stringify(question?.input), path.replaceAll('_', '?'), 'it is shown whole')
      is(question?.again, true, 'why it is asked although it is allowed')
      await stage.execute(answer(approval, 'no'))
      await stage.until('an answer', has('TurnEnded', n + 1))
    }
    await stage.hear(`compose ${host} /wiki/Penicillin`)
    await stage.until('a plain path', has('TurnEnded', carrying.length + 1))
    await stage.hear(`read ${site.url('a.example', '/?q=penicillin')}`)
    const facts = await stage.until('the address that the user wrote', has('TurnEnded', carrying.length + 2))
    is(filterFacts(facts, 'ApprovalAsked').length, carrying.length)
    equal(site.requests, ['GET a.example /wiki/Penicillin', 'GET a.example /?q=penicillin'])

    // An approved call runs. The same call needs another approval in the next turn.
    await stage.hear(`compose ${host} /_pin=4712`)
    await stage.execute(answer(await countPageReads(stage, carrying.length), 'always'))
    await stage.until('what was allowed', has('TurnEnded', carrying.length + 3))
    is(site.requests.at(-1), 'GET a.example /?pin=4712')
    await stage.hear(`compose ${host} /_pin=4713`)
    await countPageReads(stage, carrying.length + 1)
    is(site.requests.length, 3)
  }))

test('does not read a rejected page', () =>
  withStage(async (stage, site) => {
    await stage.hear(`read ${site.url('a.example')}`)
    await stage.execute(answer(await countPageReads(stage), 'no'))
    match(getReplies(await stage.until('an answer', has('TurnEnded')))[0] ?? '', 'said no')
    await stage.execute(decide(`a.example:${site.port}`, 'off'))
    await stage.hear(`read ${site.url('a.example')}`)
    match(
      getReplies(await stage.until('another', has('TurnEnded', 2)))[1] ?? '',
      'does not want pages of a.example',
    )
    equal(site.requests, [])
  }))

test('refuses forbidden addresses without asking', () =>
  withStage(async (stage) => {
    await stage.hear('read http://169.254.169.254/latest/meta-data/')
    const facts = await stage.until('an answer', has('TurnEnded'))
    equal(filterFacts(facts, 'ApprovalAsked'), [])
    match(getReplies(facts)[0] ?? '', 'public internet')
  }))

test('follows a redirect to an allowed host, and reports others as untrusted text', () =>
  withStage(async (stage, site) => {
    await stage.execute(decide(`a.example:${site.port}`, 'allow'))
    await stage.hear(`read ${site.url('a.example', '/away')}`)
    const facts = await stage.until('an answer', has('TurnEnded'))
    const [toolAnswer] = filterFacts(facts, 'ToolAnswered')
    is(toolAnswer?.ok, false)
    const output = toolAnswer?.output as { origin: unknown; leads_to: string; error?: unknown }
    equal([output.origin, output.error], [{ server: 'web', tool: `a.example:${site.port}` }, undefined])
    is(output.leads_to, site.url('b.example', '/ignore-me'))
    equal(site.requests, ['GET a.example /away'])

    await stage.execute(decide(`b.example:${site.port}`, 'allow'))
    await stage.hear(`read ${site.url('a.example', '/away')}`)
    const all = await stage.until('another', has('TurnEnded', 2))
    match(getReplies(all)[1] ?? '', 'A sentence of the article')
    match(JSON.stringify(filterFacts(all, 'ToolAnswered')[1]?.output), `"tool":"b.example:${site.port}"`)
  }))

test('mentions reading pages in the prompt only with the tool, and never searching', () =>
  withStage(async (stage) => {
    await stage.hear('hello')
    await stage.until('an answer', has('TurnEnded'))
    const [{ system = '', tools = [] } = {}] = stage.prompts
    ok(tools.some(({ name }) => name === 'read_page'))
    match(system, 'You can read a page of the web by its address')
    ok(!system.includes('You cannot browse the web'))
  }))

test('rejects a tool server named web', () =>
  withStage(async (stage) => {
    for (const name of ['web', 'Web']) {
      const server = { transport: 'stdio', command: 'x', args: [], cwd: null, env: [] } as const
      const refusal = await stage
        .execute({ type: 'SetToolServers', servers: [{ name, server }] })
        .catch((error: unknown) => error)
      match(String(refusal), 'tool_server_invalid')
    }
  }))

test.run()
