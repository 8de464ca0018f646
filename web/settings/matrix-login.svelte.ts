/** The fields with which the user signs in to a Matrix account. */
import type { Credentials } from './channels.ts'

export const ways = ['password', 'token'] as const

export class MatrixLogin {
  homeserver = $state('')
  way = $state<(typeof ways)[number]>('password')
  user = $state('')
  password = $state('')
  token = $state('')

  /** Returns null if a field is empty. */
  read(): Credentials | null {
    const homeserver = this.homeserver.trim()
    const [user, token] = [this.user.trim(), this.token.trim()]
    if (homeserver === '') return null
    if (this.way === 'token') return token === '' ? null : { homeserver, token }
    return user === '' || this.password === '' ? null : { homeserver, user, password: this.password }
  }

  /** Removes the secrets. */
  clear(): void {
    this.password = ''
    this.token = ''
  }
}
