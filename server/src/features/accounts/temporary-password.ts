import { type Clock, DAY } from '../../platform/clock.js'
import type { TeamId } from '../../platform/ids.js'

const LIFE = 7 * DAY

/** Whether the password was given by an administrator and not changed within seven days: then it proves nothing any more. */
export const isOver = (clock: Clock, password: { givenByTeamId: TeamId | null; setAt: Date }): boolean =>
  password.givenByTeamId !== null && clock.ms() - password.setAt.getTime() > LIFE
