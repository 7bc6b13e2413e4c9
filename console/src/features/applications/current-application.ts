import { createContext, useContext } from 'react'
import type { Application } from '../../api/contract'

const Current = createContext<Application | null>(null)

export const CurrentApplicationProvider = Current.Provider

/** The application of the page. Only below its layout. */
export function useCurrentApplication(): Application {
  const current = useContext(Current)
  if (!current) throw new Error('This page stands outside of an application.')
  return current
}
