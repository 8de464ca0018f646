/** Binds one port on both loopback addresses, because `localhost` means either, depending on the client. */
import type { Server } from 'node:http'

/** Its message is shown to the user as one line. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken'
  readonly port: number
  constructor(port: number) {
    super(`port ${port} is already in use`)
    this.port = port
  }
}

/**
 * Returns the listening servers: one if the machine has no ::1, otherwise two. Throws PortTaken. Other errors
 * come from the operating system.
 */
export const bindLoopback = async (make: () => Server, port: number): Promise<readonly Server[]> => {
  const tries = port === 0 ? 10 : 1
  for (let left = tries; left > 0; left--) {
    const bound = await bindBoth(make, port)
    if (bound) return bound
  }
  throw new PortTaken(port)
}

/** Returns undefined if the port is taken on one of the addresses. Nothing stays bound then. */
const bindBoth = async (make: () => Server, port: number): Promise<readonly Server[] | undefined> => {
  const four = make()
  const taken = await bind(four, port, '127.0.0.1')
  if (taken === 'taken') return undefined
  if (taken === 'absent') throw new Error('this machine has no 127.0.0.1')

  const address = four.address()
  const six = make()
  const result = await bind(six, typeof address === 'object' && address ? address.port : port, '::1').catch(
    (error: unknown) => {
      four.close()
      throw error
    },
  )
  if (result === 'bound') return [four, six]
  if (result === 'absent') return [four]
  await new Promise((resolve) => four.close(resolve))
  return undefined
}

const bind = (server: Server, port: number, host: string): Promise<'bound' | 'taken' | 'absent'> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return resolve('taken')
      if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return resolve('absent')
      reject(error)
    })
    server.listen({ port, host }, () => {
      server.removeAllListeners('error')
      resolve('bound')
    })
  })
