import { createContext, useContext } from 'react'

/** Opens and closes the navigation on small screens. */
export interface Navigation {
  open: () => void
  close: () => void
  /** Whether the component is in the drawer, a modal dialog: its menus must be inside of it. */
  isDrawer: boolean
}

export const NavigationContext = createContext<Navigation | null>(null)

/** Null outside the console's frame. */
export const useNavigation = (): Navigation | null => useContext(NavigationContext)
