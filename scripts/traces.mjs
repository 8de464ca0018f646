/** Places in compiled code as places in its sources, in what a test has said. */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * ⏱ Node does so by itself with `--enable-source-maps`, at each stack that anybody looks at: 43.8 s of
 * processor time of some files beside 41.7 without. Lines and columns begin with 1; what has no map stays as
 * it is.
 */
export const inSources = (text) => {
  const maps = new Map()
  const mapOf = (url) => {
    if (!maps.has(url)) maps.set(url, readMap(url))
    return maps.get(url)
  }
  return text.replace(/(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g, (place, url, line, column) => {
    const entry = mapOf(url)?.findEntry(line - 1, column - 1)
    if (!entry?.originalSource) return place
    const path = fileURLToPath(new URL(entry.originalSource, url))
    return `${path}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

const readMap = (url) => {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')))
  } catch {
    return undefined
  }
}
