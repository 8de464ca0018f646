/**
 * `node scripts/linear.mjs [part of a path]`: whether every regular expression takes time linear in the text
 * it looks at. Where that cannot be seen from itself, as of one that a function makes of what it is given, a
 * comment on the line or on the one above says what keeps it so: `// Linear: …`.
 */
import { expressions } from './expressions.mjs'
import { judge } from './superlinear.mjs'

const all = await expressions(process.argv[2])
const objections = all.flatMap(({ file, line, source, flags, excuse }) => {
  if (source === undefined)
    return excuse
      ? []
      : [`${file}:${line} an expression is made here, and nothing says what keeps it linear (// Linear: …)`]
  const found = excuse ? undefined : judge(source, flags)
  return found
    ? [
        `${file}:${line} /${source}/${flags}\n  takes ${found.kind} time: ${JSON.stringify(found.prefix)}, then ${JSON.stringify(found.pump)} again and again`,
      ]
    : []
})
for (const objection of objections) console.log(objection)
console.log(`${all.length} expressions, ${objections.length} objections`)
// With none found, nothing was looked at.
process.exitCode = objections.length > 0 || all.length === 0 ? 1 : 0
