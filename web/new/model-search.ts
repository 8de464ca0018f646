/**
 * The models that are offered where an organ is to be served, or why they could not be told and what usually
 * helps.
 */
import type { Failure } from '../shared/answer.ts'
import * as api from '../shared/api.ts'
import { button, el } from '../shared/dom.ts'
import { told } from '../shared/prose.ts'
import type { Provider, Slot } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import { keyPages, practice } from './providers.ts'

export interface ModelSearch {
  readonly element: HTMLElement
  /** Asks anew; an answer that was overtaken is dropped. */
  readonly look: () => Promise<void>
}

export interface Whereabouts {
  readonly provider: Provider | ''
  readonly url: string
  readonly api_key: string
}

type Nodes = readonly (Node | string)[]

export const createModelSearch = (
  id: string,
  slot: Slot,
  onFound: (names: readonly string[]) => void,
  place: () => Whereabouts,
): ModelSearch => {
  const element = el('div', { id, class: 'hint', role: 'status' })
  const again = () => button(text.organ.lookAgain, 'inline', () => void look())
  let asked = 0

  const look = async () => {
    asked += 1
    const mine = asked
    const at = place()
    onFound([])
    element.replaceChildren(text.organ.looking)
    const answer = await api.models({ ...at, provider: at.provider === 'local' ? '' : at.provider })
    if (mine !== asked) return
    const found = answer.ok ? answer.value : []
    // The stand-in is a Mind, and of this machine.
    const here = slot === 'thinking' && at.provider === 'local' && !at.url
    onFound([...new Set([...found, ...(here ? [practice] : [])])])
    element.replaceChildren(
      ...(answer.ok ? foundWords(at, found.length, again()) : failedWords(at, answer.failure, here, again())),
    )
  }

  return { element, look }
}

const foundWords = ({ provider, url }: Whereabouts, count: number, again: Node): Nodes => {
  const here = provider === 'local' && !url
  if (count > 0) return [here ? text.organ.installed(count) : text.organ.offers(count)]
  return here
    ? [text.organ.noneInstalled, el('code', {}, text.organ.runtimeCommand), '. ', again]
    : [text.organ.offersNone, ' ', again]
}

const failedWords = (
  { provider, api_key }: Whereabouts,
  { status, words }: Failure,
  here: boolean,
  again: Node,
): Nodes => {
  if (status === null) return [words, ' ', again]
  if (provider === '') return []
  // Nobody has given a key yet, and the service has none of its own: nothing went wrong.
  if (provider !== 'local' && !api_key)
    return [
      text.organ.keyFirst(text.organ.house[provider]),
      outside(keyPages[provider], text.organ.keyPage),
      '.',
    ]
  if (here) return waysOn(words, again)
  const fixes = provider === 'local' ? text.organ.fixes.local : text.organ.fixes.cloud
  const page =
    provider === 'local'
      ? []
      : [el('li', {}, text.organ.keyWhole, outside(keyPages[provider], text.organ.keyPage), '.')]
  return [
    el('p', { class: 'trouble' }, ...told(words)),
    el('ul', {}, ...page, ...fixes.map((fix) => el('li', {}, fix))),
    el('p', {}, text.organ.typeIt, again),
  ]
}

/** No runtime on this machine. */
const waysOn = (why: string, again: Node): Nodes => {
  const [begin, stand, already] = text.organ.practice
  const [install, runtime, then] = text.organ.runtime
  return [
    el('p', {}, text.organ.noRuntime),
    el(
      'ol',
      {},
      el('li', {}, begin, el('code', {}, stand), already),
      el(
        'li',
        {},
        install,
        outside(text.organ.runtimeAddress, runtime),
        then,
        el('code', {}, text.organ.runtimeCommand),
        '. ',
        again,
      ),
      el('li', {}, text.organ.cloud),
    ),
    el('p', { class: 'why' }, ...told(why)),
  ]
}

const outside = (href: string, words: string): HTMLElement =>
  el('a', { href, target: '_blank', rel: 'noopener noreferrer' }, words)
