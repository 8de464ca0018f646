/** The cluster cannot be used as it is. The message is for the operator of the daemon and holds no secret. */
export class NatsRefused extends Error {
  override readonly name = 'NatsRefused'
}
