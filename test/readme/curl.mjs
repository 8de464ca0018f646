/** As much of curl as the README uses, for machines that have none: -s, -X, -H, -d and an address. */
const args = process.argv.slice(2)
const headers = {}
let url
let method
let body
for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
  if (arg === '-s') continue
  if (arg === '-X') method = args.shift()
  else if (arg === '-d') body = args.shift()
  else if (arg === '-H') {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(args.shift()) ?? []
    headers[name] = value
  } else url = arg
}
const response = await fetch(url, { method: method ?? (body === undefined ? 'GET' : 'POST'), headers, body })
process.stdout.write(Buffer.from(await response.arrayBuffer()))
