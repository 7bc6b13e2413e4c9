import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../../api/client'
import type { AuditArchive } from '../../../api/contract'

export const retentionQuery = (teamId: string) =>
  queryOptions({
    queryKey: [teamId, 'audit', 'retention'],
    queryFn: () => answerOf(member.GET('/api/v1/audit/retention', inTeam(teamId))),
  })

/** All archives, newest first. */
export const archivesQuery = (teamId: string) =>
  queryOptions({
    queryKey: [teamId, 'audit', 'archives'],
    queryFn: () => answerOf(member.GET('/api/v1/audit/archives', inTeam(teamId))).then(({ data }) => data),
  })

/** @param days null keeps all entries in the log */
export const changeRetention = (teamId: string, days: number | null) =>
  answerOf(member.PUT('/api/v1/audit/retention', { ...inTeam(teamId), body: { days } }))

const archiveOf = (teamId: string, id: string) => ({ ...inTeam(teamId), params: { path: { id } } })

/** Returns an archive as a signed export. The service records the download. */
export const readArchive = (teamId: string, id: string): Promise<Blob> =>
  answerOf(member.GET('/api/v1/audit/archives/{id}', { ...archiveOf(teamId, id), parseAs: 'blob' }))

export const deleteArchive = (teamId: string, id: string) =>
  answerOf(member.DELETE('/api/v1/audit/archives/{id}', archiveOf(teamId, id)))

/** Returns the name of the file of an archive, without its extension. The service sends the same name. */
export const fileNameOf = ({ firstSeal, lastSeal }: AuditArchive): string => `audit-archive-${firstSeal}-${lastSeal}`
