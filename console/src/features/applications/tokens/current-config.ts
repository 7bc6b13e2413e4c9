import { createContext, useContext } from 'react'
import type { OidcConfig } from '../../../api/contract'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import type { At } from './calls'

const Current = createContext<OidcConfig | null>(null)

export const CurrentConfigProvider = Current.Provider

/** What the tokens of the page's application hold, where it is, and whether its reader may change it. */
export function useCurrentConfig() {
  const config = useContext(Current)
  const { team, me } = useCurrentTeam()
  const { id } = useCurrentApplication()
  if (!config) throw new Error('This part stands outside of the page of tokens.')
  const at: At = { teamId: team.id, appId: id }
  return { config, at, mayWrite: me.permissions.includes('oidc-config:write') }
}
