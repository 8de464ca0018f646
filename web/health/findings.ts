/** Lists the problems of a persona as sentences, each with the action that the user can take. */
import { inRoom, toPath } from '../shared/address.ts'
import { getReason } from '../shared/answer.ts'
import { type Condition, type Persona, type Shape, type Slot, slots } from '../shared/shapes.ts'
import { healthText } from '../strings/health-words.ts'
import { newText } from '../strings/new-words.ts'
import { text } from '../strings/strings.ts'

type Diagnosis = Shape<'Diagnosis'>
type OrganHealth = Shape<'OrganHealth'>

interface LinkAction {
  readonly label: string
  readonly href: string
}
/** `rescue`: continue with the undamaged events. `try`: call the failing model now. */
interface RunAction {
  readonly label: string
  readonly run: 'rescue' | 'try'
}
interface Finding {
  readonly key: string
  readonly sentence: string
  /** The daemon's own words, or an empty string. */
  readonly detail: string
  readonly actions: readonly (LinkAction | RunAction)[]
}

interface Case {
  readonly persona: Persona
  readonly condition: Condition
  readonly diagnosis: Diagnosis | undefined
  /** The damage that was found while reading the journal. */
  readonly damage: string | null
}

/** Returns the problems, the most important one first. Empty if everything works. */
export const listFindings = ({ persona, condition, diagnosis, damage }: Case): readonly Finding[] => {
  if (damage !== null) return [toDamage(persona, damage)]
  if (!diagnosis) return []
  const organs = slots.flatMap((slot) => {
    const organ = diagnosis.organs[slot]
    return organ?.state === 'failing' ? [toOrganFinding(persona, slot, organ)] : []
  })
  const channels = diagnosis.channels.flatMap((channel) => toChannelFindings(persona, channel))
  const calendars = (diagnosis.calendars ?? []).flatMap((calendar) => toCalendarFindings(persona, calendar))
  return [
    ...toStartFindings(persona, condition, diagnosis, organs.length > 0),
    ...organs,
    ...channels,
    ...calendars,
    ...(diagnosis.mailboxes ?? []).flatMap((mailbox) => toMailboxFindings(persona, mailbox)),
    ...(diagnosis.subscriptions ?? []).map(toSubscriptionFinding),
  ]
}

const words = healthText.health

const toSettings = ({ id }: Persona, section: string): string =>
  `${toPath(inRoom('settings', id))}#${section}`

const toDamage = ({ name }: Persona, damage: string): Finding => ({
  key: 'damage',
  sentence: words.finding.damage(name),
  detail: damage,
  actions: [{ label: words.salvage, run: 'rescue' }],
})

/** A reason that no failing organ explains. */
const toStartFindings = (
  { name }: Persona,
  condition: Condition,
  { reason }: Diagnosis,
  hasFailingOrgan: boolean,
): readonly Finding[] => {
  if (reason === null || hasFailingOrgan || condition === 'hibernating') return []
  const isRunning = condition === 'awake' || condition === 'ailing'
  const sentence = isRunning ? words.finding.fault : words.finding.start(name)
  return [{ key: 'start', sentence, detail: reason, actions: [] }]
}

const toOrganFinding = (persona: Persona, slot: Slot, organ: OrganHealth): Finding => {
  const { provider, key_missing: isKeyless, last_error: error } = organ
  const house = provider === null ? null : newText.organ.house[provider]
  const cause = isKeyless ? 'key' : (error?.kind ?? 'unknown')
  const change = {
    label: words.act[isKeyless ? 'enterKey' : 'changeModel'],
    href: toSettings(persona, 'organs'),
  }
  const retry = { label: text.talk.tryNow, run: 'try' } as const
  return {
    key: slot,
    sentence: words.finding.organ(words.finding.cannot[slot](persona.name), words.finding.why[cause](house)),
    detail: error?.reason ?? '',
    actions: slot === 'thinking' && persona.running && !isKeyless ? [retry, change] : [change],
  }
}

const toChannelFindings = (
  persona: Persona,
  { type, name, state, reason, waiting }: Diagnosis['channels'][number],
): readonly Finding[] => {
  if (state === 'well') return []
  const platform = `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`
  return [
    {
      key: `${type} ${name}`,
      sentence: words.finding.channel(platform, name),
      detail: [reason ?? '', waiting > 0 ? words.waiting(waiting) : ''].filter(Boolean).join(' '),
      actions: [{ label: words.act.channels, href: toSettings(persona, 'channels') }],
    },
  ]
}

const toCalendarFindings = (
  persona: Persona,
  { id, name, state, reason, kind }: NonNullable<Diagnosis['calendars']>[number],
): readonly Finding[] => {
  if (state === 'well') return []
  return [
    {
      key: `calendar ${id}`,
      sentence: words.finding.calendar(name),
      detail: getReason('calendar_unreadable', kind, reason),
      actions: [{ label: words.act.calendar, href: toPath(inRoom('calendar', persona.id)) }],
    },
  ]
}

const toMailboxFindings = (
  persona: Persona,
  { id, name, state, reason, kind }: NonNullable<Diagnosis['mailboxes']>[number],
): readonly Finding[] =>
  state === 'well'
    ? []
    : [
        {
          key: `mailbox ${id}`,
          sentence: words.finding.mailbox(name),
          detail: getReason('mailbox_unreadable', kind, reason),
          actions: [{ label: words.act.mailboxes, href: toSettings(persona, 'mail') }],
        },
      ]

/** `*` stands for all subscriptions. */
const toSubscriptionFinding = ({
  name,
  reason,
}: NonNullable<Diagnosis['subscriptions']>[number]): Finding => ({
  key: `subscription ${name}`,
  sentence: words.finding.subscription(name === '*' ? null : name),
  detail: reason,
  actions: [],
})
