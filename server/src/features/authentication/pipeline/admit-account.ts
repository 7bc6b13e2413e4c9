import { rejection } from '../errors.js'
import type { SignInStep } from './sign-in-step.js'

/** Only a living account goes on. The state is told to those alone who have just proven that it is theirs. */
export const admitAccount: SignInStep = async (_tx, _deps, signIn) =>
  signIn.user.status === 'active' ? signIn : { rejected: rejection('account_suspended') }
