import { createContext, useContext } from 'react'
import type { Application } from '../../api/contract'

const Current = createContext<Application | null>(null)

export const CurrentApplicationProvider = Current.Provider

/** Returns the application of the page. Only for components below its layout. */
export function useCurrentApplication(): Application {
  const current = useContext(Current)
  if (!current) throw new Error('No application layout above this component')
  return current
}
