/** `talk`: sends one message from the arguments or standard input, or opens a conversation at a terminal. */
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { PersonaView } from '../../projections/view.ts'
import type { AddCommand } from './command.ts'
import { type DaemonClient, toQuery } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { applyStyle, harmless, printJson, printLine, printStyled, toMinute } from './printing.ts'
import {
  type Attachment,
  type Decision,
  decisions,
  formatQuestion,
  openTalk,
  type Question,
  type TalkLine,
} from './talk-line.ts'

interface Message {
  readonly id: number
  readonly role: 'person' | 'assistant'
  readonly content: string
  readonly time: string
  readonly media: { readonly name: string } | null
  readonly mind?: string
}

interface TalkOptions {
  readonly file?: string
  readonly voice?: string
  readonly history: string
}

export const addTalkCommand: AddCommand = (program, { daemon, isJson }) => {
  program
    .command('talk')
    .description(
      'Talk with a persona. With words as arguments or on standard input: sends them, prints the answer, exits.',
    )
    .argument('<persona>', 'name or id')
    .argument('[words...]', 'message')
    .option('--file <path>', 'a file to send, with the words as its caption')
    .option('--voice <path>', 'a voice recording to send')
    .option('--history <n>', 'number of earlier messages to show first', '6')
    .action(async (ref: string, words: string[], options: TalkOptions, command: Command) => {
      const client = daemon(command)
      const persona = await findPersona(client, ref)
      const line = await openTalk(client, persona)
      try {
        const attachment = givenIn(options)
        if (words.length > 0 || attachment) await sendOnce(persona, line, words.join(' '), attachment)
        else if (!process.stdin.isTTY) await sendOnce(persona, line, (await text(process.stdin)).trim())
        else await converse(client, persona, line, Math.max(0, Number(options.history) || 0))
      } finally {
        line.close()
      }
    })

  program
    .command('conversation')
    .description('Show the messages of all channels, the newest last.')
    .argument('<persona>', 'name or id')
    .option('--last <n>', 'number of messages', '50')
    .option('--before <id>', 'only messages before this one')
    .action(async (ref: string, options: { last: string; before?: string }, command: Command) => {
      const client = daemon(command)
      const query = toQuery({ limit: options.last, before: options.before, minds: 'true' })
      const answer = await client.get<{ messages: readonly Message[] }>(
        personaPath(await findPersona(client, ref), `conversation${query}`),
      )
      if (isJson(command)) return printJson(answer)
      for (const { id, role, content, time, media, mind } of answer.messages) {
        const author = mind === undefined ? role : `${role}  ${harmless(mind)}`
        printStyled(applyStyle('dim', `${toMinute(time)}  ${id}  ${author}`))
        printLine(`  ${(media ? `[${media.name}] ${content}` : content).replaceAll('\n', '\n  ')}`)
      }
    })
}

const givenIn = ({ file, voice }: TalkOptions): Attachment | undefined => {
  if (file !== undefined && voice !== undefined)
    throw new CommandFailed('send a file or a recording, not both', exitCodes.usage)
  const path = voice ?? file
  return path === undefined ? undefined : { path, voice: voice !== undefined }
}

/**
 * Sends one message. Without a terminal, a question of the persona ends the command with the command that
 * answers it.
 */
const sendOnce = async (
  persona: PersonaView,
  line: TalkLine,
  words: string,
  attachment?: Attachment,
): Promise<void> => {
  let question = await line.send(words, attachment)
  while (question) {
    if (!process.stdin.isTTY || !process.stderr.isTTY)
      throw new CommandFailed(
        `${formatQuestion(question)}\ndaimon approvals answer ${persona.id} ${question.id} once|always|no`,
        exitCodes.refused,
      )
    question = await line.settle(question, await askDecision(question))
  }
}

const askDecision = async (question: Question): Promise<Decision> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    for (;;) {
      const line = await lines.question(`${formatQuestion(question)} once, always or no: `)
      const decision = decisions.find((candidate) => candidate === line.trim().toLowerCase())
      if (decision) return decision
    }
  } finally {
    lines.close()
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
      personaPath(persona, `conversation?limit=${history}`),
    )
    for (const { role, content } of messages)
      printStyled(role === 'person' ? applyStyle('cyan', `> ${harmless(content)}`) : harmless(content))
  }
  printStyled(
    applyStyle(
      'dim',
      `You talk with ${harmless(persona.name)}. /file <path> [words] sends a file, /stop stops an answer, /quit exits.`,
    ),
  )
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: applyStyle('cyan', '> '),
  })
  const sendHush = () => void client.send('POST', personaPath(persona, 'hush')).catch(() => {})
  lines.on('SIGINT', sendHush)
  // `/stop` acts immediately. Every other line waits for the end of the answer.
  lines.on('line', (input) => input.trim() === '/stop' && sendHush())
  const turns = createTurns(line, () => lines.prompt(true))
  turns.listen()
  lines.prompt()
  // The persona speaks first if there is no message yet.
  void client.send('POST', personaPath(persona, 'greet')).catch(() => {})
  for await (const input of lines) {
    const words = input.trim()
    if (words === '/quit') break
    if (words === '/stop') continue
    try {
      await turns.take(words)
    } catch (error) {
      if (!(error instanceof CommandFailed) || error.code === exitCodes.unreachable) throw error
      printStyled(applyStyle('red', harmless(error.message)))
    }
    turns.listen()
    lines.prompt()
  }
  lines.close()
}

/**
 * Handles typed lines and the question that waits for an answer. `onSaid` is called when the persona sends a
 * message on its own initiative.
 */
const createTurns = (line: TalkLine, onSaid: () => void) => {
  let waitingQuestion: Question | null = null
  const ask = (question: Question | null) => {
    if (!question) return
    waitingQuestion = question
    printStyled(applyStyle('yellow', `${formatQuestion(question)} /once, /always or /no`))
  }
  const sendLine = async (words: string): Promise<void> => {
    if (words === '') return
    const decision = decisions.find((candidate) => words === `/${candidate}`)
    if (decision) {
      if (!waitingQuestion) throw new CommandFailed('no question is waiting', exitCodes.usage)
      const question = waitingQuestion
      waitingQuestion = null
      return ask(await line.settle(question, decision))
    }
    if (!words.startsWith('/file ')) return ask(await line.send(words))
    const [path = '', ...caption] = words.slice('/file '.length).trim().split(' ')
    ask(await line.send(caption.join(' ').trim(), { path, voice: false }))
  }
  return { take: sendLine, listen: () => line.listen({ onSaid, onQuestion: ask }) }
}
