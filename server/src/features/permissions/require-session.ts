import type { Actor, SessionActor } from '../../platform/http/actor.js'
import { rejection } from './errors.js'

/** Refuses an API token where the act is a person's. @throws session_required */
export function requireSession(actor: Actor): asserts actor is SessionActor {
  if (actor.via !== 'session') throw rejection('session_required')
}
