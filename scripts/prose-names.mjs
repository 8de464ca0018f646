/**
 * Finds declared names that are a participle, a preposition or an adverb alone (`told`, `behind`, `anew`),
 * because they do not say what a value is. Better: `sentMessages`, `previousHead`, `retryDelayMs`. Names of
 * fields are not checked, because many are on disk or in the HTTP contract.
 */
import ts from 'typescript'

const loneNames = new Set(
  `able afterwards amid amiss anew aside because behind beside borrowed bracketed branched carried coerced
  consolidated consumed contained counted could decided deferred denied described detached doubled edited
  enough ephemeral even ever everything exactly existing fell finer firsts fitting folds forbidden former fours
  framed fully further generated greeted grouped guessed heavy hopeless hung ignored inflected installed itself
  judged knew larger lately lazily longer malformed masked mending narrow nested onto ones or outdone
  owed parked perceived picked posted priced pulled purged removable resolved responded retired
  retyped revised roughly sensed shared shorter signalled signed since six skipped slept smaller
  sparingly spelled spent spoke stirred suggested supported swapped swept tellable tens themselves they thus tightly
  torn transferred translated trimmed turned unbegun unchanged undelivered undone unfit unforeseen unhashed unkept
  unnamed unsent untold unwrapped upon urgent visited wholes wider widest withdrawals withdrawn wordless yet yielded
  younger`.split(/\s+/),
)

/** These names still exist in the folders that are not listed here. */
const productNames = new Set(
  `about accepted added after again ahead alone always answered apart asked attached awake back bare before began
  begun born built came cancelled changed checked completed confirmed cut damaged dated deepest done due each
  earlier elsewhere erased every failed fetched flipped found fresh given gone got grown heard here kept known
  latest listed loaded lost made measured missed moved named near never newest nothing odd offered older oldest
  omitted opened original own packed parsed passed past pending pinned planned plainly published put ran reachable
  received refused removed reopened reported running said same seen sent shown silent spoken staged started stopped
  stored taken telling then there things thrown told took typed unreadable unread unsaid until used usual
  verified waiting wanted watched went whole within without woke written wrong`.split(/\s+/),
)
const productFolders = /^(?:src|packages|journal|projections|scripts)\//

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
