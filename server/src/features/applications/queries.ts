import type { Database } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { Application } from './registration/registration.js'
import { type AssigneeKind, applicationRepository, findApplication } from './repository.js'

interface QueryDeps {
  db: Database
}

/** Returns the team's applications, newest first. */
export const listApplications = ({ db }: QueryDeps, actor: Actor): Promise<Application[]> =>
  db.transaction((tx) => applicationRepository(tx, actor.teamId).list())

/** @throws application_not_found */
export const readApplication = ({ db }: QueryDeps, actor: Actor, id: string): Promise<Application> =>
  db.transaction((tx) => findApplication(tx, actor.teamId, id))

/** Returns the IDs of the assigned users or groups, in ascending order. @throws application_not_found */
export const readAssignment = (
  { db }: QueryDeps,
  actor: Actor,
  kind: AssigneeKind,
  id: string,
): Promise<{ application: Application; ids: string[] }> =>
  db.transaction(async (tx) => {
    const application = await findApplication(tx, actor.teamId, id)
    return { application, ids: await applicationRepository(tx, actor.teamId).assigned(kind, application) }
  })
