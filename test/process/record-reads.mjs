/** Preloaded into the built daemon: stores which of its files it has read when it first prints, or ends. */
import fs, { writeFileSync } from 'node:fs'
import { basename } from 'node:path'

const names = new Set()
const { readFileSync, writeSync } = fs

fs.readFileSync = (path, ...rest) => {
  if (typeof path === 'string' && path.endsWith('.cjs') && !path.includes('/compiled/'))
    names.add(basename(path))
  return readFileSync(path, ...rest)
}

let isStored = false
const store = () => {
  if (!isStored) writeFileSync(process.env.RECORDED_READS, [...names].join('\n'))
  isStored = true
}

fs.writeSync = (...args) => {
  store()
  return writeSync(...args)
}
process.on('exit', store)
