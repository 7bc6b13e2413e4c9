import { type Clock, DAY } from '../../../platform/clock.js'
import type { StoredPassword } from '../../credentials/index.js'

const LIFE = 7 * DAY

/** Returns whether the password was set by an administrator and not changed within seven days: it is no longer valid. */
export const isOver = (clock: Clock, { isTemporary, setAt }: StoredPassword): boolean =>
  isTemporary && clock.ms() - setAt.getTime() > LIFE
