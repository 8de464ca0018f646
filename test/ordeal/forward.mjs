/** `node forward.mjs <from> <to>`: forwards a port, reachable from any network, to another on loopback. */
import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'

const [from, to] = process.argv.slice(2).map(Number)
createServer((incoming) => {
  const outgoing = connect(to, '127.0.0.1')
  // If either side closes, both end.
  pipeline(incoming, outgoing, incoming, () => undefined)
}).listen(from, '0.0.0.0', () => console.log('ready'))
