/** The address of a subscribed calendar and its login, as the secrets file stores them. */
import * as z from 'zod'
import type { CalendarAddress } from '../../packages/calendars/calendar-reader.ts'
import type { CalendarSubscription } from '../../projections/subscribed-calendars.ts'

const StoredSecret = z.object({
  url: z.string(),
  user: z.string().nullable(),
  password: z.string().nullable(),
})

export const toSecret = ({ url, login }: Pick<CalendarAddress, 'url' | 'login'>): string =>
  JSON.stringify({ url: url.href, user: login?.user ?? null, password: login?.password ?? null })

/** Returns null if the secret is damaged. */
export const toAddress = (
  { kind }: Pick<CalendarSubscription, 'kind'>,
  secret: string,
): CalendarAddress | null => {
  try {
    const { url, user, password } = StoredSecret.parse(JSON.parse(secret))
    return { kind, url: new URL(url), login: user !== null && password !== null ? { user, password } : null }
  } catch {
    return null
  }
}

/** All schemes of calendar programs, and the ones that they stand for. */
const schemes: Readonly<Record<string, string>> = {
  'http:': 'http:',
  'https:': 'https:',
  'webcal:': 'https:',
  'webcals:': 'https:',
}

export type AddressFault = 'form' | 'login'

/** Parses an address as the user gives it. `webcal://` stands for `https://`. */
export const parseAddress = (text: string): URL | AddressFault => {
  const [scheme = ''] = /^[a-z]+:/i.exec(text.trim()) ?? []
  const usedScheme = schemes[scheme.toLowerCase()]
  if (!usedScheme) return 'form'
  const address = `${usedScheme}${text.trim().slice(scheme.length)}`
  if (!URL.canParse(address)) return 'form'
  const url = new URL(address)
  url.hash = ''
  if (url.username !== '' || url.password !== '') return 'login'
  return url.hostname === '' ? 'form' : url
}
