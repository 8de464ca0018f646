/** `node forward.mjs <from> <to>`: what comes in at a port, from any network, goes to another on loopback. */
import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'

const [from, to] = process.argv.slice(2).map(Number)
createServer((near) => {
  const far = connect(to, '127.0.0.1')
  // Whoever breaks off ends both.
  pipeline(near, far, near, () => undefined)
}).listen(from, '0.0.0.0', () => console.log('ready'))
