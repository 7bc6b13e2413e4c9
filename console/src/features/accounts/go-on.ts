import { safeReturn } from '../../navigation/return-to'
import { openPage } from '../../navigation/router'
import { afterSignIn, type SignInSearch } from '../../navigation/sign-in-search'

/** Opens the page that the sign-in leads to. */
export const goOn = (search: SignInSearch): Promise<void> =>
  openPage(safeReturn(afterSignIn(search)), { replace: true })
