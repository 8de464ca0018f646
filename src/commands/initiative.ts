/** Changes when a persona writes by itself, and the reasons that it has noted. */
import type { InitiativeLevel, PersonaId } from '../../facts/fact-values.ts'
import { Refused } from '../persona/refusals.ts'
import { readWhen, readZone } from './calendar.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'

type Deps = Pick<CommandDeps, 'personas' | 'clock'>

/** Undefined fields stay. `zone`: null for that of the daemon. */
export interface InitiativeWish {
  readonly level?: InitiativeLevel | undefined
  readonly zone?: string | null | undefined
  readonly quietFrom?: string | undefined
  readonly quietUntil?: string | undefined
}

/** Throws Refused: persona_unknown, zone_unknown. */
export const chooseInitiative = async (
  { personas, clock }: Deps,
  persona: PersonaId,
  { level, zone, quietFrom, quietUntil }: InitiativeWish,
): Promise<void> => {
  requireListed(personas, persona)
  const zoneName = zone === undefined || zone === null ? zone : await readZone(zone, clock)
  await personas.execute(
    persona,
    {
      type: 'ChooseInitiative',
      ...(level && { level }),
      ...(zoneName !== undefined && { zone: zoneName }),
      ...(quietFrom && { quietFrom }),
      ...(quietUntil && { quietUntil }),
    },
    'person',
  )
}

/** Throws Refused: persona_unknown, initiative_unknown, when_invalid, when_past, entry_empty, too_long. */
export const changeReason = async (
  { personas, clock }: Deps,
  persona: PersonaId,
  id: string,
  { when, reason }: { readonly when?: string | undefined; readonly reason?: string | undefined },
): Promise<void> => {
  requireListed(personas, persona)
  const zone = await personas.read(
    persona,
    async ({ persona: { initiative } }) => initiative.zone ?? clock.zone,
  )
  const time = when === undefined ? undefined : await readWhen(when, zone)
  if (time && time.at <= clock.now()) throw new Refused({ code: 'when_past', when: time.wall })
  await personas.execute(persona, { type: 'ChangeInitiative', id, at: time?.at, reason }, 'person')
}

/** Throws Refused: persona_unknown, initiative_unknown. */
export const removeReason = async (
  { personas }: Pick<Deps, 'personas'>,
  persona: PersonaId,
  id: string,
): Promise<void> => {
  requireListed(personas, persona)
  await personas.execute(persona, { type: 'RemoveInitiative', id }, 'person')
}

/** The user wants fewer messages like this one. Throws Refused: persona_unknown, initiative_unknown. */
export const dislikeReason = async (
  { personas }: Pick<Deps, 'personas'>,
  persona: PersonaId,
  id: string,
): Promise<void> => {
  requireListed(personas, persona)
  await personas.execute(persona, { type: 'DislikeInitiative', id }, 'person')
}
