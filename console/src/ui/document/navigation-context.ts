import { createContext, useContext } from 'react'

/** Opens and closes the navigation on small screens. */
export interface Navigation {
  open: () => void
  close: () => void
}

export const NavigationContext = createContext<Navigation | null>(null)

/** Null outside the console's frame. */
export const useNavigation = (): Navigation | null => useContext(NavigationContext)
