import type { AnyRouter } from '@tanstack/react-router'
import { safeReturn } from '../../navigation/return-to'
import { afterSignIn, type SignInSearch } from '../../navigation/sign-in-search'

/** Leaves the sign-in page for its destination. */
export function goOn({ history }: Pick<AnyRouter, 'history'>, search: SignInSearch) {
  history.replace(safeReturn(afterSignIn(search)))
}
