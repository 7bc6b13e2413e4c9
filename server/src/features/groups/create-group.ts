import { uuidv7 } from '../../platform/crypto/random.js'
import { refusal as platformRefusal } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { GroupId } from '../../platform/ids.js'
import type { GroupDeps } from './deps.js'
import { refusal } from './errors.js'
import { type CountedGroup, groupRepository } from './repository.js'

/** Makes a group with nobody in it. @throws group_name_taken */
export function createGroup(
  { db, clock, audit }: GroupDeps,
  actor: Actor,
  { name, description = null }: { name: string; description?: string | null | undefined },
): Promise<CountedGroup> {
  return db.transaction(async (tx) => {
    const repository = groupRepository(tx, actor.teamId)
    // The team may have been deleted since the request was let in.
    if (!(await repository.keepTeam())) throw platformRefusal('invalid_access_token')
    const now = clock.now()
    const id = uuidv7<GroupId>(clock)
    const group = await repository.insert({ id, name: name.trim(), description, createdAt: now, updatedAt: now })
    if (!group) throw refusal('group_name_taken')
    await audit.record(tx, actor, 'group.created', { resource: `group:${id}`, metadata: { name: group.name } })
    return { ...group, memberCount: 0 }
  })
}
