import { expect, it } from 'vitest'
import { quotedTeam } from './quoted-team.js'

it('quotes a team name with the domain that the team has verified', () => {
  expect(quotedTeam('Acme', 'acme.example')).toBe('“Acme” (verified domain acme.example)')
  expect(quotedTeam('Acme', undefined)).toBe('“Acme” (not verified)')
})

it('cuts a team name to 60 characters and splits none of them', () => {
  expect(quotedTeam('😀'.repeat(60), undefined)).toBe(`“${'😀'.repeat(60)}” (not verified)`)
  expect(quotedTeam('😀'.repeat(61), undefined)).toBe(`“${'😀'.repeat(59)}…” (not verified)`)
})
