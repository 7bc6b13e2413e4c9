import { createContext, useContext } from 'react'
import type { UserWrites } from '../mutations'
import type { User } from '../queries'
import type { UserAction } from '../user-actions'

interface CurrentUser {
  user: User
  writes: UserWrites
  /** opens the dialog of an action */
  open: (action: UserAction) => void
}

const Current = createContext<CurrentUser | null>(null)

export const CurrentUserProvider = Current.Provider

/** Returns the user of the page. Only for components below its layout. */
export function useCurrentUser(): CurrentUser {
  const current = useContext(Current)
  if (!current) throw new Error('No user layout above this component')
  return current
}
