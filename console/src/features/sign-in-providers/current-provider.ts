import { createContext, useContext } from 'react'
import type { SsoProvider } from '../../api/contract'

const Current = createContext<SsoProvider | null>(null)

export const CurrentProviderProvider = Current.Provider

/** Returns the sign-in provider of the page. Only below its layout. */
export function useCurrentProvider(): SsoProvider {
  const current = useContext(Current)
  if (!current) throw new Error('No sign-in provider in this context')
  return current
}
