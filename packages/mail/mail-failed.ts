export const mailFailureKinds = [
  'unreachable',
  'login',
  'password_missing',
  'folder',
  'certificate',
  'answer',
] as const

/**
 * Why a mailbox could not be read. The message is a clause that follows the name of the host. It contains no
 * password and no text of the server. `login`: the server refuses the name or password. `password_missing`:
 * the stored password is gone. `folder`: the folder does not exist. `certificate`: the certificate is not
 * valid for this host. `answer`: the server breaks the protocol or a limit.
 */
export class MailFailed extends Error {
  override readonly name = 'MailFailed'
  readonly kind: (typeof mailFailureKinds)[number]
  constructor(kind: MailFailed['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
