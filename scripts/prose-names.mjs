/**
 * Finds declared names that are a participle, a preposition or an adverb alone (`told`, `behind`, `anew`),
 * because they do not describe a value. Better: `sentMessages`, `previousHead`, `retryDelayMs`. Names of
 * fields are not checked, because many are on disk or in the HTTP contract.
 */
import ts from 'typescript'

const loneNames = new Set(
  `able accepted added afterwards alone always amid amiss anew apart aside attached because begun behind
  beside borrowed bracketed branched built carried coerced consolidated consumed contained could counted
  decided deepest deferred denied described detached doubled edited enough ephemeral even ever everything
  exactly existing fell fetched finer firsts fitting folds forbidden former fours framed fully further
  generated got greeted grouped grown guessed heavy hopeless hung ignored inflected installed itself
  judged knew larger lately lazily listed longer made malformed masked measured mending missed named
  narrow nested never nothing odd ones onto opened or outdone owed parked passed past pending perceived
  picked planned posted priced published pulled purged ran received removable removed reported resolved
  responded retired retyped revised roughly same sensed shared shorter signalled signed since six skipped
  slept smaller sparingly spelled spent spoke staged started stirred stored suggested supported swapped
  swept taken tellable telling tens themselves there they things thrown thus tightly torn transferred
  translated trimmed turned unbegun unchanged undelivered undone unfit unforeseen unhashed unkept unnamed
  unread unsent untold unwrapped upon urgent verified visited waiting wanted watched went wholes wider
  widest withdrawals withdrawn woke wordless yet yielded younger`.split(/\s+/),
)

/** These names still exist in the folders that are not listed here. */
const productNames = new Set(
  `about after again ahead answered asked awake back bare before began born came cancelled changed checked
  completed confirmed cut damaged dated done due each earlier elsewhere erased every failed flipped found
  fresh given gone heard here kept known latest loaded lost moved near newest offered older oldest omitted
  original own packed parsed pinned plainly put reachable refused reopened running said seen sent shown
  silent spoken stopped then told took typed unreadable unsaid until used usual whole within without
  written wrong`.split(/\s+/),
)
const productFolders = /^(?:src|packages|journal|facts|home|projections|scripts)\//

/** Returns name and line of each declaration of such a name in a script or component. */
export const findLoneNames = (path, source) => {
  const blocks = path.endsWith('.svelte')
    ? [...source.matchAll(/(<script[^>]*>)([\s\S]*?)<\/script>/g)].map(
        ({ 0: tag, 1: head, 2: text, index }) => ({
          text,
          start: index + tag.indexOf(head) + head.length,
        }),
      )
    : [{ text: source, start: 0 }]
  const isLone = (name) => loneNames.has(name) || (productFolders.test(path) && productNames.has(name))
  return blocks.flatMap(({ text, start }) => {
    const firstLine = source.slice(0, start).split('\n').length
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS)
    return findInFile(file, isLone).map(({ name, position }) => ({
      name,
      line: firstLine + file.getLineAndCharacterOfPosition(position).line,
    }))
  })
}

const findInFile = (file, isLone) => {
  const matches = []
  const visit = (node) => {
    const name = getDeclaredName(node)
    if (name && isLone(name.text)) matches.push({ name: name.text, position: name.getStart() })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return matches
}

/** A destructured field keeps its name, unless it gets another one. */
const getDeclaredName = (node) => {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isFunctionDeclaration(node) ||
    (ts.isBindingElement(node) && (node.propertyName || ts.isArrayBindingPattern(node.parent)))
  return isDeclaration && node.name && ts.isIdentifier(node.name) ? node.name : undefined
}
