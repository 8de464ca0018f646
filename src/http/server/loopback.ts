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
  for (let triesLeft = tries; triesLeft > 0; triesLeft--) {
    const servers = await bindBoth(make, port)
    if (servers) return servers
  }
  throw new PortTaken(port)
}

/** Returns undefined if the port is taken on one of the addresses. Nothing stays bound then. */
const bindBoth = async (make: () => Server, port: number): Promise<readonly Server[] | undefined> => {
  const ipv4Server = make()
  const ipv4Result = await bind(ipv4Server, port, '127.0.0.1')
  if (ipv4Result === 'taken') return undefined
  if (ipv4Result === 'absent') throw new Error('this machine has no 127.0.0.1')

  const address = ipv4Server.address()
  const ipv6Server = make()
  const result = await bind(
    ipv6Server,
    typeof address === 'object' && address ? address.port : port,
    '::1',
  ).catch((error: unknown) => {
    ipv4Server.close()
    throw error
  })
  if (result === 'bound') return [ipv4Server, ipv6Server]
  if (result === 'absent') return [ipv4Server]
  await new Promise((resolve) => ipv4Server.close(resolve))
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
