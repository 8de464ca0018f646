/**
 * As much of curl as the docs use, for machines that have none: -s, -N, -X, -H, -d, -F, -o and an address.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const args = process.argv.slice(2)
const headers = {}
let url
let method
let body
let form
let output
for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
  if (/^-[sN]+$/.test(arg)) continue
  if (arg === '-X') method = args.shift()
  else if (arg === '-d') body = args.shift()
  else if (arg === '-o') output = args.shift()
  else if (arg === '-F') {
    const [, name, file, text] = /^(\w+)=(?:@(.*)|(.*))$/s.exec(args.shift()) ?? []
    form ??= new FormData()
    if (file === undefined) form.append(name, text)
    else form.append(name, new Blob([readFileSync(file)]), file)
  } else if (arg === '-H') {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(args.shift()) ?? []
    headers[name] = value
  } else url = arg
}
const response = await fetch(url, {
  method: method ?? ((body ?? form) === undefined ? 'GET' : 'POST'),
  headers,
  body: form ?? body,
})
const bytes = Buffer.from(await response.arrayBuffer())
if (output === undefined) process.stdout.write(bytes)
else writeFileSync(output, bytes)
