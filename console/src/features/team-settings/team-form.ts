import {
  array,
  check,
  type InferOutput,
  integer,
  literal,
  maxValue,
  minLength,
  minValue,
  number,
  object,
  pipe,
  regex,
  string,
  trim,
  union,
} from 'valibot'
import { answerOf, member } from '../../api/client'
import type { Team } from '../../api/contract'
import type { paths } from '../../api/schema.gen'
import m from '../../messages/en/team-settings.json'
import { atMost } from '../../ui/form/at-most'

export type TeamChanges = paths['/api/v1/organizations/{orgId}']['put']['requestBody']['content']['application/json']

const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i

const limit = pipe(
  number(() => m.numberInvalid()),
  integer(() => m.numberInvalid()),
  minValue(1, () => m.numberInvalid()),
)

/** The fields of the page. An empty text is stored as null. */
export const teamSchema = object({
  name: pipe(
    string(),
    trim(),
    minLength(1, () => m.nameMissing()),
    atMost(100),
  ),
  slug: pipe(
    string(),
    trim(),
    regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, () => m.slugInvalid()),
  ),
  logoUrl: pipe(
    string(),
    trim(),
    regex(/^(https?:\/\/[^\s"'<>\\]+)?$/, () => m.logoInvalid()),
  ),
  primaryColor: pipe(
    string(),
    trim(),
    regex(/^(#[0-9a-f]{6})?$/i, () => m.colorInvalid()),
  ),
  allowedDomains: pipe(
    array(string()),
    check(
      (domains) => domains.every((domain) => DOMAIN.test(domain)),
      ({ input }) => m.domainInvalid({ domain: (input as string[]).find((one) => !DOMAIN.test(one)) ?? '' }),
    ),
  ),
  maxMembers: limit,
  maxApplications: limit,
  sessionMaxLifetimeDays: union([literal(''), pipe(number(), integer(), minValue(1), maxValue(365))], () =>
    m.daysInvalid(),
  ),
})

export type TeamValues = InferOutput<typeof teamSchema>

export const valuesOf = (team: Team): TeamValues => ({
  name: team.name,
  slug: team.slug,
  logoUrl: team.logoUrl ?? '',
  primaryColor: team.primaryColor ?? '',
  allowedDomains: team.allowedDomains,
  maxMembers: team.maxMembers,
  maxApplications: team.maxApplications,
  sessionMaxLifetimeDays: team.sessionMaxLifetimeDays ?? '',
})

/** Returns the fields that differ from the team, as the service expects them. */
export function changesOf(team: Team, values: TeamValues): TeamChanges {
  const before = valuesOf(team)
  const changed = Object.entries(values).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof TeamValues]),
  )
  return Object.fromEntries(changed.map(([field, value]) => [field, value === '' ? null : value]))
}

const ofTeam = (orgId: string) => ({ params: { path: { orgId } } })

export const changeTeam = (id: string, body: TeamChanges) =>
  answerOf(member.PUT('/api/v1/organizations/{orgId}', { ...ofTeam(id), body }))

/** Deletes the team with all its data. Requires a recent sign-in. */
export const deleteTeam = (id: string) => answerOf(member.DELETE('/api/v1/organizations/{orgId}', ofTeam(id)))
