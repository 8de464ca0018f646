/**
 * Checks that every regular expression takes linear time: `node scripts/linear.mjs [part of a path]`. If the
 * analysis cannot prove it, for example for an expression that a function creates, a comment on the line or
 * the line above must give the reason: `// Linear: …`.
 */
import { expressions } from './expressions.mjs'
import { judge } from './superlinear.mjs'

const all = await expressions(process.argv[2])
const objections = all.flatMap(({ file, line, source, flags, excuse }) => {
  if (source === undefined)
    return excuse
      ? []
      : [`${file}:${line} an expression is created here without a reason why it is linear (// Linear: …)`]
  const judgement = excuse ? undefined : judge(source, flags)
  return judgement
    ? [
        `${file}:${line} /${source}/${flags}\n  takes ${judgement.kind} time: ${JSON.stringify(judgement.prefix)}, then ${JSON.stringify(judgement.pump)} again and again`,
      ]
    : []
})
for (const objection of objections) console.log(objection)
console.log(`${all.length} expressions, ${objections.length} objections`)
// No expressions at all means that the search is broken.
process.exitCode = objections.length > 0 || all.length === 0 ? 1 : 0
