import { sql } from 'drizzle-orm'
import type { RetentionRule } from '../../platform/db/retention.js'
import { INSTANCE_LOGO, logos } from './tables.js'

const HAS_NO_OWNER = sql`owner_id NOT IN (
  SELECT id FROM organizations WHERE logo_url IS NOT NULL
  UNION ALL SELECT id FROM applications WHERE logo_url IS NOT NULL
  UNION ALL SELECT ${INSTANCE_LOGO}::uuid FROM instance_settings WHERE logo_url IS NOT NULL)`

export const LOGO_RETENTION: RetentionRule[] = [
  { table: logos, deleted: 'when the team or application has another logo or none', condition: () => HAS_NO_OWNER },
]
