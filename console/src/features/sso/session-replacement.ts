import { answerOf, visitor } from '../../api/client'

/** The session of this browser, and the one of a provider that waits to replace it. @throws Problem */
export const readReplacement = () => answerOf(visitor.POST('/api/v1/auth/session-replacement'))

/** Replaces the session of this browser. @throws Problem */
export const acceptReplacement = () => answerOf(visitor.POST('/api/v1/auth/session-replacement/accept'))

/** Ends the session that waits. @throws Problem */
export const rejectReplacement = () => answerOf(visitor.POST('/api/v1/auth/session-replacement/reject'))
