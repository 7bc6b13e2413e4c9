import type { components } from '../../../api/schema.gen'

type Action = components['schemas']['OwnEvent']['action']

/** Events that can be the work of a third party, even if they succeeded. */
const SUSPICIOUS: readonly Action[] = [
  'factor.clone_suspected',
  'session.refresh_reused',
  'user.locked',
  'user.locked_down',
  'user.reclaimed',
]

export const isSuspicious = (action: Action): boolean => SUSPICIOUS.includes(action)
