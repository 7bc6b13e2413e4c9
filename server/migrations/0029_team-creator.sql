ALTER TABLE "organizations" ADD COLUMN "created_by" uuid;--> statement-breakpoint
CREATE INDEX "memberships_confirmed" ON "memberships" USING btree ("user_id") WHERE counts;--> statement-breakpoint
-- A team and the membership of its creator were created in one transaction. Where that membership is gone, the creator is unknown.
UPDATE organizations o SET created_by = f.user_id
FROM (SELECT DISTINCT ON (organization_id) organization_id, user_id, role, counts, created_at FROM memberships
      ORDER BY organization_id, created_at, id) f
WHERE f.organization_id = o.id AND f.role IN ('OWNER', 'SUPER_ADMIN') AND f.counts AND f.created_at < o.created_at + interval '1 second';
--> statement-breakpoint
-- An aged password is due in its team, no longer in every team of the session.
UPDATE sessions SET password_due_team_ids = ARRAY[organization_id], password_due = NULL WHERE password_due = 'aged';
