import { safeReturn } from '../../navigation/return-to'
import { openPage } from '../../navigation/router'
import { afterSignIn, type SignInSearch } from '../../navigation/sign-in-search'

/** Leaves the sign-in page for its destination. */
export const goOn = (search: SignInSearch): Promise<void> =>
  openPage(safeReturn(afterSignIn(search)), { replace: true })
