/** The help of each country for people whose life is in danger: crisis lines and emergency numbers. */

import * as z from 'zod'
import { createLoader } from '../kit/flow/loader.ts'
import type { DangerLanguage } from './danger-words.ts'

const Country = z.string().regex(/^[A-Z]{2}$/)
const Phone = z.string().regex(/^\d[\d ]{1,16}\d$/)
const Url = z.url({ protocol: /^https$/ })
const Countries = z.array(Country).min(1).readonly()
/** `source`: a page that was read on the day `checked` and states the row. */
const row = { countries: Countries, phone: Phone, source: Url, checked: z.iso.date() }

/**
 * `text`: a number for text messages. `chat`: a page with a chat. `hours`: 24/7, or a time such as
 * `09:00–24:00`; absent if the source does not state them. `languages`: ISO 639-1.
 */
const Helpline = z.strictObject({
  ...row,
  name: z.string().min(1),
  text: Phone.optional(),
  chat: Url.optional(),
  hours: z
    .string()
    .regex(/^(?:24\/7|\d\d:\d\d–\d\d:\d\d)$/)
    .optional(),
  languages: z.array(z.string().regex(/^[a-z]{2}$/)).readonly(),
})
type Helpline = z.infer<typeof Helpline>

export const HelpTable = z.strictObject({
  helplines: z.array(Helpline).readonly(),
  emergencies: z.array(z.strictObject(row)).readonly(),
})
type HelpTable = z.infer<typeof HelpTable>

/** Loaded on first use. */
export const loadHelp = createLoader(async (): Promise<HelpTable> => {
  const { default: table } = await import('./help.json', { with: { type: 'json' } })
  return HelpTable.parse(table)
})

/** Returns the countries that the table knows, sorted. */
export const listHelpCountries = ({ helplines, emergencies }: HelpTable): readonly string[] =>
  [...new Set([...helplines, ...emergencies].flatMap(({ countries }) => countries))].sort()

/** Returns the country of a time zone, or null if it is unknown or the table does not know the country. */
export const findCountry = (zone: string, table: HelpTable): string | null => {
  const name = toCanonical(zone)
  return (
    listHelpCountries(table).find((country) =>
      listZones(country).some((candidate) => toCanonical(candidate) === name),
    ) ?? null
  )
}

/** Node 20 has the field, later versions have the method. */
type ZonedLocale = Intl.Locale & {
  readonly timeZones?: readonly string[]
  getTimeZones?(): readonly string[] | undefined
}

const listZones = (country: string): readonly string[] => {
  const locale = new Intl.Locale(`und-${country}`) as ZonedLocale
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}

/** Names such as Asia/Kolkata and Asia/Calcutta are the same zone. */
const toCanonical = (zone: string): string => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return zone
  }
}

/** Returns a short text with one line per number. `country`: null if it is unknown. */
export const writeHelp = (
  country: string | null,
  language: DangerLanguage,
  { helplines, emergencies }: HelpTable,
): string => {
  const words = phrases[language]
  const isHere = ({ countries }: { readonly countries: readonly string[] }) =>
    country !== null && countries.includes(country)
  const lines = helplines.filter(isHere).map((line) => writeLine(line, words))
  const emergency = emergencies.find(isHere)
  return [
    ...(lines.length > 0 ? [words.toTalk, ...lines] : []),
    emergency ? words.emergency(emergency.phone) : words.localEmergency,
  ].join('\n')
}

const writeLine = ({ name, phone, text, chat, hours }: Helpline, words: Phrases): string =>
  [
    `${name}: ${phone}`,
    ...(hours === undefined ? [] : [hours === '24/7' ? words.always : hours]),
    ...(text === undefined ? [] : [words.text(text)]),
    ...(chat === undefined ? [] : [chat]),
  ].join(', ')

interface Phrases {
  readonly toTalk: string
  readonly always: string
  readonly text: (phone: string) => string
  readonly emergency: (phone: string) => string
  readonly localEmergency: string
}

const phrases: Readonly<Record<DangerLanguage, Phrases>> = {
  en: {
    toTalk: 'If you want to talk to a person now:',
    always: 'day and night',
    text: (phone) => `text ${phone}`,
    emergency: (phone) => `If your life is in danger, call ${phone}.`,
    localEmergency: 'If your life is in danger, call your local emergency number.',
  },
  de: {
    toTalk: 'Wenn du jetzt mit einem Menschen sprechen willst:',
    always: 'Tag und Nacht',
    text: (phone) => `SMS an ${phone}`,
    emergency: (phone) => `Wenn dein Leben in Gefahr ist, ruf die ${phone} an.`,
    localEmergency: 'Wenn dein Leben in Gefahr ist, ruf den Notruf deines Landes an.',
  },
}
