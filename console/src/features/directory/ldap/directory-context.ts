import { createContext, useContext } from 'react'
import type { LdapDirectory } from '../../../api/contract'

const Current = createContext<LdapDirectory | null | undefined>(undefined)

export const CurrentDirectoryProvider = Current.Provider

/** The LDAP directory of the team; null when it has none. Only below its page. */
export function useCurrentDirectory(): LdapDirectory | null {
  const current = useContext(Current)
  if (current === undefined) throw new Error('This page stands outside of the LDAP directory.')
  return current
}

/** How people call a directory: its server, with the port where it has an own one. */
export const hostOf = ({ ldapUrl }: Pick<LdapDirectory, 'ldapUrl'>): string =>
  ldapUrl.replace(/^ldaps?:\/\//i, '').replace(/\/$/, '')
