import type { Actor } from '../../platform/http/actor.js'
import { addGroup } from './add-group.js'
import type { GroupDeps } from './deps.js'
import type { CountedGroup } from './repository.js'

/** Makes a group with nobody in it. @throws group_name_taken */
export const createGroup = (
  deps: GroupDeps,
  actor: Actor,
  wanted: { name: string; description?: string | null | undefined },
): Promise<CountedGroup> => deps.db.transaction((tx) => addGroup(tx, deps, actor, wanted))
