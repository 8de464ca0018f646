/** `causes`, `effects`: print the causes and the effects of a fact as a tree. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { toQuery } from './daemon-client.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { applyStyle, harmless, printJson, printStyled, toMinute } from './printing.ts'

interface LinkedFact {
  readonly seq: number
  readonly type: string | null
  readonly at: string | null
  readonly text: string | null
  readonly erased?: true
}

interface Edge {
  readonly from: number
  readonly to: number
  readonly relation: string
}

interface Graph {
  readonly nodes: readonly LinkedFact[]
  readonly edges: readonly Edge[]
  readonly cut: boolean
}

type Direction = 'causes' | 'effects'

export const addCauseCommands: AddCommand = (program, { daemon, isJson }) => {
  const add = (direction: Direction, description: string) =>
    program
      .command(direction)
      .description(description)
      .argument('<persona>', 'name or id')
      .argument('<seq>', 'position in the journal')
      .option('--depth <n>', 'max links from the fact (default 3, max 20)')
      .option('--kind <types>', 'only facts of these types, separated by commas')
      .action(
        async (ref: string, seq: string, options: { depth?: string; kind?: string }, command: Command) => {
          const client = daemon(command)
          const query = toQuery({ depth: options.depth, kinds: options.kind })
          const path = `journal/${encodeURIComponent(seq)}/${direction}${query}`
          const graph = await client.get<Graph>(personaPath(await findPersona(client, ref), path))
          if (isJson(command)) return printJson(graph)
          for (const line of formatTree(graph, Number(seq), direction)) printStyled(line)
          if (graph.cut) printStyled(applyStyle('dim', '… there are more'))
        },
      )
  add('causes', 'Print the causes of a fact as a tree.')
  add('effects', 'Print the effects of a fact as a tree.')
}

/** Each fact is opened once. Where it comes again, only its position is printed. */
const formatTree = ({ nodes, edges }: Graph, first: number, direction: Direction): readonly string[] => {
  const facts = new Map(nodes.map((fact) => [fact.seq, fact]))
  const lines: string[] = []
  const printedSeqs = new Set<number>()
  const add = (seq: number, relation: string | null, [lead, indent]: readonly [string, string]) => {
    const isAgain = printedSeqs.has(seq)
    const fact = facts.get(seq)
    lines.push(lead + (isAgain || !fact ? `${seq}  (above)` : formatFact(fact)) + formatRelation(relation))
    if (isAgain) return
    printedSeqs.add(seq)
    const links = edges.filter(({ from, to }) => (direction === 'causes' ? to : from) === seq)
    for (const [n, link] of links.entries()) {
      const isLast = n === links.length - 1
      const other = direction === 'causes' ? link.from : link.to
      add(other, link.relation, [indent + (isLast ? '└─ ' : '├─ '), indent + (isLast ? '   ' : '│  ')])
    }
  }
  add(first, null, ['', ''])
  return lines
}

const formatRelation = (relation: string | null): string =>
  relation === null ? '' : applyStyle('dim', `  (${relation})`)

const formatFact = ({ seq, type, at, text, erased }: LinkedFact): string => {
  const words = text === null ? '' : `  ${harmless(text).replace(/\s+/g, ' ').trim().slice(0, 80)}`
  const state = erased ? '  (erased)' : type === null ? '  (damaged)' : ''
  return `${seq}  ${applyStyle('dim', at === null ? '' : toMinute(at))}  ${type ?? ''}${words}${state}`
}
