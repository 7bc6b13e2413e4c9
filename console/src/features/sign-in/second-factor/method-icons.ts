import type { ChallengeMethod } from '../../../api/contract'
import type { IconName } from '../../../ui/icons/icon'

export const methodIcons: Record<ChallengeMethod, IconName> = { PASSKEY: 'passkey', TOTP: 'phone', BACKUP_CODE: 'list' }
