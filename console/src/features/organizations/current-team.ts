import { createContext, useContext } from 'react'
import type { Me, Team } from '../../api/contract'

interface CurrentTeam {
  team: Team
  /** who the visitor is in it */
  me: Me
}

const Current = createContext<CurrentTeam | null>(null)

export const CurrentTeamProvider = Current.Provider

/** The team of the page. Only below the team's layout. */
export function useCurrentTeam(): CurrentTeam {
  const current = useContext(Current)
  if (!current) throw new Error('This page stands outside of a team.')
  return current
}
