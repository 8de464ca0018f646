/** `talk`: one message from the arguments or standard input, or a conversation at a terminal. */
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { PersonaView } from '../../projections/view.ts'
import type { AddCommand } from './command.ts'
import type { DaemonClient } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { harmless, sayStyled, styled } from './printing.ts'
import { pathOf, whose } from './whose.ts'

interface Message {
  readonly id: number
  readonly role: 'person' | 'assistant'
  readonly content: string
  readonly turn: number | null
}

interface Frame {
  readonly type: string
  readonly seq?: number
  readonly title?: string
  readonly content?: string
  readonly turn?: number
  readonly step?: number
  readonly offset?: number
  readonly delta?: string
  readonly details?: { readonly outcome?: string; readonly reason?: string | null }
  readonly url?: string
}

export const addTalkCommand: AddCommand = (program, { daemon }) => {
  program
    .command('talk')
    .description(
      'Talk with a persona. With words, or words on standard input: says them, prints the answer, ends.',
    )
    .argument('<persona>', 'name or id')
    .argument('[words...]', 'what is said')
    .option('--file <path>', 'a file to look at or listen to, with the words as its caption')
    .option('--history <n>', 'messages of before that are shown first', '6')
    .action(
      async (
        asked: string,
        words: string[],
        options: { file?: string; history: string },
        command: Command,
      ) => {
        const client = daemon(command)
        const persona = await whose(client, asked)
        const line = await openTalk(client, persona)
        try {
          if (words.length > 0 || options.file !== undefined) await line.say(words.join(' '), options.file)
          else if (!process.stdin.isTTY) await line.say((await text(process.stdin)).trim(), undefined)
          else await converse(client, persona, line, Math.max(0, Number(options.history) || 0))
        } finally {
          line.close()
        }
      },
    )
}

interface TalkLine {
  /** Resolves when its answer has ended; prints it as it comes. */
  say(words: string, file: string | undefined): Promise<void>
  /** What it says of its own accord between two answers. */
  listen(on: boolean): void
  close(): void
}

const openTalk = async (client: DaemonClient, persona: PersonaView): Promise<TalkLine> => {
  const { WebSocket } = await import('ws')
  const address = new URL(`/ws/${encodeURIComponent(persona.id)}`, client.url)
  address.protocol = address.protocol.replace('http', 'ws')
  const socket = new WebSocket(address)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', () =>
      reject(new CommandFailed(`no talk with ${persona.name} can be opened`, exitCodes.unreachable)),
    )
  })
  let hear: (frame: Frame) => void = () => {}
  let lost: (error: Error) => void = () => {}
  socket.on('message', (data) => hear(JSON.parse(String(data)) as Frame))
  socket.on('close', () =>
    lost(new CommandFailed('the daemon has gone; what was said is kept', exitCodes.unreachable)),
  )

  const say: TalkLine['say'] = async (words, file) => {
    if (words === '' && file === undefined) throw new CommandFailed('nothing was said', exitCodes.usage)
    const before = hear
    const answer = createAnswer()
    const over = new Promise<void>((resolve, reject) => {
      lost = reject
      hear = (frame) => {
        try {
          if (answer.take(frame)) resolve()
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      }
    })
    over.catch(() => {})
    const key = crypto.randomUUID()
    const headers = { 'idempotency-key': key }
    if (file === undefined) await client.send('POST', pathOf(persona, 'read'), { message: words })
    else {
      const form = { file: { field: 'file', path: file }, fields: words ? { caption: words } : {}, headers }
      await client.upload(pathOf(persona, 'attach'), form)
    }
    await over
    hear = before
  }

  return {
    say,
    listen: (on) => {
      hear = on
        ? (frame) => void (frame.type === 'chat_message' && sayStyled(`\n${harmless(frame.content ?? '')}`))
        : () => {}
    },
    close: () => {
      lost = () => {}
      socket.close()
    },
  }
}

/** Prints what is said as it grows. `take` is true once the turn that took what was heard has ended. */
const createAnswer = () => {
  /** Letters already printed of each step. */
  const printed = new Map<string, number>()
  let heard = 0
  let turn = 0
  let open = false

  const print = (words: string) => {
    process.stdout.write(harmless(words))
    open = !words.endsWith('\n')
  }
  const endLine = () => {
    if (open) process.stdout.write('\n')
    open = false
  }

  return {
    take: (frame: Frame): boolean => {
      const { type, title, seq = 0, step = 0 } = frame
      if (type === 'person_message') heard = seq
      if (type === 'event' && title === 'TurnBegan' && heard > 0 && seq > heard) turn = seq
      const name = `${frame.turn}.${step}`
      if (type === 'chat_delta') {
        const { delta = '', offset = 0 } = frame
        const before = printed.get(name) ?? 0
        // It began anew: what stands there is not what it says.
        if (offset === 0 && before > 0) endLine()
        const done = offset === 0 ? 0 : before
        print(delta.slice(Math.max(0, done - offset)))
        printed.set(name, Math.max(done, offset + delta.length))
      }
      if (type === 'chat_message') {
        const done = printed.get(name) ?? 0
        print((frame.content ?? '').slice(done))
        printed.set(name, Math.max(done, frame.content?.length ?? 0))
        endLine()
      }
      if (type === 'chat_image' || type === 'chat_audio') print(`[${frame.url ?? 'a file'}]\n`)
      if (type !== 'event' || title !== 'TurnEnded' || turn === 0) return false
      endLine()
      const { outcome = 'answered', reason } = frame.details ?? {}
      if (outcome === 'answered' || outcome === 'hushed') return true
      throw new CommandFailed(`no answer: ${reason ?? outcome}. What was said is kept.`, exitCodes.refused)
    },
  }
}

const converse = async (
  client: DaemonClient,
  persona: PersonaView,
  line: TalkLine,
  history: number,
): Promise<void> => {
  if (history > 0) {
    const { messages } = await client.get<{ messages: readonly Message[] }>(
      pathOf(persona, `conversation?limit=${history}`),
    )
    for (const { role, content } of messages)
      sayStyled(role === 'person' ? styled('cyan', `> ${harmless(content)}`) : harmless(content))
  }
  sayStyled(
    styled(
      'dim',
      `You talk with ${persona.name}. /file <path> [words] shows a file, /stop cuts an answer, /quit ends.`,
    ),
  )
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: styled('cyan', '> '),
  })
  lines.on('SIGINT', () => void client.send('POST', pathOf(persona, 'hush')).catch(() => {}))
  line.listen(true)
  lines.prompt()
  for await (const typed of lines) {
    const words = typed.trim()
    if (words === '/quit') break
    try {
      await act(client, persona, line, words)
    } catch (error) {
      if (!(error instanceof CommandFailed) || error.code === exitCodes.unreachable) throw error
      sayStyled(styled('red', error.message))
    }
    line.listen(true)
    lines.prompt()
  }
  lines.close()
}

const act = async (
  client: DaemonClient,
  persona: PersonaView,
  line: TalkLine,
  words: string,
): Promise<void> => {
  if (words === '') return
  if (words === '/stop') return void (await client.send('POST', pathOf(persona, 'hush')))
  if (!words.startsWith('/file ')) return line.say(words, undefined)
  const [path = '', ...caption] = words.slice('/file '.length).trim().split(' ')
  await line.say(caption.join(' ').trim(), path)
}
