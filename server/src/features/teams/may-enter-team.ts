import { isTopRole } from '../permissions/index.js'

/** A suspended team lets in only those who may reactivate it. */
export const mayEnterTeam = (status: string, role: string): boolean => status === 'ACTIVE' || isTopRole(role)
