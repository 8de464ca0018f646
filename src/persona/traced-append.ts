/** Traces one write that stores the facts of several commands. */
import type { Draft } from '../../facts/persona-journal.ts'
import {
  inSpan,
  isTracing,
  type Place,
  runWithin,
  type Span,
  startSpan,
} from '../../packages/kit/tracing/tracing.ts'

/** Facts of a command, and the span in which it was decided. */
export interface TracedDraft {
  readonly draft: Draft
  readonly place: Place | undefined
}

/** Each command gets a span in its own trace. The write is below the first; the others link to that one. */
export const traceAppend = async <T>(drafts: readonly TracedDraft[], write: () => Promise<T>): Promise<T> => {
  if (!isTracing()) return write()
  const spans: Span[] = []
  for (const { draft, place } of drafts) {
    const [first] = spans
    const attributes = {
      'daimon.append.facts': draft.events.length,
      'daimon.append.commands': drafts.length,
    }
    const links = first?.place ? [first.place] : []
    spans.push(startSpan({ name: 'journal append', parent: place ?? null, attributes, links }))
  }
  try {
    const result = await runWithin(spans[0]?.place, write)
    for (const span of spans) span.end()
    return result
  } catch (error) {
    for (const span of spans) span.end(error)
    throw error
  }
}

/** Publishes a commit in the trace of its command. The subscribers continue this trace. */
export const tracePublish = <T>({ place }: TracedDraft, publish: () => T): T =>
  isTracing() ? inSpan({ name: 'publish', parent: place ?? null }, publish) : publish()
