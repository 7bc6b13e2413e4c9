import type { Actor } from '../../platform/http/actor.js'
import type { GroupDeps } from './deps.js'
import { findGroup } from './lock-groups.js'
import type { CountedGroup } from './repository.js'
import { writeGroup } from './write-group.js'

/** Changes what is given and leaves the rest; null takes the description away. What changes nothing is not recorded. @throws group_not_found, group_name_taken */
export const updateGroup = (
  deps: GroupDeps,
  actor: Actor,
  id: string,
  wanted: { name?: string; description?: string | null },
): Promise<CountedGroup> =>
  deps.db.transaction(async (tx) => {
    await writeGroup(tx, deps, actor, id, wanted)
    return findGroup(tx, actor.teamId, id)
  })
