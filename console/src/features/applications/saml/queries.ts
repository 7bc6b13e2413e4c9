import { answerOf, inTeam, member } from '../../../api/client'

/** Converts the metadata of a service provider to settings of an application. Stores nothing. */
export function parseMetadata(teamId: string, body: { url: string } | { xml: string }) {
  return answerOf(member.POST('/api/v1/applications/metadata/parse', { ...inTeam(teamId), body }))
}
