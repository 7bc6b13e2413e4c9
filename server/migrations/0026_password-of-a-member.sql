DELETE FROM team_passwords t WHERE NOT EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = t.user_id AND m.organization_id = t.organization_id);
--> statement-breakpoint
ALTER TABLE "team_passwords" ADD CONSTRAINT "team_passwords_membership" FOREIGN KEY ("user_id","organization_id") REFERENCES "public"."memberships"("user_id","organization_id") ON DELETE cascade ON UPDATE no action;