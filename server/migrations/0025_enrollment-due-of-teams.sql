UPDATE sessions SET enrollment_due_team_ids = ARRAY[mfa_due_team_id] WHERE mfa_due_team_id IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "sessions" DROP COLUMN "mfa_due_team_id";
--> statement-breakpoint
-- A device counts as one that verified a factor while `factor_at` is set; the comparison with the first factor is made here once.
UPDATE known_devices d SET factor_at = NULL FROM users u WHERE u.id = d.user_id AND d.factor_at < u.second_factor_since;
--> statement-breakpoint
-- The column holds when the newest unrestricted factor was verified, no longer the first one.
UPDATE users u SET second_factor_since = f.newest
FROM (SELECT user_id, max(verified_at) AS newest FROM factors WHERE type <> 'BACKUP_CODE' GROUP BY user_id) f
WHERE f.user_id = u.id AND f.newest IS NOT NULL;
