import { createContext, useContext } from 'react'
import type { Me, Team } from '../../api/contract'

interface CurrentTeam {
  team: Team
  /** the current user in the team */
  me: Me
}

const Current = createContext<CurrentTeam | null>(null)

export const CurrentTeamProvider = Current.Provider

/** Returns the team of the page. For pages below the layout of a team only. */
export function useCurrentTeam(): CurrentTeam {
  const current = useContext(Current)
  if (!current) throw new Error('This page stands outside of a team.')
  return current
}
