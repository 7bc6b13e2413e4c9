import { answerOf, inTeam, member } from '../../../api/client'

/** The fields of an application by the metadata of a service provider. Nothing is stored. */
export function parseMetadata(teamId: string, body: { url: string } | { xml: string }) {
  return answerOf(member.POST('/api/v1/applications/metadata/parse', { ...inTeam(teamId), body }))
}
