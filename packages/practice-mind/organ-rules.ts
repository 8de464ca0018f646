/** Rules that use other organs: draw, speak aloud, ask the Teacher, look or read again, and check health. */
import type { Slot } from '../../journal/facts/fact-values.ts'
import type { FileNote } from '../models/prompt-data.ts'
import { excerpt, type Rule, wish } from './reply.ts'
import type { Situation } from './situation.ts'

const asks = /^(?:please |can you |could you |would you |will you )*/i

const forms: readonly (readonly [
  tool: string,
  form: RegExp,
  input: (said: string, situation: Situation) => object | undefined,
])[] = [
  ['draw', /^(?:draw|paint|sketch)(?: (?:me|us))? (.+)$/i, (said) => ({ wish: said })],
  [
    'draw',
    /^(?:make|show)(?: (?:me|us))? an? (?:picture|drawing|painting|image) of (.+)$/i,
    (said) => ({ wish: said }),
  ],
  [
    'speak',
    /^(?:say|read) (.+?) (?:aloud|out loud)$/i,
    (said, situation) => ({ text: quoted(said) ?? lastWords(said, situation) }),
  ],
  [
    'speak',
    /^(?:say|read) (?:aloud|out loud):? (.+)$/i,
    (said, situation) => ({ text: quoted(said) ?? lastWords(said, situation) }),
  ],
  [
    'ask_teacher',
    /^ask your teacher(?: about| what| how| whether|:)? (.+)$/i,
    (said) => ({ question: said }),
  ],
  [
    'look_again',
    /^look (?:again )?at (?:it|that|the (?:picture|photo|image))(?: again)?(?:[:,]? (.+))?$/i,
    looked,
  ],
  [
    'look_again',
    /^listen (?:again )?to (?:it|that|the (?:clip|recording|message))(?: again)?()$/i,
    (_, situation) => fileOf(situation),
  ],
  [
    'read_document',
    /^read (?:it|that|the (?:document|file|text|letter))(?: to me| again)?()$/i,
    (_, situation) => fileOf(situation),
  ],
  [
    'check_health',
    /^(?:check your health|are you (?:sick|ill)|how is your health|what is wrong with you)()$/i,
    () => ({}),
  ],
]

export const useOrgan: Rule = (clause, situation) => {
  const asked = clause.replace(asks, '').replace(/(?<![.!?])[.!?]+$/, '')
  for (const [tool, form, input] of forms) {
    const said = form.exec(asked)
    if (!said || !situation.tools.has(tool)) continue
    const given = input(said[1]?.trim() ?? '', situation)
    if (given) return wish({ name: tool, input: given as Readonly<Record<string, unknown>> })
  }
  return undefined
}

function looked(question: string, situation: Situation): object | undefined {
  const file = fileOf(situation)
  return file && { ...file, question: question || 'What is in it?' }
}

/** Returns the latest file of the conversation. */
function fileOf({ talk }: Situation): { readonly file: string } | undefined {
  const file = talk.flatMap((one) => ('files' in one ? one.files : [])).at(-1)?.file
  return file === undefined ? undefined : { file }
}

const quoted = (said: string): string | undefined => /^[“"'](.+)[”"']$/.exec(said)?.[1]

/** In "Say that aloud", "that" is the persona's last message. */
const lastWords = (said: string, { spoken }: Situation): string =>
  /^(?:it|that|this)$/i.test(said) ? (spoken.at(-1) ?? said) : said

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
