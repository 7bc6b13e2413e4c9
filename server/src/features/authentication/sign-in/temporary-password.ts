import { type Clock, DAY } from '../../../platform/clock.js'
import type { StoredPassword } from '../../passwords/index.js'

const LIFE = 7 * DAY

/** Returns whether the password is a temporary one that has expired: it was not changed within seven days. */
export const isOver = (clock: Clock, { isTemporary, setAt }: StoredPassword): boolean =>
  isTemporary && clock.ms() - setAt.getTime() > LIFE
