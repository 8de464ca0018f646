/** The user's name as an address. */
import { getStatementSubject } from './person-facts.ts'
import type { Situation } from './situation.ts'
import { wordTables } from './words.ts'

/** Returns the user's name after a comma, or an empty string if the name is unknown. */
export const address = ({ statements }: Pick<Situation, 'statements'>): string => {
  for (const subject of ['called', 'name']) {
    const text = statements.findLast((statement) => getStatementSubject(statement.text) === subject)?.text
    const name = Object.values(wordTables)
      .map(({ facts }) => text && facts.nameInStatement.exec(text)?.[1])
      .find(Boolean)
    if (name) return `, ${wordTables.en.asName(name.split(' ')[0] ?? name)}`
  }
  return ''
}
