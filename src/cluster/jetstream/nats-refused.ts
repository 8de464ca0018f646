/** A sentence for whoever runs the daemon: the cluster cannot be used as it is. Holds no secret. */
export class NatsRefused extends Error {
  override readonly name = 'NatsRefused'
}
