/** Rules that use other organs: draw, speak aloud, ask the Teacher and look or read again. */
import type { Slot } from '../../journal/facts/fact-values.ts'
import type { FileNote } from '../models/prompt-data.ts'
import { giveMind } from './help-links.ts'
import { excerpt, type Rule, say, wish } from './reply.ts'
import type { Situation } from './situation.ts'

const requestPrefix = /^(?:please |can you |could you |would you |will you )*/i

const forms: readonly (readonly [
  tool: string,
  form: RegExp,
  input: (subject: string, situation: Situation) => object | undefined,
])[] = [
  ['draw', /^(?:draw|paint|sketch)(?: (?:me|us))? (.+)$/i, (subject) => ({ wish: subject })],
  [
    'draw',
    /^(?:make|show)(?: (?:me|us))? an? (?:picture|drawing|painting|image) of (.+)$/i,
    (subject) => ({ wish: subject }),
  ],
  [
    'speak',
    /^(?:say|read) (.+?) (?:aloud|out loud)$/i,
    (subject, situation) => ({ text: unquote(subject) ?? lastWords(subject, situation) }),
  ],
  [
    'speak',
    /^(?:say|read) (?:aloud|out loud):? (.+)$/i,
    (subject, situation) => ({ text: unquote(subject) ?? lastWords(subject, situation) }),
  ],
  [
    'ask_teacher',
    /^ask your teacher(?: about| what| how| whether|:)? (.+)$/i,
    (subject) => ({ question: subject }),
  ],
  [
    'look_again',
    /^look (?:again )?at (?:it|that|the (?:picture|photo|image))(?: again)?(?:[:,]? (.+))?$/i,
    toLookInput,
  ],
  [
    'look_again',
    /^listen (?:again )?to (?:it|that|the (?:clip|recording|message))(?: again)?()$/i,
    (_, situation) => getLatestFile(situation),
  ],
  [
    'read_document',
    /^read (?:it|that|the (?:document|file|text|letter))(?: to me| again)?()$/i,
    (_, situation) => getLatestFile(situation),
  ],
]

export const useOrgan: Rule = (clause, situation) => {
  const request = clause.replace(requestPrefix, '').replace(/(?<![.!?])[.!?]+$/, '')
  for (const [tool, form, input] of forms) {
    const match = form.exec(request)
    if (!match) continue
    const toolInput = input(match[1]?.trim() ?? '', situation)
    if (toolInput && !situation.tools.has(tool)) return sayWhatIsMissing(tool, situation)
    if (toolInput) return wish({ name: tool, input: toolInput as Readonly<Record<string, unknown>> })
  }
  return undefined
}

/** A tool is only offered if its organ exists. Programs, which cannot change memories, never get it. */
const sayWhatIsMissing = (tool: string, { tools }: Situation) => {
  const missingOrgan = missingOrgans[tool]
  return missingOrgan && tools.has('remember')
    ? say(
        `I cannot ${missingOrgan.attempt}: I have no ${missingOrgan.organ}. One can be given to me ${giveMind}.`,
      )
    : undefined
}

const missingOrgans: Readonly<Record<string, { readonly attempt: string; readonly organ: string }>> = {
  draw: { attempt: 'draw that', organ: 'Imagination' },
  speak: { attempt: 'say that aloud', organ: 'Mouth' },
  ask_teacher: { attempt: 'ask my Teacher', organ: 'Teacher' },
  look_again: { attempt: 'look at that again', organ: 'Eye' },
}

function toLookInput(question: string, situation: Situation): object | undefined {
  const file = getLatestFile(situation)
  return file && { ...file, question: question || 'What is in it?' }
}

/** Returns the latest file of the conversation. */
function getLatestFile({ talk }: Situation): { readonly file: string } | undefined {
  const file = talk.flatMap((utterance) => ('files' in utterance ? utterance.files : [])).at(-1)?.file
  return file === undefined ? undefined : { file }
}

const unquote = (text: string): string | undefined => /^[“"'](.+)[”"']$/.exec(text)?.[1]

/** In "Say that aloud", "that" is the persona's last message. */
const lastWords = (text: string, { spoken }: Situation): string =>
  /^(?:it|that|this)$/i.test(text) ? (spoken.at(-1) ?? text) : text

/**
 * Returns an empty string for a file without a description. The user already has the service's own message
 * about it.
 */
export const tellFile = ({ name, perceived }: FileNote): string =>
  perceived
    ? `Thank you for “${name}”. My ${organNames[perceived.by] ?? perceived.by} says: ${excerpt(perceived.text)}`
    : ''

const organNames: Readonly<Partial<Record<Slot, string>>> = {
  eye: 'Eye',
  ear: 'Ear',
  researcher: 'Researcher',
  thinking: 'own reading of it',
}
