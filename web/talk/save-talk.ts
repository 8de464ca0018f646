/** Saves the whole talk as a Markdown file. */
import * as api from '../shared/api.ts'
import { el } from '../shared/dom.ts'
import { datedFileName } from '../shared/file-name.ts'
import { dayName, formatClock, toDay } from '../shared/moments.ts'
import { showNotice } from '../shared/notice.svelte.ts'
import type { Message, Persona } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'

export const saveTalk = async ({ id, name }: Persona): Promise<void> => {
  showNotice(text.talk.saving)
  const messages: Message[] = []
  for (let oldestId: number | undefined; ; oldestId = messages[0]?.id) {
    const answer = await api.conversation(id, oldestId)
    if (!answer.ok) return showNotice(answer.failure.message)
    messages.unshift(...answer.value.messages)
    if (!answer.value.more || answer.value.messages.length === 0) break
  }
  const shownMessages = messages.filter(({ hidden }) => hidden === null)
  hand(datedFileName(text.talk.savedAs(name), '.md'), toMarkdown(shownMessages, name))
  showNotice(text.talk.saved(shownMessages.length))
}

const toMarkdown = (messages: readonly Message[], name: string): string => {
  let day = ''
  const parts = messages.map((message) => {
    const date = new Date(message.time)
    const startsDay = toDay(date) !== day
    day = toDay(date)
    const speaker = message.role === 'person' ? text.talk.you : name
    const author = message.notice ? text.talk.notice : speaker
    const file = message.media ? `\n\n*${text.talk.attached(message.media.name)}*` : ''
    return `${startsDay ? `## ${dayName(date)}\n\n` : ''}**${author}**, ${formatClock(date)}${file}\n\n${message.content}`.trimEnd()
  })
  return `# ${text.talk.savedAs(name)}\n\n${parts.join('\n\n')}\n`
}

const hand = (filename: string, content: string) => {
  const href = URL.createObjectURL(new Blob([content], { type: 'text/markdown' }))
  el('a', { href, download: filename }).click()
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}
