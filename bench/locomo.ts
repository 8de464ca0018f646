/**
 * Measures whether messages are found: the questions of LoCoMo (`snap-research/LoCoMo`, CC BY-NC 4.0, not
 * part of this project) are passed unchanged to the persona's search tool. `DAIMON_LOCOMO` is the path of
 * gzipped JSON: `[{id, turns: [[id, speaker, text]], qa: [[question, [evidence ids], category]]}]`.
 */
import { readFile, rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import type { Seq } from '../facts/fact-values.ts'
import type { Embedder } from '../packages/models/embedder.ts'
import { recall, recallTexts } from '../src/mind/tools/recall.ts'
import type { ToolContext } from '../src/mind/tools/tool.ts'
import { createMessageHeard, createMessageSpoken } from '../test/journal/facts.ts'
import { openEnglishEmbedder } from '../test/search/english-embedder.ts'
import { ada, createLife, firstLived, type Library, openLibrary } from '../test/search/library.ts'
import { type Figure, median } from './figure.ts'

const Conversations = z.array(
  z.object({
    id: z.string(),
    turns: z.array(z.tuple([z.string(), z.string(), z.string()])),
    qa: z.array(z.tuple([z.string(), z.array(z.string()), z.number()])),
  }),
)
type Conversation = z.infer<typeof Conversations>[number]

/** Whether a question's evidence is among the results, and the length of the tool's output. */
interface FoundCount {
  readonly isFound: boolean
  readonly ms: number
  readonly characters: number
}

export const locomo = async (): Promise<readonly Figure[]> => {
  const file = process.env.DAIMON_LOCOMO
  if (!file) {
    console.log('locomo is left out: DAIMON_LOCOMO names no file')
    return []
  }
  const conversations = Conversations.parse(JSON.parse(String(gunzipSync(await readFile(file)))))
  const embedder = await openEnglishEmbedder()
  const wordResults = await askAll(conversations)
  const byMeaning = await askAll(conversations, embedder)
  const baseline = { label: 'words alone', value: shareFound(wordResults) }
  return [
    ...toFigures('words alone', wordResults, 77),
    ...toFigures(`words and ${embedder.name}`, byMeaning, 79).map((figure, n) =>
      n === 0 ? { ...figure, baseline } : figure,
    ),
  ]
}

const askAll = async (conversations: readonly Conversation[], embedder?: Embedder) => {
  const results: FoundCount[] = []
  for (const conversation of conversations) results.push(...(await ask(conversation, embedder)))
  return results
}

const toFigures = (label: string, results: readonly FoundCount[], goal: number): readonly Figure[] => {
  const value = shareFound(results)
  const length = median(results.map(({ characters }) => characters))
  const ms = median(results.map(({ ms }) => ms))
  return [
    {
      label: `locomo, ${label}: ${results.length} questions, any@8`,
      value,
      unit: '%',
      goal: `≥ ${goal} %`,
      isMet: value >= goal,
    },
    { label: 'an answer, median', value: length, unit: 'characters', goal: '≤ 1500', isMet: length <= 1500 },
    { label: 'a question', value: ms, unit: 'ms', goal: '< 60 ms', isMet: ms < 60 },
  ]
}

const shareFound = (results: readonly FoundCount[]): number =>
  (100 * results.filter(({ isFound }) => isFound).length) / results.length

/** The second speaker is the persona. */
const ask = async ({ turns, qa }: Conversation, embedder?: Embedder): Promise<readonly FoundCount[]> => {
  const person = turns[0]?.[1]
  const home = await createLife(
    turns.map(([, speaker, text]) =>
      speaker === person ? createMessageHeard(text) : createMessageSpoken(text),
    ),
  )
  const library = await openLibrary(home, embedder)
  if (embedder) await untilEmbedded(library)
  const seqs = new Map(turns.map(([id], n): [string, Seq] => [id, n + firstLived]))
  try {
    return await library.personas.read(ada, async ({ persona, journal }) => {
      const context = {
        persona,
        journal,
        turn: journal.head.seq,
        now: library.clock.now(),
        zone: library.clock.zone,
        search: (reading, question) => library.search.rank(ada, reading, question),
      } as ToolContext
      const results: FoundCount[] = []
      for (const [question, evidence] of qa.filter(([, evidence]) => evidence.length > 0)) {
        const startedAt = performance.now()
        const { output } = await recall.run({ query: question }, context)
        const ms = performance.now() - startedAt
        const { found } = await recallTexts({ query: question }, context)
        const places = new Set(found.map(({ seq }) => seq))
        results.push({
          ms,
          characters: JSON.stringify(output).length,
          isFound: evidence.some((id) => places.has(seqs.get(id) ?? 0)),
        })
      }
      return results
    })
  } finally {
    await library.close()
    await rm(home, { recursive: true, force: true })
  }
}

/** The first search starts the embedding. */
const untilEmbedded = async ({ personas, search, clock }: Library): Promise<void> => {
  const isDone = () =>
    personas.read(ada, async (reading) => {
      await search.rank(ada, reading, {
        text: 'Is it ready?',
        now: { at: clock.now(), zone: clock.zone },
        before: reading.journal.head.seq + 1,
        limit: 1,
        by: 'sense',
      })
      return (await search.vectors(ada, reading))?.up_to === reading.journal.head.seq
    })
  while (!(await isDone())) {
    await clock.advance(2000)
    await wait(100)
  }
}
