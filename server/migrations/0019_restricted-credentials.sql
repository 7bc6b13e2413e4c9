CREATE TABLE "team_passwords" (
	"user_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"is_temporary" boolean NOT NULL,
	"temporary_set_by" uuid,
	"epoch" integer NOT NULL,
	"set_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "team_passwords_user_id_organization_id_pk" PRIMARY KEY("user_id","organization_id")
);
--> statement-breakpoint
DROP INDEX "password_history_user";--> statement-breakpoint
DROP INDEX "factors_backup_codes";--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "password_history" ADD COLUMN "organization_id" uuid;--> statement-breakpoint
ALTER TABLE "passwords" ADD COLUMN "epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "directories" ADD COLUMN "saved_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "factors_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "second_factor_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "blocked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "restricted_to_team_id" uuid;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "temporary_set_by" uuid;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "scim_tokens" ADD COLUMN "epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "known_devices" ADD COLUMN "epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "one_time_tokens" ADD COLUMN "restricted_to_team_id" uuid;--> statement-breakpoint
ALTER TABLE "one_time_tokens" ADD COLUMN "epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "temporary_set_by" uuid;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "enrollment_due_team_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "password_due_team_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "sso_providers" ADD COLUMN "saved_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "team_passwords" ADD CONSTRAINT "team_passwords_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_passwords" ADD CONSTRAINT "team_passwords_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "team_passwords_organization" ON "team_passwords" USING btree ("organization_id");--> statement-breakpoint
ALTER TABLE "password_history" ADD CONSTRAINT "password_history_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "factors" ADD CONSTRAINT "factors_restricted_to_team_id_organizations_id_fk" FOREIGN KEY ("restricted_to_team_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "one_time_tokens" ADD CONSTRAINT "one_time_tokens_restricted_to_team_id_organizations_id_fk" FOREIGN KEY ("restricted_to_team_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "password_history_organization" ON "password_history" USING btree ("organization_id") WHERE organization_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "factors_restricted" ON "factors" USING btree ("restricted_to_team_id") WHERE restricted_to_team_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "one_time_tokens_restricted" ON "one_time_tokens" USING btree ("restricted_to_team_id") WHERE restricted_to_team_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "password_history_user" ON "password_history" USING btree ("user_id","organization_id","replaced_at");--> statement-breakpoint
CREATE UNIQUE INDEX "factors_backup_codes" ON "factors" USING btree ("user_id",coalesce(restricted_to_team_id, '00000000-0000-0000-0000-000000000000')) WHERE type = 'BACKUP_CODE';
--> statement-breakpoint
-- Passwords that opened one team alone.
INSERT INTO team_passwords (user_id, organization_id, hash, is_temporary, epoch, set_at)
SELECT p.user_id, o.id, p.hash, p.given_by_team_id IS NOT NULL, 0, p.set_at
FROM passwords p JOIN organizations o ON o.id = coalesce(p.given_by_team_id, p.confined_team_id);
--> statement-breakpoint
UPDATE users SET password_set_at = NULL
WHERE id IN (SELECT user_id FROM passwords WHERE coalesce(given_by_team_id, confined_team_id) IS NOT NULL);
--> statement-breakpoint
DELETE FROM passwords WHERE coalesce(given_by_team_id, confined_team_id) IS NOT NULL;
