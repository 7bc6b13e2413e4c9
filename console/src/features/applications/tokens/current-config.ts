import { createContext, useContext } from 'react'
import type { OidcConfig } from '../../../api/contract'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import type { At } from './calls'

const Current = createContext<OidcConfig | null>(null)

export const CurrentConfigProvider = Current.Provider

/** Returns the token settings of the application, its IDs, and whether the user may change the settings. */
export function useCurrentConfig() {
  const config = useContext(Current)
  const { team, me } = useCurrentTeam()
  const { id } = useCurrentApplication()
  if (!config) throw new Error('No token settings above this component')
  const at: At = { teamId: team.id, appId: id }
  return { config, at, mayWrite: me.permissions.includes('oidc-config:write') }
}
