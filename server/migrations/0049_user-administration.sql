ALTER TABLE "memberships" ADD COLUMN "passwords_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "leave_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "leave_permissions" text[];--> statement-breakpoint
ALTER TABLE "import_runs" ADD COLUMN "action" jsonb;--> statement-breakpoint
CREATE INDEX "memberships_leave" ON "memberships" USING btree ("leave_at") WHERE leave_at IS NOT NULL;--> statement-breakpoint
-- The links to directories and providers show how earlier members were added; where there is none, the column stays null.
UPDATE memberships m SET source = 'ldap' WHERE EXISTS (
  SELECT FROM directory_entries e WHERE e.user_id = m.user_id AND e.organization_id = m.organization_id);
--> statement-breakpoint
UPDATE memberships m SET source = 'scim' WHERE m.source IS NULL AND EXISTS (SELECT FROM scim_users s WHERE s.membership_id = m.id);
--> statement-breakpoint
UPDATE memberships m SET source = 'sso' WHERE m.source IS NULL AND EXISTS (
  SELECT FROM external_identities i JOIN sso_providers p ON p.id = i.provider_id
  WHERE i.user_id = m.user_id AND p.organization_id = m.organization_id AND i.created_at <= m.created_at + interval '1 minute');
