/** The requests about the help in danger. */
import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { Loaded } from '../shared/loaded.svelte.ts'

export type Care = Awaited<ReturnType<typeof ask>> extends Answer<infer T> ? T : never

const toParams = (id: string) => ({ params: { path: { persona_id: id } } })

const ask = (id: string) => answerTo(client.GET('/api/persona/{persona_id}/care', toParams(id)))

export const loadCare = (id: string): Loaded<Care> => new Loaded<Care>(() => ask(id))

/** The types of facts that change it. */
export const relevantFacts = /^CareSet$/

export const save = (id: string, { country, help }: Pick<Care, 'country' | 'help'>) =>
  answerTo(
    client.PUT('/api/persona/{persona_id}/care', {
      ...toParams(id),
      body: { country, help, ...(!help && { adult: true as const }) },
    }),
  )

/** Returns the text of the help, or an empty string if the words say nothing of danger. Never rejects. */
export const findHelpText = async (id: string, words: string): Promise<string> => {
  const text = words.slice(-20_000)
  const answer = await answerTo(
    client.POST('/api/persona/{persona_id}/care/check', { ...toParams(id), body: { text } }),
  )
  return answer.ok ? (answer.value.help?.text ?? '') : ''
}
