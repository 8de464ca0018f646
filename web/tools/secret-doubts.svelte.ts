/** Values of tool servers that may be secrets: the daemon's doubts and the user's answers. */
import type { Answer } from '../shared/answer.ts'
import { toFields, toText } from '../shared/shapes.ts'
import { type Entry, judge } from './tool-servers.ts'

export interface Doubt {
  readonly value: string
  /** The server and the name of the value, or only the server. */
  readonly place: string
  isSecret: boolean
}

type Servers = Readonly<Record<string, Entry>>

export class Doubts {
  list = $state<Doubt[]>([])

  /**
   * Finds the values that the user has not been asked about, and adds them to `list`. Resolves to true if
   * there are any.
   */
  async find(id: string, servers: Servers): Promise<Answer<boolean>> {
    const answer = await judge(id, servers)
    if (!answer.ok) return answer
    const doubts = new Map<string, string>()
    for (const { server, field, key, start, end, name, verdict } of answer.value.values) {
      const texts = toFields(servers[server])[field]
      const text = toText(key === null ? texts : toFields(texts)[key])
      const value = text.slice(start, end)
      if (verdict === 'unsure' && !servers[server]?.secret_values?.some((secret) => secret.includes(value)))
        doubts.set(value, name === null ? server : `${server}: ${name}`)
    }
    const previousDoubts = this.list
    this.list = [...doubts].map(
      ([value, place]) =>
        previousDoubts.find((doubt) => doubt.value === value) ?? { value, place, isSecret: true },
    )
    return {
      ok: true,
      value: this.list.some(({ value }) => !previousDoubts.some((doubt) => doubt.value === value)),
    }
  }

  /** Returns the servers with the user's answers. */
  applyAnswers(servers: Servers): Servers {
    const valuesThatAre = (isSecret: boolean) =>
      this.list.filter((doubt) => doubt.isSecret === isSecret).map(({ value }) => value)
    const secret = valuesThatAre(true)
    const plainValues = valuesThatAre(false)
    if (this.list.length === 0) return servers
    return Object.fromEntries(
      Object.entries(servers).map(([name, entry]) => [
        name,
        { ...entry, secret_values: [...(entry.secret_values ?? []), ...secret], plain_values: plainValues },
      ]),
    )
  }

  clear(): void {
    this.list = []
  }
}
