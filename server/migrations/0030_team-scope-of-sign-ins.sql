CREATE TABLE "team_sign_ins" (
	"user_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"network" text NOT NULL,
	"device" "bytea" NOT NULL,
	"ip_address" text,
	"epoch" integer NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "team_sign_ins_user_id_organization_id_network_device_pk" PRIMARY KEY("user_id","organization_id","network","device")
);
--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "created_by" uuid;--> statement-breakpoint
ALTER TABLE "team_sign_ins" ADD CONSTRAINT "team_sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_sign_ins" ADD CONSTRAINT "team_sign_ins_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_sign_ins" ADD CONSTRAINT "team_sign_ins_membership" FOREIGN KEY ("user_id","organization_id") REFERENCES "public"."memberships"("user_id","organization_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "team_sign_ins_organization" ON "team_sign_ins" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "team_sign_ins_seen" ON "team_sign_ins" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "memberships_confirmed" ON "memberships" USING btree ("user_id") WHERE counts;
--> statement-breakpoint
-- A team and the membership of its creator were created in one transaction. Where that membership is gone, the creator is unknown.
UPDATE organizations o SET created_by = f.user_id
FROM (SELECT DISTINCT ON (organization_id) organization_id, user_id, role, counts, created_at FROM memberships
      ORDER BY organization_id, created_at, id) f
WHERE f.organization_id = o.id AND f.role IN ('OWNER', 'SUPER_ADMIN') AND f.counts AND f.created_at < o.created_at + interval '1 second';
--> statement-breakpoint
-- An aged password is due in its team, no longer in every team of the session.
UPDATE sessions SET password_due_team_ids = ARRAY[organization_id], password_due = NULL WHERE password_due = 'aged';
