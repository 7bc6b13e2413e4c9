import { createContext, useContext } from 'react'
import type { LdapDirectory } from '../../../api/contract'

const Current = createContext<LdapDirectory | null | undefined>(undefined)

export const CurrentDirectoryProvider = Current.Provider

/** Returns the LDAP directory of the team, or null if there is none. Only below `LdapPage`. */
export function useCurrentDirectory(): LdapDirectory | null {
  const current = useContext(Current)
  if (current === undefined) throw new Error('No LDAP directory in this context')
  return current
}

/** Returns the host name of a directory, with its port if it has one. */
export const hostOf = ({ ldapUrl }: Pick<LdapDirectory, 'ldapUrl'>): string =>
  ldapUrl.replace(/^ldaps?:\/\//i, '').replace(/\/$/, '')
